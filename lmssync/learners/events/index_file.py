"""The index as a file: its tables, whose it is, and how it is opened."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import StateError, StateLocked
from ...state import make_private, sqlite_uri

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
