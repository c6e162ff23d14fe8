"""Steps for people are written with their cause and closed only when a person confirms them."""

import pytest

from lmssync.errors import StateError
from lmssync.kind import CallPart, ManualStep
from lmssync.resource import Address
from lmssync.state import JournaledCall, Record, Store
from tests.making import course, record

A, B = Address("course", "a"), Address("course", "b")
LOGO = ManualStep("logo", "set the logo")
OTHER = ManualStep("source", "set the source")


def made(key: str = "a", *leaves: ManualStep) -> Record:
    """A record whose creation leaves something to a person."""
    return record(course(key))._replace(leaves=leaves or [LOGO])


def told(store: Store, *, include_forgotten: bool = False) -> list[tuple[Address, str]]:
    return [
        (step.address, step.manual.field)
        for step in store.open_steps(include_forgotten=include_forgotten)
    ]


def test_what_a_creation_leaves_is_recorded_with_it(store: Store):
    """A step that a create leaves is recorded with the time from which it is open."""
    with store.hold_state():
        store.put_records([made()], reason="test")
    (step,) = store.open_steps()
    assert (A, LOGO, True) == (step.address, step.manual, step.lasting)
    assert step.since


def test_it_is_written_with_the_record_or_not_at_all(store: Store):
    """If the steps of a call cannot be written, its record is not written either."""
    part = CallPart(A, record(course("a")).packed, adds=True)
    with store.hold_state():
        store.write_intent(JournaledCall("1", "course.create", {}, (part,), "", "", ""))
        store.db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON step BEGIN SELECT RAISE(FAIL, 'disk full'); END"
        )
        with pytest.raises(StateError, match="disk full"):
            store.settle_call("1", [made()])
    assert (None, [A]) == (
        store.find_record(A),
        [m.address for op in store.open_calls() for m in op.parts],
    )


def test_a_later_record_leaves_them_open(store: Store):
    """An update does not close the steps that a create left."""
    with store.hold_state():
        store.put_records([made()], reason="test")
        store.put_records([record(course("a", isbn="2"))], reason="test")
    assert [(A, "logo")] == told(store)


def test_confirming_closes_all_of_an_address_and_no_other(store: Store):
    """Confirming closes all steps of one address, and the journal says what is recorded now."""
    with store.hold_state():
        store.put_records([made("a", LOGO, OTHER), made("b")], reason="test")
        store.confirm_steps([A], records=[record(course("a", isbn="2"))], gone=[])
    assert [(B, "logo")] == told(store)
    found = store.find_record(A)
    assert found
    assert "2" == found.form["isbn"]
    last = list(store.journal_entries())[-1]
    assert ("done", ["course.a"], []) == (last.type, last.data["addresses"], last.data["gone"])


def test_what_is_gone_is_dropped_with_its_ids(store: Store):
    """If a resource was deleted, its record goes with its steps, so it can be made anew."""
    with store.hold_state():
        store.put_records([made()], reason="test")
        store.set_protections({A: True})
        store.confirm_steps([A], records=[], gone=[A])
    assert (None, set(), []) == (
        store.find_record(A),
        store.protected_addresses(),
        told(store, include_forgotten=True),
    )


def test_steps_sleep_with_what_has_left_the_catalog(store: Store):
    """Steps sleep while their resource is out of the catalog and return with it."""
    with store.hold_state():
        store.put_records([made()], reason="test")
        store.forget_addresses([A], reason="left the catalog")
        assert ([], [(A, "logo")]) == (told(store), told(store, include_forgotten=True))
        store.put_records([record(course("a"))], reason="it is back")
    assert [(A, "logo")] == told(store)


def test_what_is_forgotten_wholly_has_no_steps(store: Store):
    """A resource forgotten with its ids has no steps, since nothing would close them."""
    with store.hold_state():
        store.put_records([made(), made("b")], reason="test")
        store.forget_addresses([A], reason="state forget", wholly=True)
    assert [(B, "logo")] == told(store, include_forgotten=True)


def test_steps_move_along(store: Store):
    """Steps move with their resource and keep the time from which they are open."""
    with store.hold_state():
        store.put_records([made()], reason="test")
        before = store.open_steps()
        store.move_records({A: B}, because={})
    assert [step._replace(address=B) for step in before] == store.open_steps()


def test_what_an_apply_finds_takes_the_place_of_what_the_last_one_found(store: Store):
    """The steps of an apply replace those of the last one; older ones keep their time."""
    with store.hold_state():
        store.put_records([made("a"), record(course("b"))], reason="test")
        store.keep_requests({A: [LOGO, OTHER], B: [OTHER]})
        first = {step.address: step.since for step in store.open_steps() if step.manual == OTHER}
        store.keep_requests({B: [OTHER, LOGO]})
    assert [(A, "logo"), (B, "logo"), (B, "source")] == told(store)
    assert first[B] == store.open_steps()[-1].since


def test_nothing_is_written_where_the_same_is_found(store: Store):
    """If an apply finds the same steps again, nothing is written to the journal."""
    with store.hold_state():
        store.put_records([made()], reason="test")
        store.keep_requests({A: [LOGO], B: [OTHER]})
        lines = len(list(store.journal_entries()))
        store.keep_requests({A: [LOGO], B: [OTHER]})
    assert lines == len(list(store.journal_entries()))
