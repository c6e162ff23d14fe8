"""A replica: the file that a state is read from while its log is kept in a backend."""

import json
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..errors import StateError
from . import leases, log_entries, row_changes
from .backends import Snapshot, StateBackend
from .damage import MADE_ANEW, StateDamaged, is_of_disk, state_damaged
from .log_entries import FORWARD, LEASE, SNAPSHOT, Head, LogEntry

SNAPSHOT_EVERY = 50
"""The number of segments after which a snapshot is written: a new replica reads at most so many."""


class Diverged(StateError):
    """The backend has another log than the replica knows of it."""


class Overtaken(Diverged):
    """The backend has the log that the replica knows, and then another run's entries in place of
    ours."""


class Known(NamedTuple):
    """The part of the backend's log that a replica has."""

    segment: int
    """The number of the last segment."""
    position: int
    """Of the last entry in it; what follows waits to be handed in."""
    base: int
    """Of the last entry in the snapshot that the replica was made from."""
    snapshot: int
    """The number of the last segment in the latest snapshot that is known."""


def known_position(db: sqlite3.Connection) -> Known:
    query = "SELECT segment, position, base, snapshot FROM replica"
    return Known(*db.execute(query).fetchone())


def waiting_entries(db: sqlite3.Connection) -> list[LogEntry]:
    """Entries that the backend has not got yet."""
    return list(log_entries.read_entries(db, known_position(db).position))


def note_handed_in(db: sqlite3.Connection, segment: int, last: LogEntry) -> None:
    """Remembers that the backend has them; to be called inside a transaction."""
    db.execute("UPDATE replica SET segment = ?, position = ?", (segment, last.seq))


def catch_up(db: sqlite3.Connection, backend: StateBackend) -> None:
    """Brings a replica up to the end of the log; raises `Diverged`, `StateDamaged`."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        if not log_entries.last_entry(db).seq:
            _begin_replica(db, backend.snapshot(), backend.place)
        now = known_position(db)
        # One segment more than is needed is read: the last one that the replica has must still be
        # there, and the same.
        segments = iter(backend.read(max(now.segment - 1, 0)))
        if now.segment:
            _compare_segment(db, now, next(segments, None), backend.place)
        for number, segment in enumerate(segments, now.segment + 1):
            with _of_backend(backend.place):
                told = log_entries.decode_segment(segment)
                _replay_entries(db, told, backend.place)
                note_handed_in(db, number, told[-1])


@contextmanager
def _of_backend(place: str) -> Iterator[None]:
    try:
        yield
    except StateDamaged as error:
        what = error.message.partition("is damaged: ")[2]
        # The remedy is another one than for a damaged replica.
        raise StateError(
            f"the log of the state {place} is damaged: {what}",
            "restore it there from a backup; nothing was sent",
        ) from error


def _compare_segment(db: sqlite3.Connection, now: Known, segment: bytes | None, place: str) -> None:
    """Refuses a log in which the last segment of the replica is not."""
    # Somebody has put an older log back, or another one.
    if segment is None:
        raise Diverged(f"{place} has less of the log of the state than it had before", MADE_ANEW)
    with _of_backend(place):
        there = log_entries.decode_segment(segment)
    if there[-1].digest != log_entries.digest_at(db, now.position):
        raise Diverged(f"{place} has another log of the state than it had before", MADE_ANEW)


def _replay_entries(db: sqlite3.Connection, told: Iterable[LogEntry], place: str) -> None:
    for entry in told:
        last = log_entries.last_entry(db)
        # What waited here may have been handed in, although the answer was lost: entries that the
        # replica has already must be the same, and the rest follow.
        if entry.seq > last.seq:
            list(log_entries.check_chain([entry], last))
            with _forged_as_damage(entry):
                log_entries.insert_entry(db, entry)
            play_entry(db, entry)
        elif entry.digest != log_entries.digest_at(db, entry.seq):
            what = "another run has gone on before this run had appended all its entries"
            raise Overtaken(f"{place}: {what}", MADE_ANEW)


def play_entry(db: sqlite3.Connection, entry: LogEntry) -> None:
    """Makes the changes of an entry; to be called inside a transaction, after the entries before
    it."""
    with _forged_as_damage(entry):
        if entry.type == SNAPSHOT:
            row_changes.remove_all_rows(db)
        row_changes.play_changes(db, entry.rows)
        if entry.type in {LEASE, FORWARD}:
            leases.keep_lease(db, leases.parse_lease(json.loads(entry.data)))


@contextmanager
def _forged_as_damage(entry: LogEntry) -> Iterator[None]:
    """Turns what an entry of somebody else brings about into `StateDamaged`."""
    try:
        yield
    except _FORGED as error:
        if is_of_disk(error):
            raise
        raise state_damaged(f"entry {entry.seq} of its log cannot be played: {error}") from error


_FORGED = (
    AttributeError,
    LookupError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
    sqlite3.Error,
    struct.error,
    zlib.error,
)
"""The errors that rows which lmssync did not write can cause."""


def _begin_replica(db: sqlite3.Connection, snapshot: Snapshot | None, place: str) -> None:
    if snapshot is None:
        return
    with _of_backend(place):
        entry, *more = log_entries.decode_segment(snapshot.content)
        if more or entry.type != SNAPSHOT:
            raise state_damaged("its snapshot was not written by lmssync")
        # A snapshot has no predecessor in this replica, so it is chained to an empty digest; the
        # digest of the log itself is in its data.
        list(log_entries.check_chain([entry], Head(entry.seq - 1)))
        play_entry(db, entry)
        with _forged_as_damage(entry):
            data = json.loads(entry.data)
            leases.keep_lease(db, leases.parse_lease(data["lease"]))
            digest = bytes.fromhex(data["digest"])
            db.execute(
                "UPDATE replica SET segment = ?, position = ?, base = ?, base_digest = ?, "
                "snapshot = ?",
                (snapshot.number, entry.seq, entry.seq, digest, snapshot.number),
            )


def due_snapshot(db: sqlite3.Connection, run: str) -> Snapshot | None:
    """All that a replica says, if a snapshot is due and nothing waits."""
    now, last = known_position(db), log_entries.last_entry(db)
    # A snapshot stands for whole segments. While entries wait, the replica is ahead of the last
    # one.
    if now.segment - now.snapshot < SNAPSHOT_EVERY or last.seq != now.position:
        return None
    lease = leases.current_lease(db)._replace(here=False)
    data = json.dumps({"digest": last.digest.hex(), "lease": lease._asdict()})
    rows = row_changes.pack_changes(db, row_changes.list_every_row(db))
    entry = LogEntry(last.seq, "", lease.fence, SNAPSHOT, log_entries.now_utc(), data, run, rows)
    return Snapshot(now.segment, log_entries.encode_segment([entry.follow_entry(b"")]))


def whole_log(db: sqlite3.Connection, backend: StateBackend) -> Iterator[LogEntry]:
    """The whole log: what the replica was made from is read from the backend."""
    now = known_position(db)
    if now.base:
        for segment in backend.read(0):
            for entry in log_entries.decode_segment(segment):
                if entry.seq > now.base:
                    break
                yield entry
            else:
                continue
            break
    yield from log_entries.read_entries(db)


ENDINGS = ("", "-wal", "-shm")


def put_aside(file: Path) -> Path:
    """Gives the file of a replica another name, with what lies beside it."""
    time = log_entries.now_utc().replace(":", "").replace("-", "").replace(".", "")
    # It is renamed, never deleted: what it had not handed in may be the only trace of what was
    # created.
    aside = file.with_name(f"{file.stem}.aside-{time}{file.suffix}")
    for ending in ENDINGS:
        part = file.with_name(f"{file.name}{ending}")
        if part.exists():
            part.rename(aside.with_name(f"{aside.name}{ending}"))
    return aside


def remove_replica(file: Path) -> None:
    """Deletes an empty replica; the next run makes it anew."""
    for ending in ENDINGS:
        file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)


def adopt_waiting_entries(db: sqlite3.Connection, left: Sequence[LogEntry], after: Known) -> bool:
    """Adds entries that the replica before this one had not handed in, if only the very run that
    wrote them has gone on in the backend: it lost an answer. To be called inside a transaction."""
    runs = {entry.run for entry in left}
    query = "SELECT DISTINCT run FROM entry WHERE seq > ?"
    if len(runs) != 1 or {run for (run,) in db.execute(query, (after.position,))} != runs:
        return False
    known_there = {entry.digest for entry in log_entries.read_entries(db, after.position)}
    for entry in left:
        if entry.digest not in known_there:
            last = log_entries.last_entry(db)
            again = entry._replace(seq=last.seq + 1).follow_entry(last.digest)
            log_entries.insert_entry(db, again)
            play_entry(db, again)
    lease = leases.current_lease(db)
    leases.keep_lease(db, lease._replace(here=lease.run in runs))
    return True
