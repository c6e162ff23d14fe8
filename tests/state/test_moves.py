"""A record gets another address completely, or not at all."""

import pytest

from lmssync.errors import StateError
from lmssync.kind import CallPart
from lmssync.resource import Address, canonical_spelling, fingerprint_of
from lmssync.state import JournaledCall, Store, rename_in_form, spell_moves
from tests.making import course, criterion, license_, record

A, B = Address("course", "a"), Address("course", "b")
WHY = {"plan": "P", "commit": "C"}


def put(store: Store, *documents: dict[str, object]) -> None:
    store.put_records([record(data) for data in documents], reason="test")


def test_a_record_moves(store: Store):
    """A record moves with its ids, and its old address is free."""
    with store.hold_state():
        put(store, course("a"))
        store.move_records({A: B}, because=WHY)
    found = store.find_record(B)
    assert found
    assert (None, record(course("a")).ids) == (store.find_record(A), found.ids)


def test_what_mentions_it_says_the_new_address(store: Store):
    """Records that refer to a moved one get form and fingerprint of the new manifests."""
    with store.hold_state():
        put(store, course("a"), criterion("own", course="a"), license_(courses=["x", "a"]))
        store.move_records({A: B}, because=WHY)
    wanted = [record(criterion("own", course="b")), record(license_(courses=["x", "b"]))]
    found = [store.find_record(one.address) for one in wanted]
    assert [(w.form, w.fingerprint) for w in wanted] == [
        (f.form, f.fingerprint) for f in found if f
    ]
    assert all(f and f.fingerprint == fingerprint_of(canonical_spelling(f.packed)) for f in found)


def test_an_open_call_mentions_the_new_address(store: Store):
    """Open calls refer to the new address too, since recovery searches by references."""
    rule = record(criterion("own", course="a"))
    with store.hold_state():
        put(store, course("a"))
        store.write_intent(
            JournaledCall(
                "1", "criteria.update", {}, (CallPart(rule.address, rule.packed),), "", "", ""
            )
        )
        store.move_records({A: B}, because=WHY)
    ((part,),) = [call.parts for call in store.open_calls()]
    assert record(criterion("own", course="b")).packed == part.packed_after


def test_the_journal_tells_of_it(store: Store):
    """The journal says what moved where, and by which plan."""
    with store.hold_state():
        put(store, course("a"))
        store.move_records({A: B}, because=WHY)
    last = list(store.journal_entries())[-1]
    assert ("move", {"moved": {"course.a": "course.b"}, **WHY}) == (last.type, last.data)


@pytest.mark.parametrize("recorded", [[course("a"), course("b")], [course("b")]])
def test_a_move_that_cannot_be_changes_nothing(store: Store, recorded: list[dict[str, object]]):
    """If one move is impossible, none of the moves is made."""
    other = Address("course", "other")
    with store.hold_state():
        put(store, course("other"), *recorded)
        before = (store.serial, store.fingerprints())
        with pytest.raises(StateError):
            store.move_records({other: Address("course", "moved"), A: B}, because=WHY)
    assert before == (store.serial, store.fingerprints())


def test_what_was_forgotten_is_managed_again(store: Store):
    """A forgotten record that moves is managed again."""
    with store.hold_state():
        put(store, course("a"))
        store.forget_addresses([A], reason="left the catalog")
        store.move_records({A: B}, because=WHY)
    assert ({B}, set()) == (set(store.fingerprints()), store.forgotten_addresses())


def test_it_is_known_how_often_an_address_was_left(store: Store):
    """Each move away from an address is counted, since its mark stays on the platform."""
    with store.hold_state():
        put(store, course("a"))
        store.move_records({A: B}, because=WHY)
        put(store, course("a"))
        store.move_records({A: Address("course", "c")}, because=WHY)
    assert {A: 2} == store.count_moves_away()


def test_protection_moves_along(store: Store):
    """Protection moves with a record, and ends when the record is forgotten."""
    with store.hold_state():
        put(store, course("a"))
        store.set_protections({A: True})
        store.move_records({A: B}, because=WHY)
        assert {B} == store.protected_addresses()
        store.forget_addresses([B], reason="left the catalog")
    assert set() == store.protected_addresses()


def test_protection_can_be_taken_away(store: Store):
    """Protection is removed from one address only."""
    with store.hold_state():
        store.set_protections({A: True, B: True})
        store.set_protections({A: False})
    assert {B} == store.protected_addresses()


def test_a_form_that_mentions_nothing_is_the_same_bytes():
    """A form without references to the moved address is not packed again."""
    packed = record(course("a")).packed
    assert packed is rename_in_form(packed, spell_moves({A: B}))


def test_names_are_whole():
    """Only whole references are replaced: not those to `course.ab`, and none in texts."""
    data = license_(courses=["ab", "a"], label='{"$ref":"course.a"}')
    wanted = license_(courses=["ab", "b"], label='{"$ref":"course.a"}')
    assert record(wanted).packed == rename_in_form(record(data).packed, spell_moves({A: B}))
