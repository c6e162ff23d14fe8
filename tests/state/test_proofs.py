"""Proofs are written in the place of earlier ones, and are no change of what is recorded."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.resource import Address
from lmssync.state import Counts, Proof, Store, open_store, proofs, state_store
from lmssync.state.proofs import ProofTotals
from tests.making import course, record

A, B = Address("course", "a"), Address("course", "b")
TOPIC = "sections[start].lessons[welcome].topics[hello]"


def proof(address: Address = A, **fields: object) -> Proof:
    counts = Counts(fields=10, proven=6, noticed=1, unverifiable=3)
    return Proof(address, "f", ("course.read",), counts=counts)._replace(**fields)  # type: ignore[arg-type]  # any of its fields


def proven(store: Store, *proofs: Proof) -> None:
    with store.hold_state():
        store.keep_proofs(proofs)


def test_a_proof_is_kept_whole(store: Store):
    """A proof that was written is read as it was written, with the time of writing."""
    marks = {TOPIC: "2026-01-02T03:04:05Z"}
    proven(store, proof(marks=marks))
    kept = store.find_proofs()[A]
    assert proof(marks=marks, proved_at=kept.proved_at) == kept
    assert kept.proved_at


def test_a_later_proof_takes_the_place_of_an_earlier_one(store: Store):
    """There is one proof of each resource: the last one."""
    proven(store, proof(proved_at="2026-01-01"), proof(B, proved_at="2026-01-01"))
    proven(store, proof(proved_at="2026-02-02"))
    times = {address: one.proved_at for address, one in store.find_proofs().items()}
    assert {A: "2026-02-02", B: "2026-01-01"} == times


def test_a_proof_is_no_change(store: Store):
    """Neither the serial nor the journal grows with a proof, so saved plans stay valid."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        before = store.serial, len(list(store.journal_entries()))
        store.keep_proofs([proof()])
    assert before == (store.serial, len(list(store.journal_entries())))


def test_many_proofs_are_written_some_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch):
    """Each entry of the log has as many as the memory can hold."""
    monkeypatch.setattr(state_store, "_TOGETHER", 2)
    proven(store, *(proof(Address("course", name)) for name in "abcde"))
    entries = [entry for entry in store.log_entries() if entry.type == "prove"]
    assert [2, 2, 1] == [json.loads(entry.data)["count"] for entry in entries]
    assert set("abcde") == {address.key for address in store.find_proofs()}


@pytest.mark.parametrize("together", [1, 1000])
def test_counts_leave_out_what_is_counted_anew(
    store: Store, monkeypatch: pytest.MonkeyPatch, together: int
):
    """The sum is that of what is managed, without some addresses."""
    monkeypatch.setattr(proofs, "_TOGETHER", together)
    with store.hold_state():
        store.put_records([record(course("a")), record(course("b"))], reason="test")
        kept = store.fingerprints()
        store.keep_proofs([proof(fingerprint=kept[A]), proof(B, fingerprint=kept[B])])
    assert Counts(20, 12, 2, 6) == store.proof_totals().counts
    assert Counts(10, 6, 1, 3) == store.proof_totals(without=[A]).counts


def test_what_has_no_proof_of_its_form_is_uncounted(store: Store):
    """Neither what was never compared, nor what was compared as it was before."""
    with store.hold_state():
        store.put_records([record(course("a")), record(course("b"))], reason="test")
        store.keep_proofs([proof(fingerprint="of before")])
    assert ProofTotals(Counts(), [], [A, B]) == store.proof_totals()


def test_only_what_a_route_shows_counts_as_unread(store: Store):
    """A record that was counted and not read is unread, unless no route shows a field of it."""
    with store.hold_state():
        store.put_records([record(course("a")), record(course("b"))], reason="test")
        kept = store.fingerprints()
        hidden = Counts(fields=4, unverifiable=4)
        store.keep_proofs(
            [
                proof(fingerprint=kept[A], readings=()),
                Proof(B, kept[B], counts=hidden),
            ]
        )
    assert 1 == store.proof_totals().unread


def test_proofs_are_written_under_the_lock(store: Store):
    """Without the lock, no proof is written."""
    with pytest.raises(StateError, match="only while it is locked"):
        store.keep_proofs([proof()])


def test_a_proof_moves_along(store: Store):
    """A resource that moves to another address takes its proof along."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.keep_proofs([proof()])
        store.move_records({A: B}, because={})
    assert [B] == list(store.find_proofs())


@pytest.mark.parametrize(("wholly", "left"), [(False, [A]), (True, [])])
def test_what_is_forgotten_wholly_has_no_proof(store: Store, *, wholly: bool, left: list[Address]):
    """A proof is dropped together with the ids, and kept while they are kept."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.keep_proofs([proof()])
        store.forget_addresses([A], reason="test", wholly=wholly)
    assert left == list(store.find_proofs())


def test_a_changed_proof_is_damage(tmp_path: Path, store: Store):
    """A proof that was changed by anything else is reported as damage."""
    proven(store, proof())
    store.close()
    with closing(sqlite3.connect(tmp_path / "state.db")) as file, file:
        file.execute("UPDATE proof SET proved_at = '2030-01-01'")
    with (
        closing(open_store("sqlite:///state.db", tmp_path, "sandbox")) as again,
        pytest.raises(StateError, match="a row of proof is not as it was written"),
    ):
        again.find_proofs()
