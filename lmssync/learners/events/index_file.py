"""The index as a file: its tables, whose it is, how it is opened, and how events come into it.

Each event is in it once, with codes in the place of people.
"""

import hmac
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ...errors import StateError, StateLocked
from ...state import make_private, sqlite_uri
from ...support.persons import DIGITS
from ...vocabulary.enums import EventKind
from .feed_events import OF_LEARNERS, LearnerAction, LearnerEvent

FORMAT = 1
ENDING = ".learners.db"
"""Ending of the name of the file: `state.learners.db` is beside `state.db`."""
HOUR = 3_600_000
"""Milliseconds."""
_FEW_PAGES = 64
_GROWTH = 1.25
_PATIENCE = 10
"""Seconds for which another connection is waited for."""
_AGAIN = "delete the file and run `lmssync events pull`: all of it comes from the platform"
_CHECK = "check the folder's permissions and space"
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_CLOSED = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_FULL", "SQLITE_PERM")
_HALF_WRITTEN = {"SQLITE_READONLY_ROLLBACK", "SQLITE_READONLY_RECOVERY"}
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE feed (
  kind TEXT PRIMARY KEY, since INTEGER, until INTEGER, pulled INTEGER,
  walk_since INTEGER, walk_until INTEGER, walk_began INTEGER, walk_cursor TEXT
) WITHOUT ROWID;
CREATE TABLE person (
  who INTEGER PRIMARY KEY, code BLOB NOT NULL, client INTEGER NOT NULL, seen INTEGER NOT NULL
);
CREATE TABLE alias (code BLOB PRIMARY KEY, who INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE object (object INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE about (
  about INTEGER PRIMARY KEY, feed TEXT NOT NULL, type TEXT NOT NULL, source TEXT NOT NULL,
  action TEXT NOT NULL, subject INTEGER NOT NULL, part INTEGER NOT NULL, license INTEGER NOT NULL,
  UNIQUE (subject, action, part, license, feed, type, source)
);
CREATE TABLE event (
  at INTEGER, mark INTEGER, who INTEGER NOT NULL, about INTEGER NOT NULL,
  PRIMARY KEY (at, mark)
) WITHOUT ROWID;
CREATE TABLE place (
  subject INTEGER, who INTEGER, enrolled INTEGER, gone INTEGER, started INTEGER,
  completed INTEGER, bought INTEGER, last INTEGER, license INTEGER,
  PRIMARY KEY (subject, who)
) WITHOUT ROWID;
CREATE INDEX by_license ON place (license) WHERE license IS NOT NULL;
CREATE TABLE result (
  part INTEGER, who INTEGER, subject INTEGER NOT NULL, passed INTEGER, undone INTEGER,
  last INTEGER, PRIMARY KEY (part, who)
) WITHOUT ROWID;
CREATE TABLE hour (hour INTEGER PRIMARY KEY, actions INTEGER NOT NULL);
"""
"""Times are milliseconds since 1970, always the latest of their sort, so that the order in which
events come makes no difference. `event` is in the order of time: what is new, what is late and
what has come before is found in one place. `mark` is a keyed hash of its id or natural key.
`place` is one learner in one course or learning path, `result` one learner at one topic; `hour` is
what learners did in an hour since 1970."""


def open_to_write(
    file: Path, inside: Path | None, environment: str, instance: str
) -> sqlite3.Connection:
    """The index, made for its owner alone where there is none; raises `StateError`."""
    try:
        make_private(file, inside)
    except OSError as error:
        raise StateError(f"{file} cannot be written: {error.strerror}", _CHECK) from None
    with readable_errors(file):
        db = _connect_file(file)
        _prepare_tables(db, environment, instance)
    refuse_others(db, file, instance)
    return db


def open_to_read(file: Path) -> sqlite3.Connection | None:
    """The index as it is; changes no file. Nothing where there is none, or where a killed run has
    left one half written, which the next pull puts right.

    It may come from a stranger, as any file of a catalog, and so may a journal beside it: opened
    for writing, SQLite would do what that says.
    """
    if not file.exists() or not file.stat().st_size:
        return None
    with readable_errors(file):
        db = _connect_file(file, "ro")
        try:
            _refuse_strange(db, file)
        except sqlite3.OperationalError as error:
            db.close()
            if error.sqlite_errorname in _HALF_WRITTEN:
                return None
            raise
    return db


def _connect_file(file: Path, mode: str = "rw") -> sqlite3.Connection:
    name = f"{sqlite_uri(file.absolute())}?mode={mode}"
    # `isolation_level=None`: else the module begins transactions by itself, and not those that
    # `open_transaction` means.
    db = sqlite3.connect(name, timeout=_PATIENCE, isolation_level=None, uri=True)
    # The file may come from a stranger: functions that do more than compute are not called by its
    # views and triggers, and sizes in a damaged page are checked before they are used.
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    return db


def _prepare_tables(db: sqlite3.Connection, environment: str, instance: str) -> None:
    with open_transaction(db):
        if _read_version(db):
            return
        # One by one: `executescript` would commit the transaction first.
        for statement in filter(str.strip, _TABLES.split(";")):
            db.execute(statement.strip())
        about = {"environment": environment, "instance": instance, "key": secrets.token_hex(32)}
        db.executemany("INSERT INTO meta VALUES (?, ?)", about.items())
        db.execute(f"PRAGMA user_version = {FORMAT}")


def _read_version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _refuse_strange(db: sqlite3.Connection, file: Path) -> None:
    """Raises `StateError` for another format, or for any table or view that is not ours."""
    wanted = sqlite3.connect(":memory:")
    wanted.executescript(_TABLES)
    strange = _read_version(db) != FORMAT or _list_tables(db) != _list_tables(wanted)
    wanted.close()
    if strange:
        raise StateError(f"{file} is not an index of learners of this lmssync", _AGAIN)


def _list_tables(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    query = "SELECT type, name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


def refuse_others(db: sqlite3.Connection, file: Path, instance: str) -> None:
    """Raises `StateError` for the index of another instance: its ids mean nothing here."""
    _refuse_strange(db, file)
    bound = read_meta(db, "instance")
    if instance not in {"", bound}:
        raise StateError(
            f"{file} has the learners of the instance at {bound}, but this run is for {instance}",
            f"give each environment a state of its own, or {_AGAIN}",
        )


@contextmanager
def open_transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Everything inside is on disk together when this ends, or nothing is."""
    # A plain BEGIN takes the lock with the first write; if another connection has written since the
    # first read, that fails at once, however long one would wait.
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.rollback()  # of what SQLite has not given up itself, as it does on a full disk
        raise
    db.execute("COMMIT")


def compact_file(db: sqlite3.Connection) -> None:
    """Packs a file that has grown by a quarter: pages are left half full by feeds that are newest
    first, since each event goes in before the others."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    if pages > _FEW_PAGES and pages > _GROWTH * int(read_meta(db, "pages") or 0):
        db.execute("VACUUM")
        (packed,) = db.execute("PRAGMA page_count").fetchone()
        db.execute("INSERT OR REPLACE INTO meta VALUES ('pages', ?)", (packed,))


def read_meta(db: sqlite3.Connection, key: str) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else ""


@contextmanager
def readable_errors(file: Path) -> Iterator[None]:
    """Turns what SQLite says of a damaged or busy file, or of a full disk, into a message."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(_BUSY):
            busy = f"another run is using the index of learners {file}"
            raise StateLocked(busy, "run the same command again") from None
        hint = _CHECK if name.startswith(_CLOSED) else _AGAIN
        raise StateError(f"the index of learners {file} cannot be used: {error}", hint) from None


_MARK_BYTES = 6
"""Bytes of the hash that tells an event from others of its millisecond: that two of 5,000 are taken
for one has a chance of 1 in 20 million."""
_CODE_BYTES = DIGITS // 2
_NOBODY = 0
_RESULTS = frozenset(
    {LearnerAction.TRIED, LearnerAction.PASSED, LearnerAction.FORGIVEN, LearnerAction.UNDONE}
)
"""What a learner can do with a quiz, test or assignment; any topic can be looked at."""
_SEEN = "UPDATE person SET client = ?, seen = ? WHERE who = ? AND seen < ?"
_TICK = "INSERT INTO hour VALUES (?, 1) ON CONFLICT DO UPDATE SET actions = actions + 1"


class Key(NamedTuple):
    """The key of an event in the index."""

    at: int
    mark: int


class EventWriter:
    """Writes into one index; every call is to be made inside a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._key = bytes.fromhex(read_meta(db, "key"))
        self._objects: dict[str, int] = {"": 0}
        self._abouts: dict[tuple[object, ...], int] = {}

    def keep_events(self, seen: Iterable[LearnerEvent]) -> list[Key]:
        """Keeps events; returns the keys of those that are new, as they are counted now."""
        return [key for one in seen if (key := self._keep_event(one))]

    def _keep_event(self, one: LearnerEvent) -> Key | None:
        who, about = self._person_number(one), self._subject_number(one)
        # An event is known by its millisecond and a hash of its id: six bytes in place of 36 for
        # each of millions.
        key = Key(one.at, self._mark_number(one.id or one.natural))
        if self._is_known(one, key, who=who):
            self._learn_license(one, key, who=who, about=about)
            return None
        self._db.execute("INSERT INTO event VALUES (?, ?, ?, ?)", (*key, who, about))
        if one.client:
            self._db.execute(_SEEN, (self._object_number(one.client), one.at, who, one.at))
        if who != _NOBODY and one.subject:
            self._count_event(one, who)
        if one.action in OF_LEARNERS:
            self._db.execute(_TICK, (one.at // HOUR,))
        return key

    def _is_known(self, one: LearnerEvent, key: Key, *, who: int) -> bool:
        """Whether the event has come before, in this feed or in another that shows it again."""
        if self._has_key(key):
            return True
        # This feed alone shows events again that have feeds of their own (O40).
        if one.feed != EventKind.COURSE_ACTION:
            return False
        # Of two feeds that show the same event, one may have ids and the other none (O40).
        if not one.id:
            return self._has_lookalike(one, who)
        natural = Key(one.at, self._mark_number(one.natural))
        known = self._has_key(natural)
        if known:
            # The feed without ids came first. From now on the event is known by its id, so that its
            # third appearance is found as well.
            move = "UPDATE event SET mark = ? WHERE at = ? AND mark = ?"
            self._db.execute(move, (key.mark, *natural))
        return known

    def _has_key(self, key: Key) -> bool:
        row = self._db.execute("SELECT 1 FROM event WHERE at = ? AND mark = ?", key)
        return row.fetchone() is not None

    def _has_lookalike(self, one: LearnerEvent, who: int) -> bool:
        """Whether the index has an event that only an id could distinguish from this one."""
        row = self._db.execute(
            "SELECT 1 FROM event JOIN about USING (about)"
            " WHERE at = ? AND who = ? AND subject = ? AND feed = ? AND type = ?",
            (one.at, who, self._object_number(one.subject), one.feed, one.type),
        )
        return row.fetchone() is not None

    def _learn_license(self, one: LearnerEvent, key: Key, *, who: int, about: int) -> None:
        """Only some feeds name the license of an event that others show as well (O52)."""
        if one.license:
            self._db.execute("UPDATE event SET about = ? WHERE at = ? AND mark = ?", (about, *key))
            self._db.execute(
                "UPDATE place SET license = ? WHERE subject = ? AND who = ?",
                (self._object_number(one.license), self._object_number(one.subject), who),
            )

    # Counting: always the latest time of each sort

    def _count_event(self, one: LearnerEvent, who: int) -> None:
        if one.part and one.action in _RESULTS:
            self._count_result(one, who)
        columns = _MARKED.get(one.action, ())
        if one.action is LearnerAction.ENROLLED and "purchase" in one.source.lower():
            columns = (*columns, "bought")
        if not columns:
            return
        license_ = self._object_number(one.license) or None
        names = ", ".join(columns)
        # The latest time wins, whatever order events come in: newest first in a walk, older ones
        # when a walk reads further back.
        sets = ", ".join(f"{name} = max(coalesce({name}, 0), excluded.{name})" for name in columns)
        self._db.execute(
            f"INSERT INTO place (subject, who, license, {names})"
            f" VALUES (?, ?, ?{', ?' * len(columns)}) ON CONFLICT DO UPDATE SET {sets},"
            " license = coalesce(excluded.license, license)",
            (self._object_number(one.subject), who, license_, *[one.at] * len(columns)),
        )

    def _count_result(self, one: LearnerEvent, who: int) -> None:
        passed = one.at if one.action in {LearnerAction.PASSED, LearnerAction.FORGIVEN} else None
        undone = one.at if one.action is LearnerAction.UNDONE else None
        last = None if one.action is LearnerAction.FORGIVEN else one.at
        part, subject = self._object_number(one.part), self._object_number(one.subject)
        self._db.execute(
            "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " passed = nullif(max(coalesce(passed, 0), coalesce(excluded.passed, 0)), 0),"
            " undone = nullif(max(coalesce(undone, 0), coalesce(excluded.undone, 0)), 0),"
            " last = nullif(max(coalesce(last, 0), coalesce(excluded.last, 0)), 0)",
            (part, who, subject, passed, undone, last),
        )

    # What stands for what

    def _person_number(self, one: LearnerEvent) -> int:
        """The number of a person, known by any of what identifies them."""
        codes = [self._hash_text(text)[:_CODE_BYTES] for text in one.people]
        numbers = [self._find_alias(code) for code in codes]
        who = next((number for number in numbers if number is not None), None)
        if codes and who is None:
            insert = "INSERT INTO person (code, client, seen) VALUES (?, ?, ?)"
            new = (codes[0], self._object_number(one.client), one.at)
            who = self._db.execute(insert, new).lastrowid
        found = zip(codes, numbers, strict=True)
        # One event names a person by id and address, another by number alone: each code that is new
        # leads to the same person from now on.
        learned = [(code, who) for code, number in found if number is None]
        self._db.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?)", learned)
        return who or _NOBODY

    def _find_alias(self, code: bytes) -> int | None:
        row = self._db.execute("SELECT who FROM alias WHERE code = ?", (code,)).fetchone()
        return row[0] if row else None

    def _object_number(self, id_: str) -> int:
        # Courses and licenses are few and events are many: each id is looked up once.
        if id_ not in self._objects:
            self._db.execute("INSERT OR IGNORE INTO object (id) VALUES (?)", (id_,))
            row = self._db.execute("SELECT object FROM object WHERE id = ?", (id_,)).fetchone()
            self._objects[id_] = row[0]
        return self._objects[id_]

    def _subject_number(self, one: LearnerEvent) -> int:
        ids = (one.subject, one.part, one.license)
        row = (one.feed, one.type, one.source, one.action.value, *map(self._object_number, ids))
        if row not in self._abouts:
            names = "feed, type, source, action, subject, part, license"
            insert = f"INSERT OR IGNORE INTO about ({names}) VALUES (?, ?, ?, ?, ?, ?, ?)"
            self._db.execute(insert, row)
            query = f"SELECT about FROM about WHERE ({names}) = (?, ?, ?, ?, ?, ?, ?)"
            self._abouts[row] = self._db.execute(query, row).fetchone()[0]
        return self._abouts[row]

    def _mark_number(self, text: str) -> int:
        return int.from_bytes(self._hash_text(text)[:_MARK_BYTES])

    def _hash_text(self, text: str) -> bytes:
        return hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256")


_MARKED = {
    LearnerAction.ENROLLED: ("enrolled",),
    LearnerAction.LEFT: ("gone",),
    LearnerAction.STARTED: ("enrolled", "started", "last"),
    LearnerAction.WORKED: ("enrolled", "started", "last"),
    LearnerAction.COMPLETED: ("completed", "last"),
    LearnerAction.TRIED: ("started", "last"),
    LearnerAction.PASSED: ("started", "last"),
    LearnerAction.UNDONE: ("started", "last"),
    LearnerAction.FORGIVEN: ("started",),
    LearnerAction.BOUGHT: ("bought",),
}
"""Columns of `place` that an action sets to its time. Whoever starts or works there is enrolled,
even where the enrollment itself is older than what was pulled."""
