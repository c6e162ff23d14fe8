"""One log in a backend, and replicas of it: what is written, by whom, and what survives."""

import json
import re
import sqlite3
import subprocess
import sys
import textwrap
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from lmssync.errors import Fenced, StateError, StateLocked
from lmssync.resource import Address
from lmssync.state import (
    CallStatus,
    Store,
    leases,
    log_entries,
    replica,
    shared_log,
    state_tables,
    verify_log,
)
from lmssync.state.backends import Snapshot
from tests.making import course, record
from tests.served_catalog import wait_until

from .conftest import Open
from .file_backend import FileBackend
from .test_journal import call, open_ops

A = Address("course", "a")


def put(store: Store, key: str) -> None:
    store.put_records([record(course(key))], reason="test")


def types(log: FileBackend) -> list[list[str]]:
    """The types of the entries in each segment."""
    return [[entry.type for entry in log_entries.decode_segment(segment)] for segment in log.read()]


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits is handed in by the next call or the end, however slow this machine is."""
    monkeypatch.setattr(shared_log, "WAITS", 3600.0)
    monkeypatch.setattr("lmssync.state.shared_log._PAUSES", (0.0, 0.0))


def outlived(patch: pytest.MonkeyPatch, holder: Store) -> None:
    """The clocks of others say that the lease of a run is over, which goes on all the same."""
    ends = holder.log._lease.until
    patch.setattr(leases.Lease, "lasts", property(lambda lease: lease.until > ends))


def test_what_one_writes_the_other_reads(one: Store, opened: Open):
    """What one machine has recorded is there on another one."""
    with one.hold_state():
        put(one, "a")
    with opened("other", read_only=True) as other:
        assert ({A}, one.lineage) == (set(other.fingerprints()), other.lineage)


def test_a_settled_call_is_settled_elsewhere(one: Store, opened: Open):
    """A row that was written several times is, when replayed, as it was written last."""
    with one.hold_state():
        one.write_intent(call("1"))
        one.write_outcome("1", CallStatus.ACKNOWLEDGED, {})
        one.settle_call("1", [record(course("a"))])
    with opened("other", read_only=True) as other:
        assert [] == open_ops(other)


def test_a_reader_of_nothing_begins_nothing(opened: Open, log: FileBackend):
    """Who only reads a backend without a log appends nothing to it."""
    with opened("one", read_only=True) as store:
        assert (True, []) == (store.is_empty, types(log))


def test_an_intent_is_in_the_backend_before_it_is_sent(one: Store, log: FileBackend):
    """When an intent was written down, everybody finds it in the backend."""
    with one.hold_state():
        one.write_intent(call())
        assert ["intent"] == types(log)[-1]


def test_an_outcome_goes_with_the_next_intent(one: Store, log: FileBackend):
    """The outcome of one call and the intent of the next are one append."""
    with one.hold_state():
        one.write_intent(call("1"))
        one.write_outcome("1", CallStatus.ACKNOWLEDGED, {})
        one.settle_call("1", [record(course("a"))])
        one.write_intent(call("2"))
    assert ["outcome", "settled", "intent"] == types(log)[-2]


def test_what_waits_is_handed_in_during_a_pause(
    one: Store, log: FileBackend, monkeypatch: pytest.MonkeyPatch
):
    """What no call follows for a while is handed in all the same."""
    monkeypatch.setattr(shared_log, "WAITS", 0.0)
    with one.hold_state():
        put(one, "a")
        wait_until(lambda: ["record"] in types(log), "the record")
        assert ["record"] == types(log)[-1]


def test_a_second_run_is_told_who_holds_it(one: Store, other: Store):
    """A second run is refused, and told who holds the state, where, since when and until when."""
    with one.hold_state(), pytest.raises(StateLocked) as caught, other.hold_state():
        pass
    who = rf"{leases.read_user_name()}@\S+ \(process \d+, run \w+\) since \S+ until \S+"
    assert re.search(who, caught.value.message)


def test_a_second_run_of_the_same_checkout(one: Store, opened: Open):
    """A second run of the same checkout is refused as well; reading goes on."""
    with one.hold_state():
        put(one, "a")
        with opened("one") as again:
            assert {A} == set(again.fingerprints())
            with pytest.raises(StateLocked, match="on this machine"), again.hold_state():
                pass


def test_a_lease_is_renewed(one: Store, log: FileBackend, monkeypatch: pytest.MonkeyPatch):
    """A run that goes on renews its lease, whatever it waits for."""
    monkeypatch.setattr(leases, "RENEWED", 0.0)
    with one.hold_state():
        first = leases.current_lease(one.db).until
        wait_until(lambda: leases.current_lease(one.db).until > first, "a renewal")
    assert {"lease", "begin"} == {type_ for segment in types(log) for type_ in segment}


def test_a_second_run_waits(one: Store, other: Store, told: list[str]):
    """With patience, a second run says for whom it waits, and goes on when that one ends."""
    other.patience = 60

    def end(text: str) -> None:
        told.append(text)
        stack.close()

    other.log._tell = end
    with ExitStack() as stack:
        stack.enter_context(one.hold_state())
        with other.hold_state() as fence:
            assert (2, True) == (fence, "waiting up to 60 s: the state files:log" in told[-1])


def test_a_lease_that_is_over_is_taken_over(
    one: Store, other: Store, monkeypatch: pytest.MonkeyPatch
):
    """A run that says nothing any more is taken over; what it tries to announce is refused."""

    def run() -> None:
        with one.hold_state():
            outlived(monkeypatch, one)
            with other.hold_state():
                put(other, "a")
            one.write_intent(call())

    with pytest.raises(Fenced, match="has taken over"):
        run()
    with other.hold_state():
        assert [] == other.open_calls()


def test_an_overtaken_run_fails_though_it_announces_nothing(
    one: Store, other: Store, monkeypatch: pytest.MonkeyPatch
):
    """A run that was overtaken says so at its end, since what it has recorded is not kept."""

    def run() -> None:
        with one.hold_state():
            outlived(monkeypatch, one)
            with other.hold_state():
                pass
            put(one, "a")

    with pytest.raises(Fenced):
        run()


def test_the_machine_of_an_overtaken_run_goes_on(
    one: Store, other: Store, opened: Open, monkeypatch: pytest.MonkeyPatch
):
    """What never got into the log does not make the state of everybody look like an older one."""

    def run() -> None:
        with one.hold_state():
            put(one, "a")
            one.write_intent(call())
            outlived(monkeypatch, one)
            put(one, "b")
            with other.hold_state():
                pass

    with pytest.raises(Fenced):
        run()
    one.close()
    with opened("one") as again:
        again.check_age()
        assert {A} == set(again.fingerprints())


def test_what_was_not_handed_in_is_kept_beside(
    one: Store, other: Store, opened: Open, told: list[str], monkeypatch: pytest.MonkeyPatch
):
    """If another run has gone on, ids that were not handed in are in a file, and people told."""

    def run() -> None:
        with one.hold_state():
            outlived(monkeypatch, one)
            one.write_intent(call())
            one.write_outcome("1", CallStatus.ACKNOWLEDGED, {"answer": {"courseIds": ["C-17"]}})
            with other.hold_state():
                pass

    with pytest.raises(Fenced):
        run()
    one.close()
    with opened("one") as again:
        (file,) = again.file.parent.glob("*not-handed-in*")
        (line,) = json.loads(file.read_text())
        assert ["intent"] == [call.status for call in again.open_calls()]
    assert ["C-17"] == line["data"]["answer"]["courseIds"]
    assert any(str(file) in text for text in told)


def test_what_waits_is_handed_in_by_the_next_run(
    one: Store, opened: Open, log: FileBackend, monkeypatch: pytest.MonkeyPatch
):
    """What a killed run had not handed in, the next run of this machine hands in first."""
    monkeypatch.setattr(one.log, "_release_lease", lambda: None)
    with one.hold_state():
        put(one, "a")
    one.close()
    assert ["lease"] == types(log)[-1]
    with opened("one") as again, again.hold_state():
        assert ["record", "lease"] == types(log)[-1]


class LostAnswer(FileBackend):
    """Keeps what it gets, and says that it could not."""

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        """The answer is lost on the way."""
        super().append(number, segment)
        raise StateError("the connection broke")


class Silent(FileBackend):
    """Cannot be reached any more."""

    def append(self, number: int, segment: bytes, about: str = "") -> bool:
        """Nothing is kept."""
        raise StateError(f"no answer to {number}, {len(segment)} bytes")


class Mute(LostAnswer):
    """Keeps the first thing that it gets, and is never heard of again."""

    def read(self, after: int = 0) -> Iterator[bytes]:
        """Nobody gets through."""
        raise StateError(f"no answer after {after}")


def through(store: Store, backend: type[FileBackend], log: FileBackend) -> None:
    store.log._backend = backend(log.folder)


def test_a_lost_answer_is_found_out(one: Store, other: Store, log: FileBackend):
    """If the answer of an append is lost, what is kept counts, and the run goes on."""
    with one.hold_state():
        through(one, LostAnswer, log)
        one.write_intent(call("1"))
        one.write_intent(call("2"))
    with other.hold_state():
        assert ["1", "2"] == [call.op for call in other.open_calls()]


def test_what_is_not_acknowledged_is_not_announced(one: Store, log: FileBackend):
    """If the backend cannot be reached, no call is announced, and the message says how to go on."""

    def run() -> None:
        with one.hold_state():
            through(one, Silent, log)
            one.write_intent(call())

    with pytest.raises(StateError) as caught:
        run()
    assert ([], True) == (one.open_calls(), "nothing was sent after this" in caught.value.hint)


def test_before_anything_was_sent_that_is_said(one: Store, log: FileBackend):
    """A backend that refuses the lease is told with its remedy, and nothing of what comes later."""
    through(one, Silent, log)
    with pytest.raises(StateError, match="no answer to") as caught, one.hold_state():
        pass
    assert caught.value.hint.endswith("; nothing was sent")


def test_a_backend_that_is_silent_for_long_is_not_asked_again(
    one: Store, log: FileBackend, monkeypatch: pytest.MonkeyPatch
):
    """A minute is enough: each further attempt may take as long as the one before."""
    monkeypatch.setattr("lmssync.state.shared_log._ENOUGH", -1.0)
    asked: list[int] = []

    class Counting(Silent):
        def append(self, number: int, segment: bytes, about: str = "") -> bool:
            asked.append(number)
            return super().append(number, segment)

    through(one, Counting, log)
    with pytest.raises(StateError), one.hold_state():
        pass
    assert 1 == len(asked)


def test_whoever_waits_for_a_backend_is_told(
    opened: Open, told: list[str], monkeypatch: pytest.MonkeyPatch
):
    """A backend that takes its time is named, so that nobody takes the run for dead."""
    monkeypatch.setattr("lmssync.state.shared_log._QUIET", 0.0)
    monkeypatch.setattr(FileBackend, "snapshot", lambda _: wait_until(lambda: bool(told), "a word"))
    with opened("one"):
        assert "waiting for an answer of files:log" == told[0]


def test_a_lease_is_given_back_where_nothing_can_be_written(
    one: Store, other: Store, monkeypatch: pytest.MonkeyPatch
):
    """A full disk of one machine keeps no other machine from going on, and is said."""

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorname = "SQLITE_FULL"
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(replica, "note_handed_in", full)
        with pytest.raises(StateError, match="full") as caught, one.hold_state():
            pass
    assert "free some disk space" in caught.value.hint
    with other.hold_state(), pytest.raises(StateLocked), one.hold_state():
        pass


def test_what_stopped_a_run_is_what_is_said(one: Store, log: FileBackend):
    """The reason for which a run ends is not hidden by a lease that cannot be given back."""

    def run() -> None:
        with one.hold_state():
            through(one, Silent, log)
            raise ValueError("the reason")

    with pytest.raises(ValueError, match="the reason"):
        run()


def test_what_was_done_is_kept_though_the_backend_is_gone(
    one: Store, opened: Open, log: FileBackend
):
    """An outcome is recorded here although the backend cannot be reached, and handed in later."""

    def run() -> None:
        with one.hold_state():
            one.write_intent(call())
            through(one, Silent, log)
            one.write_outcome("1", CallStatus.ACKNOWLEDGED, {"answer": {"courseIds": ["C"]}})

    with pytest.raises(StateError):
        run()
    one.close()
    with opened("one") as again, again.hold_state():
        assert (["outcome", "lease"], CallStatus.ACKNOWLEDGED) == (
            types(log)[-1],
            again.open_calls()[0].status,
        )


def test_what_follows_a_lost_answer_is_not_lost(one: Store, opened: Open, log: FileBackend):
    """What a run records after an append of which it never heard is handed in by the next run."""

    def run() -> None:
        with one.hold_state():
            one.write_intent(call("1"))
            through(one, Mute, log)
            with suppress(StateError):
                one.write_intent(call("2"))
            one.write_outcome("1", CallStatus.ACKNOWLEDGED, {"answer": {"courseIds": ["C"]}})

    with pytest.raises(StateError):
        run()
    one.close()
    with opened("one") as again, again.hold_state():
        assert [("1", "acknowledged"), ("2", "intent")] == [
            (call.op, call.status) for call in again.open_calls()
        ]


KILLED = """
    import os, sys
    from pathlib import Path
    from lmssync.state import backends
    from lmssync.state import open_store, shared_log
    from tests.state.file_backend import open_files
    from tests.state.test_journal import call
    backends._SCHEMES = {"files": open_files}
    store = open_store("files:log", Path(sys.argv[1]), "sandbox")
    with store.hold_state():
        kept = shared_log.append_durably
        shared_log.append_durably = lambda *a, **m: kept(*a, **m) and os.kill(os.getpid(), 9)
        store.write_intent(call())
"""


def test_a_run_killed_between_backend_and_replica(one: Store, opened: Open, tmp_path: Path):
    """A run that is killed once the backend has its intent leaves a call that waits, everywhere."""
    one.close()
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / "one")]
    assert -9 == subprocess.run(command, check=False).returncode
    for machine in ("one", "other"):
        with opened(machine, read_only=True) as store:
            assert [call()] == store.open_calls()
    with opened("one") as again, again.hold_state() as fence:
        assert 2 == fence


def test_a_replica_that_was_only_begun_hinders_nobody(
    opened: Open, log: FileBackend, tmp_path: Path
):
    """Who reads after a run that ended before the log had begun finds an empty state."""
    with opened("one", read_only=True) as store:
        file = store.file
    state_tables.open_for_writing(file, tmp_path / "one", own_log=False).close()
    with opened("one", read_only=True) as store:
        assert (True, []) == (store.is_empty, types(log))


@pytest.mark.parametrize("moment", ["held", "announced"])
def test_a_full_disk_is_not_taken_for_damage(one: Store, other: Store, moment: str):
    """What others have done, or this run does, has no room here: that is said, and goes on then."""
    with one.hold_state():
        one.put_records([record(course(f"c{number}")) for number in range(200)], reason="test")
    if moment == "announced":
        with other.hold_state():  # and so caught up
            pass
    other.db.execute("PRAGMA max_page_count = 1")  # no more than it has
    full = pytest.raises(StateError, match="cannot be written: database or disk is full")
    with full as e, other.hold_state():
        other.put_records([record(course(f"d{number}")) for number in range(200)], reason="test")
    assert "free some disk space and run again" in e.value.hint
    other.db.execute("PRAGMA max_page_count = 1073741823")
    with other.hold_state():
        assert set(one.fingerprints()) == set(other.fingerprints())


def spoilt(file: Path) -> None:
    file.write_bytes(b"no database" * 1000)


def other_rows(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE resource SET ids = '{}'")


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("break_", [spoilt, gone])
def test_a_replica_is_made_anew(one: Store, opened: Open, break_: Any):
    """A replica that cannot be read is put aside, and made anew from the backend."""
    with one.hold_state():
        put(one, "a")
    one.close()
    break_(one.file)
    with opened("one", read_only=True) as again:
        assert {A} == set(again.fingerprints())


def test_damage_that_a_reader_meets_is_repaired_by_the_next(one: Store, opened: Open):
    """Damage to a row is told with the remedy, and the next run reads the row from the backend."""
    with one.hold_state():
        put(one, "a")
    one.close()
    other_rows(one.file)
    with opened("one", read_only=True) as again, pytest.raises(StateError, match="damaged") as e:
        again.find_record(A)
    assert "run again" in e.value.hint
    with opened("one", read_only=True) as again:
        assert again.find_record(A)


def test_a_backend_with_an_older_log_is_noticed(
    one: Store, opened: Open, log: FileBackend, told: list[str]
):
    """If somebody has put an older log back, it is said, and a plan is refused as for a file."""
    with one.hold_state():
        put(one, "a")
    one.close()
    for file in sorted(log.folder.iterdir())[1:]:
        file.unlink()
    with opened("one", read_only=True) as again:
        with pytest.raises(StateError, match="older than the one that was here before"):
            again.check_age()
        assert (True, True) == (again.is_empty, "has less of the log" in told[0])


def test_a_backend_with_another_log_is_noticed(
    one: Store, other: Store, opened: Open, log: FileBackend, told: list[str]
):
    """If a backend has the log of another state, the replica of this one is put aside."""
    with one.hold_state():
        put(one, "a")
    one.close()
    for file in log.folder.iterdir():
        file.unlink()
    with opened("third") as third, third.hold_state():
        put(third, "b")
    with opened("one", read_only=True) as again:
        assert {"b"} == {address.key for address in again.fingerprints()}
    assert "has another log" in told[0]


def test_a_new_replica_begins_with_the_snapshot(
    one: Store, opened: Open, log: FileBackend, monkeypatch: pytest.MonkeyPatch
):
    """A snapshot spares a new replica the segments before it; the history is still whole."""
    monkeypatch.setattr(replica, "SNAPSHOT_EVERY", 3)
    with one.hold_state():
        put(one, "a")
        one.write_intent(call("1"))
    with one.hold_state():
        put(one, "b")
    with opened("other") as other:
        assert ({"a", "b"}, 1) == (
            {address.key for address in other.fingerprints()},
            bool(replica.known_position(other.db).base),
        )
        assert [event.seq for event in one.journal_history()] == [
            event.seq for event in other.journal_history()
        ]
        assert verify_log(other).entries == verify_log(one).entries


def test_an_entry_that_was_changed_in_the_backend(one: Store, opened: Open, log: FileBackend):
    """A changed entry in the backend is named, and nobody goes on from it."""
    with one.hold_state():
        put(one, "a")
    (changed,) = [
        (number, log_entries.decode_segment(segment))
        for number, segment in enumerate(log.read(), 1)
        if b"record" in str(types(log)[number - 1]).encode()
    ]
    number, (first, *rest) = changed
    file = log.folder / f"{number:06}"
    file.write_bytes(log_entries.encode_segment([first._replace(data='{"reason": "x"}'), *rest]))
    with pytest.raises(StateError, match=f"entry {first.seq} of its log is not as it was written"):
        verify_log(one)
    with pytest.raises(StateError, match="the log of the state files:log is damaged"):
        opened("third")


def test_a_replica_stays_where_the_backend_is_damaged(
    one: Store, told: list[str], opened: Open, log
):
    """What this machine knows is not put aside for a log that nobody can read."""
    with one.hold_state():
        put(one, "a")
    last = max(log.folder.iterdir())
    last.write_bytes(b"x" + last.read_bytes())
    with pytest.raises(StateError, match="files:log is damaged: a segment of its log cannot be"):
        opened("one")
    assert [] == told


def test_the_backend_gets_no_secret(opened: Open, log: FileBackend):
    """The key of people is in no segment, and not in the replica."""
    with opened("one", env={"LMSSYNC_PEOPLE_KEY": "5e" * 32}) as one, one.hold_state():
        put(one, "a")
        code = one.codes.code_of("ann@x.example")
        file = one.file
    kept = b"".join(file.read_bytes() for file in (*log.folder.iterdir(), file))
    assert (False, False) == ("5e" * 32 in str(kept), "5e" * 8 in str(kept))
    with opened("other", env={"LMSSYNC_PEOPLE_KEY": "5e" * 32}) as other:
        assert code == other.codes.code_of("ann@x.example")


@pytest.mark.parametrize(
    ("key", "match"), [("", "not the key to the codes"), ("aa" * 32, "made with another key")]
)
def test_another_key_is_refused(opened: Open, key: str, match: str):
    """Who has no key of people, or another one, is told so before a code is made with it."""
    with opened("one", env={"LMSSYNC_PEOPLE_KEY": "5e" * 32}):
        pass
    with (
        opened("other", env={"LMSSYNC_PEOPLE_KEY": key}) as other,
        pytest.raises(StateError, match=match),
    ):
        other.codes.code_of("ann@x.example")


def forged(packed: object) -> bytes:
    """Rows of an entry, with other JSON at their beginning."""
    head = zlib.compress(packed if isinstance(packed, bytes) else json.dumps(packed).encode())
    return len(head).to_bytes(4, "big") + head


LEASED = json.dumps({"digest": "00", "lease": {}})
EMPTY: dict[str, object] = {"rows": [], "columns": {}}
FORGED = {
    "two entries": {"twice": True},
    "another type": {"type": "record"},
    "no JSON": {"data": "{"},
    "no object": {"data": "[]"},
    "deep": {"data": "[" * 50_000 + "]" * 50_000},
    "no lease": {"data": "{}"},
    "lease of numbers": {"data": json.dumps({"digest": "00", "lease": {"until": 5}})},
    "no digest": {"data": json.dumps({"digest": "x", "lease": {}})},
    "large number": {"seq": 2**63 + 1},
    "no rows": {"rows": forged([])},
    "another row": {"rows": forged({"rows": [["meta", 5, {}]], "columns": {"meta": ["key"]}})},
    "large value": {
        "rows": forged({"rows": [["meta", ["x"], ["x", 2**63]]], "columns": {"meta": ["key", "v"]}})
    },
    "bomb": {"rows": forged(b"[" + b"[]," * 9_000_000 + b"[]]")},
    "brackets": {"rows": forged(b"[" + b"[]," * 1_500_000 + b"[]]")},
}


@pytest.mark.parametrize("changes", FORGED.values(), ids=FORGED)
def test_a_forged_snapshot_is_damage(opened: Open, log: FileBackend, changes: dict[str, Any]):
    """Whoever can write to a backend cannot bring about a traceback, or fill the memory."""
    twice = changes.get("twice", False)
    values = {"data": LEASED, "rows": forged(EMPTY), "seq": 1, "type": "snapshot"} | changes
    values.pop("twice", None)
    entry = log_entries.LogEntry(
        values["seq"], "", 0, values["type"], "", values["data"], "", values["rows"]
    ).follow_entry(b"")
    log.keep_snapshot(Snapshot(1, log_entries.encode_segment([entry] * (2 if twice else 1))))
    tracemalloc.start()
    try:
        with pytest.raises(StateError, match="the log of the state files:log is damaged"):
            opened("third")
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
