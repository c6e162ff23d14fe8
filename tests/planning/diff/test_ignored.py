"""Fields that a manifest leaves to others once the resource is made."""

from typing import Any

import pytest

from lmssync.planning import diff
from lmssync.planning.diff import Change
from lmssync.state import Store
from tests.making import catalog, course, criterion, record, resource


def ignoring(*names: str, **fields: Any) -> dict[str, Any]:
    return course(lifecycle={"ignore": list(names)}, **fields)


def changes(store: Store, before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    with store.hold_state():
        store.put_records([record(before)], reason="test")
    return diff.find_changes(catalog(after), store)


@pytest.mark.parametrize("fields", [{"isbn": "2"}, {"isbn": None}, {}, {"isbn": "1"}])
def test_a_field_that_is_ignored_never_differs(store: Store, fields: dict[str, Any]):
    """Whether it is changed, cleared, gone or the same."""
    assert [] == changes(store, course(isbn="1"), ignoring("isbn", **fields))


def test_a_field_that_was_never_sent_is_ignored_too(store: Store):
    """What is ignored is sent when the resource is made, and at no other time."""
    assert [] == changes(store, course(), ignoring("isbn", isbn="1"))


def test_other_fields_differ(store: Store):
    """And what will be recorded has the value of the ignored one that was sent."""
    (change,) = changes(store, course(isbn="1", ribbon="a"), ignoring("isbn", isbn="2", ribbon="b"))
    assert ["ribbon"] == [field.path for field in change.fields]
    assert ("1", "b") == (change.after["isbn"], change.after["ribbon"])


def test_what_was_never_sent_is_not_recorded(store: Store):
    """The record stays honest."""
    (change,) = changes(store, course(ribbon="a"), ignoring("isbn", isbn="2", ribbon="b"))
    assert "isbn" not in change.after


def test_a_new_type_sets_every_field_anew(store: Store):
    """The old value would mean nothing in it."""
    before = criterion(type="articleTimeViewedInSeconds", percent=None, seconds=60)
    after = resource(criterion(lifecycle={"ignore": ["percent"]}))
    assert 80 == diff.wanted_form(after, record(before).form)["percent"]
