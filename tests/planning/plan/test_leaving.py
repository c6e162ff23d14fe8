"""What leaves the catalog is let go; if it still binds learners or sells, a person removes it."""

from typing import Any

import pytest

from lmssync.planning.plan import PlannedChange
from lmssync.resource import Address
from lmssync.state import Store
from tests.making import UUID, course, criterion, license_, path

from .planning import actions, planned

COURSE, RULE = Address("course", "safety"), Address("criterion", "safety.most")


def only(store: Store, desired: list[Any], recorded: list[Any]) -> PlannedChange:
    (change,) = planned(store, desired, recorded).changes
    return change


@pytest.mark.parametrize(
    ("part", "effect", "text"),
    [
        (criterion(), "progress", "completion criterion “View 80 % of the course”"),
        (path(), "commerce", "delete the purchase path “Buy”"),
        (criterion(course=UUID), "progress", f"of course `{UUID}` in the admin interface"),
    ],
    ids=["criterion", "path", "outside"],
)
def test_what_stays_in_force_is_a_step_for_a_person(
    store: Store, part: dict[str, Any], effect: str, text: str
):
    """A criterion or path that leaves is a step for a person, since no route deletes it (O11)."""
    made = planned(store, [course()], [course(), part])
    (change,) = made.changes
    (step,) = change.manual
    assert ("manual", effect, []) == (change.action, change.effect, made.steps)
    assert text in step.text
    assert not made.does_anything


@pytest.mark.parametrize(
    ("document", "effect", "told"),
    [
        (course(), "access", "everybody who can see it still can"),
        (course(priceInCents=500), "commerce", "for the same price"),
        (course(priceInCents=500, purchasable=False), "access", "who can see it still can"),
        (license_(), "access", "their seats stay taken"),
    ],
)
def test_what_is_let_go_says_what_stays(
    store: Store, document: dict[str, Any], effect: str, told: str
):
    """A course or license that leaves is let go, and the reason says what people keep."""
    change = only(store, [], [document])
    assert ("forget", effect) == (change.action, change.effect)
    assert change.reasons[0].startswith("no longer managed; the platform keeps it: ")
    assert told in change.reasons[0]


def test_what_leaves_with_its_course_is_not_asked_for(store: Store):
    """What leaves together with its course needs no step; the course's reason lists it."""
    made = planned(store, [], [course(), criterion(), path()])
    whole, *parts = made.changes
    assert {"forget"} == set(actions(made).values())
    assert (
        "these still apply: “View 80 % of the course” (criterion.safety.most), "
        in whole.reasons[-1]
    )
    assert all("no longer managed, like its course" in part.reasons[0] for part in parts)
    assert 0 == made.by_hand


def test_what_left_with_a_protected_course_waits_for_it(store: Store):
    """Allowing the course to leave allows it for everything in it."""
    with store.hold_state():
        store.set_protections({COURSE: True})
    made = planned(store, [], [course(), criterion()])
    assert [("blocked", "protect")] * 2 == [(i.action, i.guard) for i in made.changes]
    allowed = planned(store, [], allow="course.safety")
    assert {"forget"} == set(actions(allowed).values())


def test_its_course_may_move_at_the_same_time(store: Store):
    """If the course moves in the same plan, the step uses its new key."""
    moved = course("new", moved=[{"from": "course.safety"}])
    made = planned(store, [moved], [course(), criterion()])
    assert {"course.new": "move", "criterion.safety.most": "manual"} == actions(made)
    (step,) = made.changes[1].manual
    assert "of course `new`" in step.text


def test_what_belongs_to_a_course_that_is_not_managed_is_let_go(store: Store):
    """If the course is no longer managed, its criterion is let go without a step."""
    change = only(store, [], [criterion()])
    assert ("forget", 0) == (change.action, len(change.manual))
    assert "no longer managed, like course.safety, to which" in change.reasons[0]


def test_what_is_protected_is_not_asked_for_before_a_word(store: Store):
    """A protected criterion that leaves is blocked, with the effect that its removal would have."""
    rule = criterion()
    with store.hold_state():
        store.set_protections({RULE: True})
    change = only(store, [course()], [course(), rule])
    assert ("blocked", "progress", []) == (
        change.action,
        change.effect,
        list(change.manual),
    )
