"""Desired against recorded, and against live where it matters."""

from typing import Any

import pytest

from lmssync.planning import diff
from lmssync.planning.diff import Change, Difference, FieldChange
from lmssync.planning.diff.field_paths import compare_forms
from lmssync.platform.live import LiveState
from lmssync.state import Store
from tests.making import catalog, course, criterion, record


def changes(store: Store, recorded: list[Any], desired: list[Any]) -> list[Change]:
    with store.hold_state():
        store.put_records([record(data) for data in recorded], reason="test")
    return diff.find_changes(catalog(*desired), store)


def differences(found: list[Change]) -> dict[str, Difference]:
    return {str(change.address): change.difference for change in found}


def test_what_is_the_same_is_left_out(store: Store):
    """It was never opened."""
    assert [] == changes(store, [course()], [course()])


def test_new_changed_and_gone(store: Store):
    """Each by its word."""
    found = changes(store, [course("a"), course("b")], [course("a", isbn="1"), course("c")])
    assert {"course.a": "changed", "course.b": "gone", "course.c": "new"} == differences(found)


def test_a_change_has_both_sides(store: Store):
    """The record, the resource and the fields between them."""
    (change,) = changes(store, [course(isbn="1")], [course(isbn="2")])
    assert change.recorded
    assert change.desired
    assert [("isbn", "1", "2")] == [tuple(field) for field in change.fields]


def test_a_field_that_left_the_manifest_is_no_change(store: Store):
    """The fingerprint differs; there is nothing to do."""
    (change,) = changes(store, [course(isbn="1")], [course()])
    assert (Difference.SAME, ["isbn"]) == (change.difference, change.released)


def test_what_is_gone_comes_in_order(store: Store):
    """Of its address."""
    found = changes(store, [criterion(), course("b"), course("a")], [])
    assert ["course.a", "course.b", "criterion.safety.most"] == [str(c.address) for c in found]


def seen(store: Store, **proven: Any) -> Change:
    """A course whose title goes from A to B, as a read has shown it."""
    (change,) = changes(store, [course(title="A")], [course(title="B")])
    return diff.with_live(change, LiveState(present=True, form=proven))


def test_a_field_changed_in_git_and_on_the_platform_is_a_conflict(store: Store):
    """Recorded there, live there."""
    (conflict,) = seen(store, title="X").conflicts
    assert ("title", "A", "X") == (conflict.path, conflict.recorded, conflict.live)


@pytest.mark.parametrize("title", ["A", "B"])
def test_a_field_changed_on_one_side_is_none(store: Store, title: str):
    """Nor one that was changed on both sides to the same."""
    assert [] == list(seen(store, title=title).conflicts)


def test_a_field_that_git_leaves_alone_is_none(store: Store):
    """What others changed elsewhere in the course is theirs."""
    assert [] == list(seen(store, title="A", status="published").conflicts)


def test_what_the_platform_does_not_have_is_missing(store: Store):
    """It is told, not made again."""
    (change,) = changes(store, [course(title="A")], [course(title="B")])
    assert diff.with_live(change, LiveState(present=False, form={})).missing


def test_what_was_not_read_is_as_it_was(store: Store):
    """No read, no news."""
    (change,) = changes(store, [course(title="A")], [course(title="B")])
    assert change is diff.with_live(change, None)


ANN, BOB, EVE = ({"email": {"$person": letter * 16}} for letter in "abe")
M = "\N{MINUS SIGN}"
HELD = {"holds": ["uuid"]}


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ([ANN], [ANN], None),
        ([ANN, BOB], [BOB, ANN], None),
        ([], [ANN], ("0 people", "1 person (+1)")),
        ([ANN, BOB], [BOB], ("2 people", f"1 person ({M}1)")),
        ([ANN, BOB], [BOB, EVE], ("2 people", f"2 people (+1, {M}1)")),
        ([ANN], [{**ANN, "id": {"$person": "1" * 16}}], ("1 person", "1 person (1 changed)")),
        ([{**ANN, **HELD}, BOB], [ANN, EVE], ("2 people", f"2 people (+1, {M}1, 1 changed)")),
        ([{"email": "ann@x"}], [{"email": "bob@x"}], ("1 person", f"1 person (+1, {M}1)")),
    ],
)
def test_people_are_counted(before: Any, after: Any, found: tuple[str, str] | None):
    """Their order means nothing, and who shares an identifier is the same person."""
    expected = [FieldChange("users", *found)] if found else []
    assert expected == list(compare_forms({"users": before}, {"users": after}))
