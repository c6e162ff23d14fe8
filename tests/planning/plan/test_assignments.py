"""Assignments in a plan: alone in their calls, in waves, and blocked if options are missing."""

from typing import Any

from lmssync.kind import Effect
from lmssync.planning.plan import fields_of_change
from lmssync.state import Store
from lmssync.vocabulary.limits import USERS_PER_SUBLICENSE as MOST
from tests.making import UUID

from .planning import actions, calls, planned


def assignment(key: str, *people: str, **fields: Any) -> dict[str, Any]:
    users = [{"email": f"{person}@x.example"} for person in people]
    plain = {"resource": "licenseAssignment", "key": key, "licenses": [UUID], "users": users}
    return plain | fields


def crowd(count: int) -> list[str]:
    return [f"p{n:05}" for n in range(count)]


def test_each_travels_alone(store: Store):
    """Each assignment has calls of its own, since a call has one rule for all enrollments."""
    made = planned(store, [assignment("a", "ann"), assignment("b", "bob")])
    assert [["a"], ["b"]] == [keys for *_, keys in calls(made)]


def test_a_crowd_goes_in_several_calls(store: Store):
    """Several calls follow each other, and the last one leads to what is desired."""
    made = planned(store, [assignment("a", *crowd(2 * MOST + 1))])
    assert [MOST, MOST, 1] == [len(step.body()["users"]) for step in made.steps]
    assert sorted({step.phase for step in made.steps}) == [step.phase for step in made.steps]
    assert [True, False, False] == [step.parts[0].creates for step in made.steps]


def test_a_crowd_is_shown_as_it_is_written(store: Store):
    """Which people each call is about is no field of the manifest."""
    made = planned(store, [assignment("a", *crowd(MOST + 1))])
    assert ["licenses", "users"] == sorted(
        one.path for one in fields_of_change(made, made.changes[0])
    )


def test_an_empty_one_asks_for_nothing(store: Store):
    """An empty assignment leads to neither a call nor a record."""
    made = planned(store, [assignment("a")])
    assert ({"assignment.a": "unchanged"}, []) == (actions(made), list(made.steps))
    assert not made.has_changes


def test_it_may_not_take_anything_away_unasked(store: Store):
    """If licenses would be lost without options, the reason says what to write."""
    made = planned(store, [assignment("a")], [assignment("a", "ann")])
    (change,) = made.changes
    assert {"assignment.a": "blocked"} == actions(made)
    assert "enrollmentOptions" in change.reasons[0]


def test_deleted_progress_is_told(store: Store):
    """Deleted progress is shown as the effect of the change, and in its reasons."""
    options = {"preserveEnrollments": False, "preserveProgress": False}
    after = assignment("a", enrollmentOptions=options)
    (change,) = planned(store, [after], [assignment("a", "ann")]).changes
    assert Effect.PROGRESS is change.effect
    assert "permanently deleted" in change.reasons[0]


def test_what_a_clone_does_not_bring_is_told(store: Store):
    """A clone needs a call, and also leaves a step for a person."""
    client = {"resource": "client", "key": "c", "cloneOf": UUID, "name": "C"}
    (change,) = planned(store, [client]).changes
    assert ("create", ["notCopied"]) == (change.action, [s.field for s in change.manual])
