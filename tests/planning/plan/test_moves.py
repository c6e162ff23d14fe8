"""Moves in a plan: one action for each, and calls only for what changes besides."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.errors import WrongUse
from lmssync.planning import plan
from lmssync.planning.plan import Action, Plan
from lmssync.platform.live import LiveState
from lmssync.report.changes.plan_text import plan_text
from lmssync.state import Store
from tests.making import course, criterion, license_

from .planning import actions, calls, document, open_call, planned, topics

RULE = {"id": "r", "type": "coursePercentViewed", "percent": 80}


def moved(**fields: Any) -> dict[str, Any]:
    return course("new", moved=[{"from": "course.old"}], **fields)


def only(made: Plan) -> Any:
    (change,) = made.changes
    return change


def test_a_move_needs_no_call(store: Store):
    """A move needs no call, and its reason gives the old address."""
    made = planned(store, [moved()], [course("old")])
    change = only(made)
    assert (Action.MOVE, "cosmetic", []) == (change.action, change.effect, made.steps)
    assert ["it was course.old: the same thing under a new key"] == change.reasons
    assert made.does_anything


def test_what_changes_besides_is_sent(store: Store):
    """Fields that change with a move are sent under the new address."""
    made = planned(store, [moved(priceInCents=5)], [course("old")])
    assert (Action.MOVE, "commerce") == (only(made).action, only(made).effect)
    assert [(0, "course.update", ["new"])] == calls(made)


def test_what_only_a_person_can_change_is_told_with_it(store: Store):
    """If only a person can make the change that comes with a move, the move lists the step."""
    after = license_("new", moved=[{"from": "license.old"}], name="New")
    made = planned(store, [after], [license_("old")])
    assert (Action.MOVE, ["name"]) == (only(made).action, [m.field for m in only(made).manual])


def test_a_field_that_left_the_manifest_is_released_with_it(store: Store):
    """A field that left the manifest with a move is released."""
    made = planned(store, [moved()], [course("old", ribbon="a")])
    assert (Action.MOVE, ["new"]) == (only(made).action, [a.key for a in made.releases])


def test_everything_is_counted_once(store: Store):
    """Each resource is counted once; one that only refers to the moved course is unchanged."""
    made = planned(
        store,
        [moved(), license_(courses=["new"]), course("same"), course("fresh")],
        [course("old"), license_(courses=["old"]), course("same")],
    )
    counts = made.summary
    assert (1, 1, 2) == (counts["move"], counts["create"], counts["unchanged"])


def test_a_rule_about_a_new_topic_waits_for_it(store: Store):
    """A criterion waits only for a new topic; known topics are found under the old address."""
    after = moved(sections=topics("hello", "more"))
    made = planned(
        store,
        [
            after,
            criterion("x", course="new", type="courseTopicViewed", percent=None, topic="s/l/more"),
            criterion("y", course="new", type="courseTopicViewed", percent=None, topic="s/l/hello"),
        ],
        [course("old", sections=topics("hello"))],
    )
    assert [
        (0, "course.update", ["new"]),
        (0, "criteria.update", ["y"]),
        (1, "criteria.update", ["x"]),
    ] == calls(made)


def test_a_conflict_blocks_the_move(store: Store):
    """A conflict blocks the move of a course and of the criteria in it."""
    seen = {"course.new": LiveState(present=True, form={"title": "Theirs"})}
    made = planned(
        store,
        [moved(title="Ours", completionCriteria=[RULE])],
        [course("old", title="Old"), criterion("old.r", course="old")],
        seen=seen,
    )
    assert {"course.new": "blocked", "criterion.new.r": "blocked"} == actions(made)


def test_an_open_call_blocks_the_move(store: Store):
    """An open call of the old address blocks the move, and the reason names that address."""
    open_call(store, course("old"))
    made = planned(store, [moved(), criterion("own", course="new")])
    assert {"course.new": "blocked", "criterion.own": "blocked"} == actions(made)
    assert "`lmssync resolve course.old`" in made.changes[0].reasons[-1]


def test_a_move_is_saved(tmp_path: Path, store: Store):
    """A saved move keeps the old address and what was allowed."""
    protect = {"protect": True}
    made = planned(store, [moved(isbn="1", lifecycle=protect)], [course("old")], allow="course.new")
    plan.save_plan(made, tmp_path / "plan.json")
    again = plan.restore_plan(tmp_path / "plan.json")
    assert document(made, calls=True) == document(again, calls=True)
    assert (made.changes, plan_text(made)) == (again.changes, plan_text(again))
    assert (made.protections, plan.plan_digest(made)) == (
        again.protections,
        plan.plan_digest(again),
    )


def test_a_saved_move_without_its_old_address_is_damaged(tmp_path: Path, store: Store):
    """A saved move without its old address is refused as damaged."""
    file = tmp_path / "plan.json"
    plan.save_plan(planned(store, [moved()], [course("old")]), file)
    file.write_text(file.read_text().replace('"from"', '"form"'))
    with pytest.raises(WrongUse, match="damaged"):
        plan.restore_plan(file)


def test_a_mark_is_not_used_twice(store: Store):
    """A resource that moves keeps its mark, so a new one at the old address gets another."""
    first = planned(store, [course("old")]).steps[0].parts[0].marker
    made = planned(store, [moved()], [course("old")])
    with store.hold_state():
        store.move_records({i.was: i.address for i in made.changes if i.was}, because={})
    (part,) = planned(store, [moved(), course("old")]).steps[0].parts
    assert first != part.marker
    assert len(part.marker or "") == len(first or "")
