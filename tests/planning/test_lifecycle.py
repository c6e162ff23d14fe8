"""`lifecycle`: fields that are left to others, and resources that only change when allowed."""

from typing import Any

import pytest

from tests.served_catalog import COURSE, Platform, Workspace, counted

INVALID, PARTIAL, STALE, USAGE = 3, 7, 5, 64
PROTECT = "lifecycle: {protect: true}\n"
IGNORE = "lifecycle: {ignore: [ribbon, isbn]}\n"
RENAMED = ("Title of KEY", "Another title")


def made(work: Workspace, more: str) -> None:
    work.course("a", more)
    done = work.apply()
    assert 0 == done.code, done.err + done.out


def isbns(platform: Platform) -> list[Any]:
    return [group.get("isbn") for group in platform.dump("courseGroups")]


def test_an_ignored_field_is_sent_when_it_is_made(work: Workspace, platform: Platform) -> None:
    """An ignored field is sent when its resource is made, and later changes are not planned."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE + "isbn: '2'\n")

    assert (["1"], {"unchanged": 1}) == (isbns(platform), counted(work.plan()))
    assert 0 == work.apply().code
    assert ["1"] == isbns(platform)


def test_nothing_is_asked_where_only_ignored_fields_differ(
    work: Workspace, platform: Platform
) -> None:
    """If only ignored fields differ, the platform is not even pinged."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE + "isbn: '2'\n")
    before = len(platform.requests())

    assert [] == work.plan()["changes"]
    assert before == len(platform.requests())


def test_other_fields_are_updated_beside_it(work: Workspace, platform: Platform) -> None:
    """If another field is updated, the record keeps the last value sent of the ignored one."""
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
    """An ignored field that leaves the manifest brings no advice to clear it."""
    made(work, IGNORE + "isbn: '1'\n")
    work.course("a", IGNORE)

    assert [] == work.plan()["changes"]


def test_ignored_sections_are_made_once(work: Workspace, platform: Platform) -> None:
    """A rule about a topic that will never be made is blocked with that reason."""
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
    """A field that cannot be ignored is reported offline, where it stands."""
    work.course("a", f"lifecycle: {{ignore: [{field}]}}\n")

    done = work.run("validate")

    assert (INVALID, True) == (done.code, f"error[{code}] course.a" in done.out)


def test_a_protected_course_is_not_changed(work: Workspace, platform: Platform) -> None:
    """The plan says how to allow the change; an apply with nothing else to do ends with code 3."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)

    (change,) = work.plan()["changes"]

    assert ("blocked", "protect") == (change["action"], change["guard"])
    assert ["it is protected: `--allow course.a` allows this change"] == change["reasons"]
    assert INVALID == work.apply().code
    assert ["Title of a"] == platform.titles()


def test_what_is_not_protected_is_done(work: Workspace, platform: Platform) -> None:
    """Changes of unprotected resources are applied, and the run counts as partly applied."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)
    work.course("b")

    done = work.apply("--json")

    assert (PARTIAL, 1, 1) == (
        done.code,
        done.json["summary"]["created"],
        done.json["summary"]["blocked"],
    )
    assert ["Title of a", "Title of b"] == platform.titles()


def test_a_word_lets_it_pass(work: Workspace, platform: Platform) -> None:
    """A protected course is changed if the option names its address."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)

    assert 0 == work.apply("--allow", "course.a").code
    assert ["Another title"] == platform.titles()
    assert [] == work.plan()["changes"]


def test_a_saved_plan_carries_what_was_allowed(work: Workspace, platform: Platform) -> None:
    """A saved plan includes what was allowed; nothing can be allowed when it is applied."""
    made(work, PROTECT)
    work.course("a", PROTECT, edit=RENAMED)
    saved = work.run("plan", "--allow", "course.a", "--out", "p.json", "--json").json

    assert (["course.a"], {"update": 1}) == (saved["allowed"], counted(saved))
    assert USAGE == work.run("apply", "p.json", "--allow", "course.a").code
    assert 0 == work.run("apply", "p.json").code
    assert ["Another title"] == platform.titles()


def test_a_word_about_nothing_is_refused(work: Workspace) -> None:
    """An option that allows the change of an unknown address is refused, as a likely typo."""
    made(work, PROTECT)

    done = work.run("plan", "--allow", "course.b")

    assert (USAGE, True) == (done.code, "did you mean `course.a`" in done.err)


def test_what_was_protected_does_not_leave_unseen(work: Workspace, platform: Platform) -> None:
    """A protected resource without a manifest stays protected, since the state remembers it."""
    made(work, PROTECT)
    (work.root / "a.yaml").unlink()

    assert {"blocked": 1} == counted(work.plan())
    assert INVALID == work.apply().code
    done = work.apply("--allow", "course.a", "--json")
    assert (0, 1) == (done.code, done.json["summary"]["forgotten"])


def test_protection_counts_from_the_next_apply_on(work: Workspace) -> None:
    """A course that becomes protected is in the plan, and nothing else about it changes."""
    made(work, "")
    work.course("a", PROTECT)

    done = work.run("plan", "--detailed-exitcode")

    assert (0, True) == (done.code, "Protected from now on: course.a." in done.out)
    assert 0 == work.apply().code
    assert "Protected from now on" not in work.run("plan").out
    (work.root / "a.yaml").unlink()
    assert {"blocked": 1} == counted(work.plan())


def test_protection_that_was_taken_away_does_not_count(work: Workspace) -> None:
    """Once an apply has seen that the protection is gone, the course may leave."""
    made(work, PROTECT)
    work.course("a")
    assert "No longer protected: course.a." in work.run("plan").out
    work.apply()
    (work.root / "a.yaml").unlink()

    assert {"forget": 1} == counted(work.plan())


def test_a_protected_course_may_move(work: Workspace) -> None:
    """A protected course may move if nothing else changes, and stays protected."""
    made(work, PROTECT)
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n" + PROTECT, edit=("Title of KEY", "Title of a"))

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]
    (work.root / "b.yaml").unlink()
    assert {"blocked": 1} == counted(work.plan())


def test_what_changes_as_it_moves_is_protected(work: Workspace) -> None:
    """A protected course that changes as it moves is blocked together with its short forms."""
    rule = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
    made(work, PROTECT + rule)
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n" + PROTECT + rule, edit=RENAMED)

    assert {"blocked": 2} == counted(work.plan())
    assert INVALID == work.apply().code
    assert 0 == work.apply("--allow", "course.b").code
    assert [] == work.plan()["changes"]


def test_a_manual_step_of_something_protected_waits(work: Workspace) -> None:
    """A manual step of a protected resource is not asked for."""
    made(work, PROTECT + "source: ours\n")
    work.course("a", PROTECT + "source: theirs\n")

    assert {"blocked": 1} == counted(work.plan())


def test_what_needs_a_part_that_is_held_back_waits(work: Workspace) -> None:
    """A rule waits for a topic that the protected course does not get."""
    made(work, PROTECT)
    rule = "completionCriteria: [{id: r, type: courseTopicViewed, topic: start/one/more}]\n"
    more = "          - {id: more, title: More, type: survey}\n"
    work.course("a", more + PROTECT + rule)

    changes = work.plan()["changes"]

    assert ["protect", "protect"] == [change["guard"] for change in changes]
    assert INVALID == work.apply().code


def test_a_protected_course_is_made_without_a_word(work: Workspace, platform: Platform) -> None:
    """A protected course can be made without an option, since nothing existing changes."""
    work.write("a.yaml", COURSE.replace("KEY", "a") + PROTECT)

    assert 0 == work.apply().code
    assert ["Title of a"] == platform.titles()


def test_what_is_ignored_is_not_recorded_by_a_person(work: Workspace) -> None:
    """Confirming one manual step does not record fields that the manifest ignores."""
    made(work, IGNORE + "isbn: '1'\nsource: ours\n")
    work.course("a", IGNORE + "isbn: '2'\nsource: theirs\n")

    assert 0 == work.run("resolve", "course.a", "--done").code
    assert [] == work.plan()["changes"]
    work.course("a", "isbn: '2'\nsource: theirs\n")
    (change,) = work.plan()["changes"]
    assert [{"path": "isbn", "before": "1", "after": "2"}] == change["fields"]


@pytest.mark.parametrize(
    "misplaced",
    ["stories/a.yaml", "releases/a.yaml", "policies/a.yaml", "schemas/a.yaml", "a.part.yaml"],
)
def test_a_misplaced_manifest(work: Workspace, misplaced: str) -> None:
    """Where no manifests are read, its course is not forgotten: `plan` refuses, as `validate`."""
    work.course("a")
    work.apply()
    (work.root / misplaced).parent.mkdir(exist_ok=True)
    (work.root / "a.yaml").rename(work.root / misplaced)
    plan = work.run("plan")
    assert (3, work.run("validate").out) == (plan.code, plan.err)
    assert f"{misplaced}:1:1: error[manifest-misplaced] the course `a` is in " in plan.err
    assert plan.err.count("error[") == 1
