"""The log played again from its beginning: to prove the tables, and to see what was once."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import datetime
from typing import Any, NamedTuple

from ..errors import WrongUse
from ..support.disk_buffer import DiskBuffer, read_kept_bytes
from ..vocabulary.iso_dates import parse_moment
from . import log_entries as entries, replica, row_changes, state_tables
from .backends import SharedState
from .damage import state_damaged
from .log_entries import LogEntry
from .state_reader import StateReader
from .state_store import Store


class Verified(NamedTuple):
    """The size of a log that was verified."""

    entries: int
    segments: int
    """In the backend; 0 where the file is the backend."""
    waiting: int
    """Entries that the backend has not got yet."""


def verify_log(store: StateReader) -> Verified:
    """Proves the whole log and all tables; raises `StateDamaged` for what is not as written."""
    with store.explain_errors():
        count = _compare_tables(store, entries.check_chain(store.log_entries()))
        if not store.shared:
            return Verified(count, 0, 0)
        segments = _same_in_backend(store, store.shared)
        return Verified(count, segments, count - replica.known_position(store.db).position)


def _compare_tables(store: StateReader, log: Iterable[LogEntry]) -> int:
    """How many entries there are, if playing them gives what the tables say."""
    db, count = state_tables.open_bare_tables(), 0
    for entry in log:
        replica.play_entry(db, entry)
        count += 1
    played, there = _all_rows(db), _all_rows(store.db)
    db.close()
    differing = sorted({k for k in played.keys() | there.keys() if played.get(k) != there.get(k)})
    if differing:
        table, *key = differing[0]
        raise state_damaged(f"its row of {table} differs from what its log gives: {' '.join(key)}")
    return count


def _all_rows(db: sqlite3.Connection) -> dict[tuple[str, ...], Any]:
    rows = row_changes.list_every_row(db)
    return {(table, *map(str, key)): values for table, key, values in rows}


def _same_in_backend(store: StateReader, shared: SharedState) -> int:
    """The number of segments in the backend; raises if one differs from the replica's entries."""
    count, last = 0, entries.START
    for segment in shared.backend.read(0):
        count += 1
        for entry in entries.check_chain(entries.decode_segment(segment), last):
            last = entries.Head(entry.seq, entry.digest)
            # None where the replica is behind the backend: another machine has written since. That
            # is no damage.
            ours = entries.digest_at(store.db, entry.seq)
            if ours not in {None, entry.digest}:
                raise state_damaged(
                    f"entry {entry.seq} of its log differs from that in {shared.backend.place}"
                )
    return count


class PastStore(Store):
    """A state as it was; nothing can be written to it."""

    def __init__(self, now: Store, db: sqlite3.Connection, last: LogEntry) -> None:
        StateReader.__init__(self, db, now.file)
        self.codes = now.codes.codes_in(db, now.file)
        self.last = last
        """The last entry that is in it."""

    def check_age(self) -> None:
        """Accepts every age: somebody has asked for an old state."""

    def refuse_written(self) -> None:
        """Accepts every file: this state is in memory, so nobody else can write it."""


def state_at_moment(store: Store, moment: datetime | int) -> PastStore:
    """The state as it was at a time, or at a serial; raises `WrongUse` if there was none."""
    with store.explain_errors():
        log = _keep_entries(entries.check_chain(store.log_entries()))
        seq = _seq_at(log, moment)
        db = state_tables.open_bare_tables()
        for kept in log[:seq]:
            replica.play_entry(db, kept.whole)
    if not _serial_of(db):
        db.close()
        timed = isinstance(moment, datetime)
        when = f"{moment:%Y-%m-%d %H:%M}" if timed else f"serial {moment}"
        begun = [kept.entry for kept in log if kept.rows]
        since = f"its log begins at {begun[0].time}" if begun else "its log has no entry yet"
        raise WrongUse(f"there is no state of {when}", since)
    return PastStore(store, db, log[seq - 1].entry)


class _KeptEntry(NamedTuple):
    """An entry whose rows are on the disk where there are many."""

    entry: LogEntry
    rows: bytes | Callable[[], bytes]

    @property
    def whole(self) -> LogEntry:
        return self.entry._replace(rows=read_kept_bytes(self.rows))


def _keep_entries(log: Iterable[LogEntry]) -> list[_KeptEntry]:
    """A log that is played once or twice: with its rows it would fill the memory."""
    spill = DiskBuffer()
    return [_KeptEntry(one._replace(rows=b""), spill.keep_bytes(one.rows)) for one in log]


def _seq_at(log: Sequence[_KeptEntry], moment: datetime | int) -> int:
    """How many entries were there by then; 0 if there is no such time or serial."""
    if isinstance(moment, datetime):
        times = ((kept.entry.seq, parse_moment(kept.entry.time)) for kept in log)
        return max((seq for seq, time in times if time <= moment), default=0)
    found = 0
    with closing(state_tables.open_bare_tables()) as db:
        for kept in log:
            replica.play_entry(db, kept.whole)
            found = kept.entry.seq if _serial_of(db) == str(moment) else found
    return found


def _serial_of(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = 'serial'").fetchone()
    return row[0] if row else ""
