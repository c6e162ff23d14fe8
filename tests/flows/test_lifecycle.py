"""`lifecycle`: fields that are left to others, and resources that change only on a word."""

from typing import Any

import pytest

from .conftest import COURSE, Platform, Workspace

INVALID, PARTIAL, STALE, USAGE = 3, 7, 5, 64
PROTECT = "lifecycle: {protect: true}\n"
IGNORE = "lifecycle: {ignore: [ribbon, isbn]}\n"
RENAMED = ("Title of KEY", "Another title")


def made(work: Workspace, more: str) -> None:
    work.course("a", more)
    done = work.apply()
    assert 0 == done.code, done.err + done.out


def counted(plan: Any) -> dict[str, int]:
    return {action: number for action, number in plan["summary"].items() if number}


def isbns(platform: Platform) -> list[Any]:
    return [group.get("isbn") for group in platform.dump("courseGroups")]


def test_an_ignored_field_is_sent_when_it_is_made(work: Workspace, platform: Platform) -> None:
    """And afterwards left alone: a new value is neither planned nor shown."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE + "isbn: '2'\n")

    assert (["1"], {"unchanged": 1}) == (isbns(platform), counted(work.plan()))
    assert 0 == work.apply().code
    assert ["1"] == isbns(platform)


def test_nothing_is_asked_where_only_ignored_fields_differ(
    work: Workspace, platform: Platform
) -> None:
    """Not even whether the platform is there."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE + "isbn: '2'\n")
    before = len(platform.requests())

    assert [] == work.plan()["changes"]
    assert before == len(platform.requests())


def test_other_fields_are_updated_beside_it(work: Workspace, platform: Platform) -> None:
    """The record goes on saying what was last sent of the ignored one."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE + "isbn: '2'\npriceInCents: 5\n")

    (change,) = work.plan()["changes"]

    assert ["priceInCents"] == [field["path"] for field in change["fields"]]
    assert 0 == work.apply().code
    assert ["1"] == isbns(platform)
    work.course("a", "isbn: '2'\npriceInCents: 5\n")
    (change,) = work.plan()["changes"]
    assert [{"path": "isbn", "before": "1", "after": "2"}] == change["fields"]


def test_an_ignored_field_may_leave_the_manifest(work: Workspace) -> None:
    """Nobody is told to clear it."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE)

    assert [] == work.plan()["changes"]


def test_ignored_sections_are_made_once(work: Workspace, platform: Platform) -> None:
    """A rule about a topic that will never be made says so."""
    ignore = "lifecycle: {ignore: [sections]}\n"
    made(work, "")
    rule = "completionCriteria: [{id: r, type: courseTopicViewed, topic: start/one/more}]\n"
    work.course("a", "          - {id: more, title: More, type: survey}\n" + ignore + rule)

    (change,) = work.plan()["changes"]

    assert ("criterion.a.r", "blocked") == (change["address"], change["action"])
    assert "`start/one/more` of course.a, which is not on the platform" in change["reasons"][0]
    assert ["Hello", "Check"] == platform.topics("Title of a")


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("ribbons", "ignore-field"),
        ("key", "ignore-identity"),
        ("completionCriteria", "ignore-field"),
    ],
)
def test_what_cannot_be_ignored_is_a_mistake(work: Workspace, field: str, code: str) -> None:
    """Found offline, where it stands."""
    work.course("a", f"lifecycle: {{ignore: [{field}]}}\n")

    done = work.run("validate")

    assert (INVALID, True) == (done.code, f"error[{code}] course.a" in done.out)


def test_a_protected_course_is_not_changed(work: Workspace, platform: Platform) -> None:
    """The plan says what lets it pass; an apply that could do nothing else ends with 3."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)

    (change,) = work.plan()["changes"]

    assert ("blocked", "protect") == (change["action"], change["guard"])
    assert ["it is protected: `--allow course.a` allows this change"] == change["reasons"]
    assert INVALID == work.apply().code
    assert ["Title of a"] == platform.titles()


def test_what_is_not_protected_is_done(work: Workspace, platform: Platform) -> None:
    """The rest of the plan is applied, in part."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)
    work.course("b")

    done = work.apply("--json")

    assert (PARTIAL, 1, 1) == (
        done.code,
        done.json["summary"]["created"],
        done.json["summary"]["skipped"],
    )
    assert ["Title of a", "Title of b"] == platform.titles()


def test_a_word_lets_it_pass(work: Workspace, platform: Platform) -> None:
    """It names the address."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)

    assert 0 == work.apply("--allow", "course.a").code
    assert ["Another title"] == platform.titles()
    assert [] == work.plan()["changes"]


def test_a_saved_plan_carries_what_was_allowed(work: Workspace, platform: Platform) -> None:
    """It is applied as it was reviewed; nothing can be allowed afterwards."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)
    saved = work.run("plan", "--allow", "course.a", "--out", "p.json", "--json").json

    assert (["course.a"], {"update": 1}) == (saved["allowed"], counted(saved))
    assert USAGE == work.run("apply", "p.json", "--allow", "course.a").code
    assert 0 == work.run("apply", "p.json").code
    assert ["Another title"] == platform.titles()


def test_a_word_about_nothing_is_refused(work: Workspace) -> None:
    """It was misspelt, most likely."""
    made(work, PROTECT)

    done = work.run("plan", "--allow", "course.b")

    assert (USAGE, True) == (done.code, "did you mean `course.a`" in done.err)


def test_what_was_protected_does_not_leave_unseen(work: Workspace, platform: Platform) -> None:
    """Its manifest is gone; the state remembers what it said."""
    made(work, PROTECT)
    (work.root / "a.yaml").unlink()

    assert {"blocked": 1} == counted(work.plan())
    assert INVALID == work.apply().code
    done = work.apply("--allow", "course.a", "--json")
    assert (0, 1) == (done.code, done.json["summary"]["forgotten"])


def test_protection_counts_from_the_next_apply_on(work: Workspace) -> None:
    """The plan says so, and changes nothing."""
    made(work, "")
    work.course("a", PROTECT)

    done = work.run("plan", "--detailed-exitcode")

    assert (0, True) == (done.code, "Protected from now on: course.a." in done.out)
    assert 0 == work.apply().code
    assert "Protected from now on" not in work.run("plan").out
    (work.root / "a.yaml").unlink()
    assert {"blocked": 1} == counted(work.plan())


def test_protection_that_was_taken_away_does_not_count(work: Workspace) -> None:
    """Once an apply has seen it."""
    made(work, PROTECT)
    work.course("a")
    assert "No longer protected: course.a." in work.run("plan").out
    work.apply()
    (work.root / "a.yaml").unlink()

    assert {"forget": 1} == counted(work.plan())


def test_a_protected_course_may_move(work: Workspace) -> None:
    """Nothing of it changes; the new address is protected from then on."""
    made(work, PROTECT)
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n" + PROTECT, edit=("Title of KEY", "Title of a"))

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]
    (work.root / "b.yaml").unlink()
    assert {"blocked": 1} == counted(work.plan())


def test_what_changes_as_it_moves_is_protected(work: Workspace) -> None:
    """With the short forms in it, which cannot be found without it."""
    rule = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
    made(work, PROTECT + rule)
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n" + PROTECT + rule, edit=RENAMED)

    assert {"blocked": 2} == counted(work.plan())
    assert INVALID == work.apply().code
    assert 0 == work.apply("--allow", "course.b").code
    assert [] == work.plan()["changes"]


def test_a_manual_step_of_something_protected_waits(work: Workspace) -> None:
    """Nobody is asked to do by hand what is protected."""
    made(work, PROTECT + "source: ours\n")
    work.course("a", PROTECT + "source: theirs\n")

    assert {"blocked": 1} == counted(work.plan())


def test_what_needs_a_part_that_is_held_back_waits(work: Workspace) -> None:
    """The rule about a topic that the protected course does not get."""
    made(work, PROTECT)
    rule = "completionCriteria: [{id: r, type: courseTopicViewed, topic: start/one/more}]\n"
    more = "          - {id: more, title: More, type: survey}\n"
    work.course("a", more + PROTECT + rule)

    changes = work.plan()["changes"]

    assert ["protect", "protect"] == [change["guard"] for change in changes]
    assert INVALID == work.apply().code


def test_a_protected_course_is_made_without_a_word(work: Workspace, platform: Platform) -> None:
    """Making it changes nothing that was there."""
    work.write("a.yaml", COURSE.replace("KEY", "a") + PROTECT)

    assert 0 == work.apply().code
    assert ["Title of a"] == platform.titles()


def test_what_is_ignored_is_not_recorded_by_a_person(work: Workspace) -> None:
    """Who has done one thing by hand has not done what the manifest leaves to others."""
    made(work, IGNORE + "isbn: '1'\nsource: ours\n")
    work.course("a", IGNORE + "isbn: '2'\nsource: theirs\n")

    assert 0 == work.run("resolve", "course.a", "--done").code
    assert [] == work.plan()["changes"]
    work.course("a", "isbn: '2'\nsource: theirs\n")
    (change,) = work.plan()["changes"]
    assert [{"path": "isbn", "before": "1", "after": "2"}] == change["fields"]
