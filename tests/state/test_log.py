"""The log of a state: every row that is recorded follows from it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lmssync.errors import LmssyncError, StateError
from lmssync.kind import ManualStep
from lmssync.resource import Address
from lmssync.state import (
    CallStatus,
    Counts,
    Proof,
    Store,
    export_state,
    log_entries,
    open_store,
    state_at_moment,
    verify_log,
)
from tests.making import course, record, resource

from .test_journal import call, part

KEYS = st.sampled_from("abc")
OPS = st.sampled_from("123")
STATUSES = st.sampled_from(list(CallStatus))


def address(key: str) -> Address:
    return Address("course", key)


def proof(key: str) -> Proof:
    print_ = record(course(key)).fingerprint
    return Proof(address(key), print_, ("course.read",), "", {}, Counts(3, 2, 0, 1))


Verb = Callable[[Store], Any]
VERBS: st.SearchStrategy[Verb] = st.one_of(
    st.builds(lambda k: lambda s: s.put_records([record(course(k))], reason="test"), KEYS),
    st.builds(lambda o, k: lambda s: s.write_intent(call(o, part(k), part("c"))), OPS, KEYS),
    st.builds(lambda o, x: lambda s: s.write_outcome(o, x, {"answer": {"x": 1}}), OPS, STATUSES),
    st.builds(
        lambda o, k, x: lambda s: s.settle_call(o, [record(course(k))], status=x),
        OPS,
        KEYS,
        STATUSES,
    ),
    st.builds(lambda o, k: lambda s: s.drop_parts(o, {address(k): "refused"}), OPS, KEYS),
    st.builds(
        lambda k, w: lambda s: s.forget_addresses([address(k)], reason="t", wholly=w),
        KEYS,
        st.booleans(),
    ),
    st.builds(
        lambda a, b: lambda s: s.move_records({address(a): address(b)}, because={}), KEYS, KEYS
    ),
    st.builds(lambda k, on: lambda s: s.set_protections({address(k): on}), KEYS, st.booleans()),
    st.builds(
        lambda k: lambda s: s.keep_requests({address(k): [ManualStep("logo", "draw one")]}), KEYS
    ),
    st.builds(lambda k: lambda s: s.keep_proofs([proof(k)]), KEYS),
    st.builds(lambda k: lambda s: s.remember_forms({k: k}), KEYS),
    st.builds(
        lambda k: lambda s: s.confirm_steps([address(k)], records=[record(course(k))], gone=[]),
        KEYS,
    ),
)


@pytest.mark.parametrize(
    "examples",
    [
        8,
        pytest.param(60, marks=pytest.mark.slow),
        pytest.param(400, marks=pytest.mark.exhaustive),
    ],
)
def test_playing_the_log_gives_the_tables(tmp_path_factory: pytest.TempPathFactory, examples: int):
    """After any verbs, whether they were done or refused, the log gives what the tables say."""

    @settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(VERBS, max_size=12))
    def holds(verbs: list[Verb]) -> None:
        root = tmp_path_factory.mktemp("log")
        with closing(open_store("sqlite:///state.db", root, "sandbox")) as store:
            with store.hold_state():
                for verb in verbs:
                    before = store.db.execute("SELECT count(*) FROM entry").fetchone()[0]
                    try:
                        verb(store)
                    except LmssyncError:
                        after = store.db.execute("SELECT count(*) FROM entry").fetchone()[0]
                        assert before == after
            past = state_at_moment(store, datetime.now(UTC) + timedelta(days=1))
            assert verify_log(store)
            assert export_state(store) == export_state(past)

    holds()


def test_each_transaction_is_one_entry(store: Store):
    """What is written together is one entry, with its rows; a proof is one as well."""
    with store.hold_state():
        store.put_records([record(course("a")), record(course("b"))], reason="test")
        store.keep_proofs([proof("a")])
    assert [("begin", True), ("record", True), ("prove", True)] == [
        (entry.type, bool(entry.rows)) for entry in store.log_entries()
    ]


def test_a_form_is_kept_once(store: Store):
    """A record that is what its call has sent adds no second copy of it to the log."""
    long = {**course("a"), "description": "".join(map(chr, range(0x4E00, 0x5E00)))}
    sent = call("1", part("a")._replace(kept_after=resource(long).packed_form))
    with store.hold_state():
        store.write_intent(sent)
        store.settle_call("1", [record(long)])
    _, intent, settled = (len(entry.rows) for entry in store.log_entries())
    assert (True, True) == (intent > 8000, settled < 1000)
    assert verify_log(store)


def changed(db: sqlite3.Connection) -> None:
    db.execute("UPDATE entry SET data = '{}' WHERE seq = 2")


def taken_out(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM entry WHERE seq = 2")


def other_row(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM moved")
    db.execute("DELETE FROM seal WHERE part = 'moved'")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (changed, "entry 2 of its log is not as it was written"),
        (taken_out, "entry 2 of its log is missing"),
        (other_row, "its row of moved differs from what its log gives"),
    ],
)
def test_what_was_changed_is_named(tmp_path: Path, store: Store, harm: Any, said: str):
    """A changed entry, a gap, and a row that does not follow from the log are each named."""
    with store.hold_state():
        store.put_records([record(course("a"))], reason="test")
        store.move_records({address("a"): address("b")}, because={})
    with closing(sqlite3.connect(tmp_path / "state.db")) as db, db:
        harm(db)
    with pytest.raises(StateError, match=said):
        verify_log(store)


def test_a_segment_is_read_as_it_was_written(store: Store):
    """Entries come back from a segment with every byte; half a segment is refused."""
    with store.hold_state():
        store.write_intent(call())
    written = list(store.log_entries())
    segment = log_entries.encode_segment(written)
    assert written == log_entries.decode_segment(segment)
    with pytest.raises(StateError, match="cannot be read"):
        log_entries.decode_segment(segment[:-1])
