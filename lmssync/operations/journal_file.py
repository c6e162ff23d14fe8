"""The journal as a file: its tables, whose it is, and how it is opened."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import StateError
from ..state import uri_of

FORMAT = 1
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE row (
  key BLOB PRIMARY KEY, operation TEXT NOT NULL, deed TEXT NOT NULL, mark BLOB NOT NULL,
  state TEXT NOT NULL, at INTEGER NOT NULL, answered INTEGER NOT NULL
) WITHOUT ROWID;
"""
CLOSED = "check the folder's permissions and space; nothing was sent after this"
_LOST = (
    "restore it; if you move it away, lmssync no longer knows what it has recorded: compare each "
    "list with the platform before you send it again"
)


def connected(file: Path, mode: str) -> sqlite3.Connection:
    name = f"{uri_of(file.absolute())}?mode={mode}"
    db = sqlite3.connect(name, isolation_level=None, uri=True)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    return db


@contextmanager
def closing(db: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    finally:
        db.close()


def prepare(db: sqlite3.Connection, instance: str) -> None:
    """Makes the tables of a new file, all or none."""
    if not db.execute("PRAGMA user_version").fetchone()[0] and not _things(db):
        db.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, _TABLES.split(";")):
            db.execute(statement.strip())
        about = {"instance": instance, "key": secrets.token_hex(32)}
        db.executemany("INSERT INTO meta VALUES (?, ?)", about.items())
        db.execute(f"PRAGMA user_version = {FORMAT}")
        db.execute("COMMIT")


def make_durable(db: sqlite3.Connection) -> None:
    """Has every write wait for the disk."""
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")


def refuse_others(db: sqlite3.Connection, file: Path, instance: str) -> None:
    """Raises `StateError` for another format, for tables that are not ours, and for the journal
    of another instance."""
    wanted = sqlite3.connect(":memory:")
    wanted.executescript(_TABLES)
    with reading(file):
        version = db.execute("PRAGMA user_version").fetchone()[0]
        strange = version != FORMAT or _things(db) != _things(wanted)
        if not strange:
            bound = db.execute("SELECT value FROM meta WHERE key = 'instance'").fetchone()[0]
    wanted.close()
    if strange:
        raise StateError(f"{file} is not a journal of this lmssync", _LOST)
    if bound != instance:
        raise StateError(
            f"{file} is the journal of the instance at {bound}, but this run is for {instance}",
            "give each environment a state of its own",
        )


def _things(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    query = "SELECT type, name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """Turns what SQLite says of a damaged file, or of a full disk, into a message."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        hint = _LOST if name in {"SQLITE_CORRUPT", "SQLITE_NOTADB"} else CLOSED
        raise StateError(f"the journal {file} cannot be used: {error}", hint) from None
