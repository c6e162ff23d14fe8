"""The entries of the log: one for each durable transaction, chained by their digests."""

import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson

from ..vocabulary.iso_dates import parse_moment
from . import row_changes, sealed_rows
from .damage import StateDamaged, state_damaged
from .state_records import JournalEntry

TABLE = """
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    op TEXT NOT NULL,
    fence INTEGER NOT NULL,
    type TEXT NOT NULL,
    time TEXT NOT NULL,
    data TEXT NOT NULL,
    run TEXT NOT NULL DEFAULT '',
    rows BLOB NOT NULL DEFAULT x'',
    digest BLOB NOT NULL DEFAULT x''
);
CREATE TABLE replica (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    base INTEGER NOT NULL,
    base_digest BLOB NOT NULL,
    snapshot INTEGER NOT NULL,
    lease TEXT NOT NULL
);
INSERT INTO replica VALUES (1, 0, 0, 0, x'', 0, '');
"""
BEGIN, SNAPSHOT, LEASE, CLAIM, PROVE, FORMS, FORWARD, ROWS, PAIR = (
    "begin",
    "snapshot",
    "lease",
    "claim",
    "prove",
    "forms",
    "forward",
    "rows",
    "pair",
)
QUIET = (BEGIN, SNAPSHOT, LEASE, CLAIM, PROVE, FORMS)
"""Types of entries about the log itself, or of no recorded change: no history shows them."""
_FIELDS = "seq, op, fence, type, time, data, run, rows, digest"
_FORMAT = b"lmssync.segment/1\n"
_LENGTHS = struct.Struct(">II")
_TYPES = [int, str, int, str, str, str, str]
"""Of the fields before the rows."""
_TYPES_DATA = 5
"""The place of the data in them."""


def now_utc() -> str:
    """This moment as entries of the log have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class LogEntry(NamedTuple):
    """One transaction."""

    seq: int
    """The position in the log, which counts from 1."""
    op: str
    fence: int
    type: str
    time: str
    data: str
    """JSON."""
    run: str
    """Which run wrote it."""
    rows: bytes = b""
    """The rows that it wrote and removed, as `row_changes.pack_changes` packs them."""
    digest: bytes = b""
    """Of all of this and of the entry before: empty until it follows one."""

    def follow_entry(self, before: bytes) -> "LogEntry":
        """The entry with its digest, as the follower of an entry that has the digest `before`."""
        return self._replace(digest=sealed_rows.row_digest(before, *self[:-1]))

    @property
    def as_journal_entry(self) -> JournalEntry:
        return JournalEntry(*self[:5], orjson.loads(self.data))


class Head(NamedTuple):
    """The last entry of a log, as far as the next one must know it."""

    seq: int = 0
    digest: bytes = b""


START = Head()


def last_entry(db: sqlite3.Connection) -> Head:
    """The last entry that a file has, or that it was made from."""
    query = "SELECT seq, digest FROM entry ORDER BY seq DESC LIMIT 1"
    row = db.execute(query).fetchone()
    return Head(*(row or db.execute("SELECT base, base_digest FROM replica").fetchone()))


def insert_entry(db: sqlite3.Connection, entry: LogEntry) -> None:
    marks = ", ".join("?" * len(entry))
    db.execute(f"INSERT INTO entry ({_FIELDS}) VALUES ({marks})", entry)


def read_entries(db: sqlite3.Connection, after: int = 0) -> Iterator[LogEntry]:
    """The entries of a file that follow that position."""
    query = f"SELECT {_FIELDS} FROM entry WHERE seq > ? ORDER BY seq"
    return map(LogEntry._make, db.execute(query, (after,)))


def read_announced(
    db: sqlite3.Connection, seconds: float
) -> Iterator[tuple[float, dict[str, Any]]]:
    """What was announced to be sent since then, with its age in seconds, the latest first."""
    now = datetime.now(UTC)
    query = "SELECT time, data FROM entry WHERE type IN ('intent', 'rows') ORDER BY seq DESC"
    for time, text in db.execute(query):
        age = (now - parse_moment(time)).total_seconds()
        # The latest come first, so all that follow are older still.
        if age > seconds:
            return
        yield age, orjson.loads(text)


def digest_at(db: sqlite3.Connection, seq: int) -> bytes | None:
    """The digest of the entry at a position, if the file has it or was made from it."""
    row = db.execute("SELECT digest FROM entry WHERE seq = ?", (seq,)).fetchone()
    # A replica that was made from a snapshot has no entry before it, and knows its digest alone.
    row = row or db.execute("SELECT base_digest FROM replica WHERE base = ?", (seq,)).fetchone()
    return row[0] if row else None


def begin_log(db: sqlite3.Connection) -> None:
    """Adds the first entry, with every row that there is."""
    rows = row_changes.pack_changes(db, row_changes.list_every_row(db))
    first = LogEntry(1, "", 0, BEGIN, now_utc(), "{}", "", rows)
    insert_entry(db, first.follow_entry(b""))


def check_chain(entries: Iterable[LogEntry], last: Head = START) -> Iterator[LogEntry]:
    """Passes entries on; raises `StateDamaged` where one is missing or was changed."""
    for entry in entries:
        if entry.seq != last.seq + 1:
            raise state_damaged(f"entry {last.seq + 1} of its log is missing")
        if entry.follow_entry(last.digest).digest != entry.digest:
            raise state_damaged(f"entry {entry.seq} of its log is not as it was written")
        last = Head(entry.seq, entry.digest)
        yield entry


def encode_segment(entries: Iterable[LogEntry]) -> bytes:
    """A segment: entries as a backend keeps them."""
    pieces = [_FORMAT]
    for entry in entries:
        about = (*entry[:7], entry.digest.hex())
        text = zlib.compress(orjson.dumps(about), 1)
        pieces += [_LENGTHS.pack(len(text), len(entry.rows)), text, entry.rows]
    return b"".join(pieces)


def decode_segment(segment: bytes) -> list[LogEntry]:
    """The entries of a segment; raises `StateDamaged` for anything else."""
    try:
        return list(_decode_entries(segment)) or _refuse_nothing()
    except (StateDamaged, struct.error, zlib.error, ValueError, TypeError) as error:
        raise state_damaged(f"a segment of its log cannot be read: {error}") from error


def _refuse_nothing() -> list[LogEntry]:
    raise ValueError("it is empty")


def _decode_entries(segment: bytes) -> Iterator[LogEntry]:
    if not segment.startswith(_FORMAT):
        raise ValueError("it does not begin as one of lmssync does")
    at = len(_FORMAT)
    while at < len(segment):
        text, rows = _LENGTHS.unpack_from(segment, at)
        at += _LENGTHS.size
        *fields, digest = row_changes.read_packed_json(segment[at : at + text])
        at += text + rows
        if at > len(segment):
            raise state_damaged("its end is missing")
        # A segment comes from a backend that others can write to. The types are compared exactly,
        # before anything is made of the values.
        if [*map(type, fields)] != _TYPES:
            raise state_damaged("it has the wrong fields")
        if not isinstance(orjson.loads(fields[_TYPES_DATA]), dict):
            raise state_damaged("its data are no JSON object")
        yield LogEntry._make([*fields, segment[at - rows : at], bytes.fromhex(digest)])
