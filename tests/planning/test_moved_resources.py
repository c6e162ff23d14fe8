"""A resource under a new key is the same resource: nothing is created for it."""

import orjson
import pytest

from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import Platform, Workspace, actions, counted, kill_apply

INVALID, UNKNOWN, STALE = 3, 4, 5
SHORT = """\
completionCriteria:
  - {id: most, type: coursePercentViewed, percent: 80}
  - {id: pass, type: courseAssessmentPassed, topic: start/one/check}
purchasePaths: [{id: shop, label: Buy, target: {url: "https://shop.example.com", title: Shop}}]
"""
OWN_RULE = """\
resource: completionCriterion
key: a.own
course: a
type: coursePercentViewed
percent: 5
"""
SAME_TITLE = ("Title of KEY", "The course")


def applied(work: Workspace, more: str = SHORT) -> None:
    """Course `a`, with its short forms, and a license that names it."""
    work.course("a", more, edit=SAME_TITLE)
    work.write("l.yaml", LICENSE)
    done = work.apply()
    assert 0 == done.code, done.err + done.out


def rename(work: Workspace, more: str = SHORT, *, old: str = "a", new: str = "b") -> None:
    """Gives the course a new key and declares the move; the license is written to match."""
    (work.root / f"{old}.yaml").unlink()
    moved = f"moved: [{{from: course.{old}}}]\n"
    work.course(new, moved + more, edit=SAME_TITLE)
    work.write("l.yaml", LICENSE.replace("[a]", f"[{new}]"))


def test_a_new_key_is_a_move(work: Workspace) -> None:
    """A course under a new key moves with its short forms; no call is needed."""
    applied(work)
    rename(work)

    plan = work.plan()

    assert {
        "course.b": "move",
        "criterion.b.most": "move",
        "criterion.b.pass": "move",
        "path.b.shop": "move",
    } == actions(plan)
    assert ({"move": 4, "unchanged": 1}, 0) == (counted(plan), plan["calls"]["total"])
    assert "course.a" == plan["changes"][0]["from"]


@pytest.mark.parametrize("moved", ["moved: [{from: course.a}]\n", ""])
def test_a_new_key_and_another_lesson_in_one_commit(
    work: Workspace, platform: Platform, moved: str
) -> None:
    """The lesson with another id and title is asked about, and nothing is made twice."""
    applied(work, "")
    rename(work, "")
    text = (work.root / "b.yaml").read_text("utf-8").replace("moved: [{from: course.a}]\n", moved)
    work.write(
        "b.yaml", text.replace("id: one\n        title: One", "id: second\n        title: Two")
    )

    asked = work.plan()
    work.apply()

    assert "blocked" == actions(asked)["course.b"]
    assert ["The course"] == platform.titles()
    assert 1 == len(platform.dump("lessons"))


def test_after_the_move_nothing_is_left_to_do(work: Workspace, platform: Platform) -> None:
    """A move sends nothing, and afterwards `moved` in the manifest has no effect."""
    applied(work)
    rename(work)
    platform.order("faults", {"seed": 0})
    before = len(platform.requests())

    done = work.apply("--json")

    assert (0, 4) == (done.code, done.json["summary"]["moved"])
    writes = [r["method"] for r in platform.requests()[before:] if r["method"] != "GET"]
    assert [] == writes
    assert [] == work.plan()["changes"]
    assert ["The course"] == platform.titles()


def test_the_history_says_what_moved(work: Workspace) -> None:
    """After a move the ids are recorded under the new address only, and the journal has both."""
    applied(work)
    before = orjson.loads(work.run("state", "show", "course.a").out)
    rename(work)
    work.apply()

    after = orjson.loads(work.run("state", "show", "course.b").out)

    assert (before["ids"], before["parts"]) == (after["ids"], after["parts"])
    assert 64 == work.run("state", "show", "course.a").code


def test_what_changes_besides_is_updated_in_the_same_plan(
    work: Workspace, platform: Platform
) -> None:
    """If fields change as well, the action is still `move`, and lists those fields."""
    applied(work)
    rename(work, SHORT.replace("80", "90") + "isbn: '1'\n")

    plan = work.plan()
    fields = {c["address"]: [f["path"] for f in c["fields"]] for c in plan["changes"]}

    assert (["isbn"], ["percent"]) == (fields["course.b"], fields["criterion.b.most"])
    done = work.apply("--json")
    assert (0, 4, 0) == (done.code, done.json["summary"]["moved"], done.json["summary"]["updated"])
    assert ["1"] == [group.get("isbn") for group in platform.dump("courseGroups")]
    assert [90] == [
        c["coursePercentViewed"]
        for c in platform.dump("completionCriteria")
        if c["type"] == "coursePercentViewed"
    ]
    assert [] == work.plan()["changes"]


def test_a_course_moves_twice(work: Workspace) -> None:
    """A course can move twice: both old addresses stay in the manifest, for states of any age."""
    applied(work)
    rename(work)
    (work.root / "b.yaml").unlink()
    moved = "moved: [{from: course.a}, {from: course.b}]\n"
    work.course("c", moved + SHORT, edit=SAME_TITLE)
    work.write("l.yaml", LICENSE.replace("[a]", "[c]"))

    assert {"move": 4, "unchanged": 1} == counted(work.plan())
    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_course_moves_there_and_back(work: Workspace) -> None:
    """A key is free again once its resource has moved away, so a course can move back."""
    applied(work)
    rename(work)
    work.apply()
    rename(work, old="b", new="a")

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_new_course_may_take_the_old_key(work: Workspace, platform: Platform) -> None:
    """A new course with the old key gets another mark, since the platform has the first (O18)."""
    applied(work)
    rename(work)
    work.apply()
    work.course("b", SHORT, edit=SAME_TITLE)
    work.course("a")

    assert 0 == work.apply().code
    assert ["The course", "Title of a"] == platform.titles()
    assert 2 == len({course["sku"] for course in platform.dump("courses")})
    assert [] == work.plan()["changes"]


def test_a_criterion_of_its_own_key_stays(work: Workspace) -> None:
    """A criterion with a key of its own stays unchanged when its course moves."""
    work.write("c.yaml", OWN_RULE)
    applied(work, "")
    rename(work, "")
    work.write("c.yaml", OWN_RULE.replace("course: a", "course: b"))

    assert {"move": 1, "unchanged": 2} == counted(work.plan())
    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_criterion_moves_out_of_its_course(work: Workspace) -> None:
    """A criterion's own `moved` takes precedence over the move of the course that it was in."""
    applied(work)
    rename(work, SHORT.replace("  - {id: most, type: coursePercentViewed, percent: 80}\n", ""))
    work.write(
        "c.yaml",
        "resource: completionCriterion\nkey: most\nmoved: [{from: criterion.a.most}]\n"
        "course: b\ntype: coursePercentViewed\npercent: 80\n",
    )

    assert {"move": 4, "unchanged": 1} == counted(work.plan())
    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_what_was_never_recorded_does_not_move(work: Workspace, platform: Platform) -> None:
    """A state that never had the old key creates the course under the new one."""
    work.course("b", "moved: [{from: course.a}]\n")

    assert {"create": 1} == counted(work.plan())
    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_what_was_forgotten_comes_back_under_the_new_key(
    work: Workspace, platform: Platform
) -> None:
    """A course that was forgotten before `moved` was written is still not made twice."""
    applied(work, "")
    (work.root / "a.yaml").unlink()
    (work.root / "l.yaml").unlink()
    work.apply()
    work.course("b", "moved: [{from: course.a}]\n", edit=SAME_TITLE)

    assert {"course.b": "move"} == actions(work.plan())
    assert 0 == work.apply().code
    assert ["The course"] == platform.titles()
    assert [] == work.plan()["changes"]


def test_two_that_are_both_recorded_are_not_one(work: Workspace, platform: Platform) -> None:
    """If both addresses are recorded the move is blocked until a person removes one of them."""
    work.course("a")
    work.course("b")
    work.apply()
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n")

    (change,) = work.plan()["changes"]

    assert ("course.b", "blocked") == (change["address"], change["action"])
    assert "course.b and course.a are recorded" in change["reasons"][-1]
    work.run("state", "forget", "course.a")
    assert [] == work.plan()["changes"]


def test_what_nobody_knows_of_does_not_move(work: Workspace, platform: Platform) -> None:
    """A course whose create was lost cannot move, or it would be made again under the new key."""
    work.course("a", edit=SAME_TITLE)
    platform.fault("drop-after", "course.create")
    work.apply()
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n" + SHORT, edit=SAME_TITLE)

    plan = work.plan()

    assert {"blocked"} == set(actions(plan).values())
    assert "`lmssync resolve course.a`" in plan["changes"][0]["reasons"][-1]
    assert UNKNOWN == work.apply().code
    (course,) = platform.dump("courses")
    assert 0 == work.run("resolve", "course.a", "--adopt", course["id"]).code
    assert {"move": 1, "create": 3} == counted(work.plan())
    assert 0 == work.apply().code
    assert ["The course"] == platform.titles()


def test_a_lost_rule_is_found_after_its_course_has_moved(
    work: Workspace, platform: Platform
) -> None:
    """The open call of a lost rule follows its course to the new key and finds the rule (O25)."""
    applied(work, "")
    work.course("a", SHORT, edit=SAME_TITLE)
    platform.fault("drop-after", "criteria.update")
    platform.fault("status", "course.read", status=500, nth=3)
    work.apply()
    rename(work)
    work.apply()

    assert 0 == work.apply().code
    assert 2 == len(platform.dump("completionCriteria"))
    assert [] == work.plan()["changes"]


def test_a_saved_move_is_applied(work: Workspace) -> None:
    """A saved plan with a move is applied with the updates in it."""
    applied(work)
    rename(work, SHORT + "isbn: '1'\n")
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert [] == work.plan()["changes"]


def test_a_saved_move_is_stale_once_it_was_made(work: Workspace) -> None:
    """A saved move is stale once it was made; the error names the moved address."""
    applied(work)
    rename(work)
    work.run("plan", "--out", "p.json")
    work.apply()

    done = work.run("apply", "p.json")

    assert (STALE, True) == (done.code, "course.b" in done.err)


def test_a_saved_update_is_stale_once_its_course_has_moved(work: Workspace) -> None:
    """A saved update is stale once its course has moved, since the old address is gone."""
    applied(work)
    work.course("a", SHORT + "isbn: '1'\n", edit=SAME_TITLE)
    work.run("plan", "--out", "p.json")
    rename(work)
    work.apply()

    assert STALE == work.run("apply", "p.json").code


def test_a_saved_move_is_stale_once_the_platform_has_moved(
    work: Workspace, platform: Platform
) -> None:
    """A saved move is stale if a field that it updates was changed by hand."""
    applied(work, "")
    rename(work, "")
    work.course("b", "moved: [{from: course.a}]\n", edit=("Title of KEY", "From git"))
    work.run("plan", "--out", "p.json")
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})

    assert STALE == work.run("apply", "p.json").code
    assert 0 == work.run("state", "show", "course.a").code


def test_a_conflict_blocks_a_move(work: Workspace, platform: Platform) -> None:
    """A change by hand blocks a move that would overwrite it; it is read by the old address."""
    applied(work, "")
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    rename(work, "")
    work.course("b", "moved: [{from: course.a}]\n", edit=("Title of KEY", "From git"))

    assert "blocked" == actions(work.plan())["course.b"]


@pytest.mark.slow
def test_a_run_killed_after_the_move_goes_on(work: Workspace, platform: Platform) -> None:
    """A run killed after a move keeps all of it, and the next run plans the update again."""
    applied(work)
    rename(work, SHORT + "isbn: '1'\n")
    kill_apply(work, platform, "course.update", when="before")

    assert 0 == work.apply().code
    assert (["The course"], 3) == (
        platform.titles(),
        len(platform.dump("completionCriteria")) + len(platform.dump("purchasePaths")),
    )
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize(
    ("moved", "code"),
    [
        ("course.c", "moved-present"),
        ("license.c", "moved-kind"),
        ("a", "moved-kind"),
    ],
)
def test_a_move_that_cannot_be_is_a_mistake(work: Workspace, moved: str, code: str) -> None:
    """A move that cannot be made is reported offline, where it stands."""
    work.course("b", f"moved: [{{from: {moved}}}]\n")
    work.course("c")

    done = work.run("validate")

    assert (INVALID, True) == (done.code, f"error[{code}] course.b" in done.out)


TWO_LESSONS = """\
resource: course
key: a
kind: courseGroup
title: Two lessons
status: {status}
sections:
  - id: start
    title: Start
    lessons:
      - id: one
        title: One
        openType: open
        topics:
          - {{id: stays, title: Stays, type: text, markdown: It stays}}
{first}
      - id: two
        title: Two
        openType: open
        topics:
          - {{id: check, title: Check, type: quiz}}
{second}
"""
MOVES = "          - {id: goes, title: Goes, type: text, markdown: It goes}"


def moved_topic(work: Workspace, status: str) -> Workspace:
    """A course that was applied, with a topic that has gone to another lesson since."""
    work.write("a.yaml", TWO_LESSONS.format(status=status, first=MOVES, second=""))
    assert 0 == work.apply().code
    work.write("a.yaml", TWO_LESSONS.format(status=status, first="", second=MOVES))
    return work


def test_a_topic_that_goes_to_another_lesson(work: Workspace):
    """A moved topic is told as what it is: made anew, and the old one left to be deleted."""
    text = moved_topic(work, "draft").run("plan").out
    assert "“Goes” moves from `start/one` to `start/two`: the platform cannot move a topic" in text
    assert "by hand: page “Goes” in “One”" in text


def test_a_move_waits_where_learners_would_lose_progress(work: Workspace):
    """In a published course a move is blocked until `--allow` names the course."""
    (blocked,) = moved_topic(work, "published").plan()["changes"]
    assert ("blocked", True) == (blocked["action"], "`--allow course.a`" in blocked["reasons"][0])
    (allowed,) = work.plan("--allow", "course.a")["changes"]
    assert "update" == allowed["action"]
    assert any("learners' progress in it is lost" in reason for reason in allowed["reasons"])


PART_MOVES = (
    "moved: [{from: start/one, to: start/first}, {from: start/first/check, to: start/first/test}]\n"
)


def test_parts_with_other_ids_are_the_parts_that_were_there(
    work: Workspace, platform: Platform
) -> None:
    """A lesson and a topic in it: nothing is sent, also where a criterion names them."""
    applied(work)
    text = (work.root / "a.yaml").read_text("utf-8")
    text = text.replace("id: one", "id: first").replace("start/one/check", "start/first/test")
    work.write("a.yaml", PART_MOVES + text.replace("{id: check,", "{id: test,"))

    plan = work.plan()
    assert (0, 0) == (plan["calls"]["total"], counted(plan).get("blocked", 0))
    assert 0 == work.apply().code
    assert {"unchanged": 5} == counted(work.plan())
    assert 1 == len(platform.dump("lessons"))
