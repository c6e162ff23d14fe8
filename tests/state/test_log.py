"""The log of a state: every row that is recorded follows from it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lmssync.address import Address
from lmssync.errors import LmssyncError, StateError
from lmssync.kind import ManualStep
from lmssync.state import (
    CallStatus,
    Counts,
    Proof,
    Store,
    at,
    entries,
    exported,
    open_store,
    verify,
)

from ..making import course, record, resource
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
    st.builds(lambda k: lambda s: s.put([record(course(k))], reason="test"), KEYS),
    st.builds(lambda o, k: lambda s: s.intend(call(o, part(k), part("c"))), OPS, KEYS),
    st.builds(lambda o, x: lambda s: s.outcome(o, x, {"answer": {"x": 1}}), OPS, STATUSES),
    st.builds(
        lambda o, k, x: lambda s: s.settle(o, [record(course(k))], status=x), OPS, KEYS, STATUSES
    ),
    st.builds(lambda o, k: lambda s: s.drop(o, {address(k): "refused"}), OPS, KEYS),
    st.builds(
        lambda k, w: lambda s: s.forget([address(k)], reason="t", wholly=w), KEYS, st.booleans()
    ),
    st.builds(lambda a, b: lambda s: s.move({address(a): address(b)}, because={}), KEYS, KEYS),
    st.builds(lambda k, on: lambda s: s.protect({address(k): on}), KEYS, st.booleans()),
    st.builds(lambda k: lambda s: s.ask({address(k): [ManualStep("logo", "draw one")]}), KEYS),
    st.builds(lambda k: lambda s: s.prove([proof(k)]), KEYS),
    st.builds(lambda k: lambda s: s.remember_forms({k: k}), KEYS),
    st.builds(
        lambda k: lambda s: s.confirm([address(k)], records=[record(course(k))], gone=[]), KEYS
    ),
)


@pytest.mark.parametrize("examples", [8, pytest.param(400, marks=pytest.mark.slow)])
def test_playing_the_log_gives_the_tables(tmp_path_factory: pytest.TempPathFactory, examples: int):
    """After any verbs, whether they were done or refused, the log gives what the tables say."""

    @settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(VERBS, max_size=12))
    def holds(verbs: list[Verb]) -> None:
        root = tmp_path_factory.mktemp("log")
        with closing(open_store("sqlite:///state.db", root, "sandbox")) as store:
            with store.locked():
                for verb in verbs:
                    before = store.rows.execute("SELECT count(*) FROM entry").fetchone()[0]
                    try:
                        verb(store)
                    except LmssyncError:
                        after = store.rows.execute("SELECT count(*) FROM entry").fetchone()[0]
                        assert before == after
            past = at(store, datetime.now(UTC) + timedelta(days=1))
            assert verify(store)
            assert exported(store) == exported(past)

    holds()


def test_each_transaction_is_one_entry(store: Store):
    """What is written together is one entry, with its rows; a proof is one as well."""
    with store.locked():
        store.put([record(course("a")), record(course("b"))], reason="test")
        store.prove([proof("a")])
    assert [("begin", True), ("record", True), ("prove", True)] == [
        (entry.type, bool(entry.rows)) for entry in store.entries()
    ]


def test_a_form_is_kept_once(store: Store):
    """A record that is what its call has sent adds no second copy of it to the log."""
    long = {**course("a"), "description": "".join(map(chr, range(0x4E00, 0x5E00)))}
    sent = call("1", part("a")._replace(kept_after=resource(long).packed))
    with store.locked():
        store.intend(sent)
        store.settle("1", [record(long)])
    _, intent, settled = (len(entry.rows) for entry in store.entries())
    assert (True, True) == (intent > 8000, settled < 1000)
    assert verify(store)


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
        (other_row, "its log does not give the row of moved that is there"),
    ],
)
def test_what_was_changed_is_named(tmp_path: Path, store: Store, harm: Any, said: str):
    """A changed entry, a gap, and a row that does not follow from the log are each named."""
    with store.locked():
        store.put([record(course("a"))], reason="test")
        store.move({address("a"): address("b")}, because={})
    with closing(sqlite3.connect(tmp_path / "state.db")) as db, db:
        harm(db)
    with pytest.raises(StateError, match=said):
        verify(store)


def test_a_segment_is_read_as_it_was_written(store: Store):
    """Entries come back from a segment with every byte; half a segment is refused."""
    with store.locked():
        store.intend(call())
    written = list(store.entries())
    segment = entries.encoded(written)
    assert written == entries.decoded(segment)
    with pytest.raises(StateError, match="cannot be read"):
        entries.decoded(segment[:-1])
