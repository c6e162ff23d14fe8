"""The journal as events: each entry becomes a word, addresses and a reason."""

from typing import Any

import pytest

from lmssync.errors import StateError
from lmssync.resource import Address
from lmssync.state import CallStatus, Event, Store
from tests.making import course, record

from .test_journal import call, part

A, B = Address("course", "a"), Address("course", "b")


def told(store: Store) -> list[tuple[str, list[str], str]]:
    """Word, addresses and note of each event."""
    return [(event.what, list(event.addresses), event.note) for event in store.journal_history()]


def last(store: Store) -> Event:
    return store.journal_history()[-1]


def test_a_call_is_sent_answered_and_recorded(store: Store):
    """The entries of one call all say what it was about, and by which plan."""
    with store.hold_state():
        store.write_intent(call())
        store.write_outcome("1", CallStatus.ACKNOWLEDGED, {"answer": {}})
        store.settle_call("1", [record(course("a"))])
    assert ["sent", "answered", "recorded"] == [event.what for event in store.journal_history()]
    assert {("course.create", "plan", "commit", ("course.a",))} == {
        (event.route, event.plan, event.commit, tuple(event.addresses))
        for event in store.journal_history()
    }


@pytest.mark.parametrize(
    ("status", "data", "wanted"),
    [
        (CallStatus.UNKNOWN, {"doubt": "it was cut"}, ("unknown", "it was cut")),
        (CallStatus.UNKNOWN, {}, ("unknown", "its outcome is unknown")),
        (CallStatus.SETTLED, {"fate": "unsent", "message": "no route"}, ("unsent", "no route")),
        (CallStatus.SETTLED, {"fate": "rejected", "message": "bad sku"}, ("refused", "bad sku")),
    ],
)
def test_how_a_call_ended(store: Store, status: CallStatus, data: Any, wanted: tuple[str, str]):
    """An outcome is told with what the platform, or the network, has said."""
    with store.hold_state():
        store.write_intent(call())
        store.write_outcome("1", status, data)
    assert wanted == (last(store).what, last(store).note)


@pytest.mark.parametrize(
    ("because", "note"), [({"adopted": "ID"}, "it is ID"), ({"done": "course.a"}, "it was done")]
)
def test_what_a_person_has_said_of_a_call(store: Store, because: Any, note: str):
    """An answer of a person to an open call is told as that."""
    with store.hold_state():
        store.write_intent(call())
        store.settle_call("1", [record(course("a"))], because=because)
    assert ("said", ["course.a"], note) == told(store)[-1]


def test_a_person_says_that_it_was_not_created(store: Store):
    """What a person has declared absent is told so, not as a refusal of the platform."""
    with store.hold_state():
        store.write_intent(call("1", part("a"), part("b")))
        store.drop_parts("1", {A: "a person says: not created"})
        store.drop_parts("1", {B: "no such tag"})
    assert [
        ("said", ["course.a"], "not created"),
        ("dropped", ["course.b"], "no such tag"),
    ] == told(store)[1:]


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [
        ("a person says: it is ID", ("said", "it is ID")),
        ("on the platform before it was recorded", ("adopted", "")),
        ("imported from the platform", ("imported", "")),
        ("pulled from the platform", ("pulled", "")),
        ("fields left the manifest", ("recorded", "fields left the manifest")),
    ],
)
def test_why_something_was_recorded(store: Store, reason: str, wanted: tuple[str, str]):
    """A record without a call is told by the word for its reason, or with the reason."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason=reason)
    assert wanted == (last(store).what, last(store).note)


def test_what_left_moved_and_is_protected(store: Store):
    """Moves, protections and what was forgotten are told with their addresses."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.set_protections({A: True})
        store.move_records({A: B}, because={"plan": "P", "commit": "C"})
        store.set_protections({B: False})
        store.forget_addresses([B], reason="left the catalog", wholly=True)
    assert [
        ("protected", ["course.a"], ""),
        ("moved", ["course.b"], ""),
        ("released", ["course.b"], ""),
        ("forgotten", ["course.b"], "left the catalog; also its ids"),
    ] == told(store)[1:]
    assert {"course.a": "course.b"} == store.journal_history()[2].moved


def test_an_entry_of_a_later_version_is_told_by_its_type(store: Store):
    """An entry of a type that is not known is shown, not hidden."""
    store.db.execute(
        "INSERT INTO entry (seq, op, fence, type, time, data)"
        " VALUES (2, '', 1, 'painted', '2027-01-01', '{}')"
    )
    assert [("painted", [], "")] == told(store)


@pytest.mark.parametrize("data", ["no json", "[1]", "{}"])
def test_a_damaged_journal_is_reported(store: Store, data: str):
    """An entry that cannot be read is an error in words."""
    store.db.execute(
        "INSERT INTO entry (seq, op, fence, type, time, data)"
        " VALUES (2, '', 1, 'intent', '2027-01-01', ?)",
        (data,),
    )
    with pytest.raises(StateError, match="is damaged"):
        store.journal_history()
