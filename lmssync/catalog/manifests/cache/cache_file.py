"""The tables of a catalog's cache, and the seal of each row.

A file that holds other tables than these was not made by lmssync.
"""

import marshal
import sqlite3
from hashlib import blake2b
from typing import Any

_TABLES = {
    "meta": "(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    "outcome": "(scope TEXT PRIMARY KEY, digest TEXT, outcome BLOB, seal BLOB) WITHOUT ROWID",
    "inventory": """(
  scope TEXT, portion INTEGER, digest TEXT, held BLOB, seal BLOB, PRIMARY KEY (scope, portion))
  WITHOUT ROWID""",
    "file": """(
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT, variant TEXT, stamp TEXT, digest TEXT,
  watched BLOB, addresses BLOB, problems BLOB, refused BLOB, resources BLOB, seal BLOB,
  UNIQUE (path, variant))""",
    "resource": """(
  id INTEGER PRIMARY KEY, file INTEGER, kind TEXT, key TEXT, fingerprint TEXT,
  careful INTEGER, outline TEXT, document INTEGER, rest BLOB, seal BLOB)""",
    "form": "(id INTEGER PRIMARY KEY, packed BLOB, seal BLOB)",
}
_STATEMENTS = (
    *(f"CREATE TABLE {name} {columns}" for name, columns in _TABLES.items()),
    "CREATE INDEX resource_file ON resource (file)",
)
KEPT = ("outcome", "inventory", "file", "resource", "form")
"""Tables whose rows are dropped when the settings change."""
_FORMED = {
    *_STATEMENTS,
    "CREATE TABLE sqlite_sequence(name,seq)",  # SQLite's own, as is the index without a text
    None,
}
Row = tuple[Any, ...]


class CacheDamaged(sqlite3.DatabaseError):
    """The content of the file is not what lmssync has written."""


FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""The errors of SQLite over a file: of a damaged one even the message may be no text."""


class CacheChanged(sqlite3.OperationalError):
    """Another run has changed the cache, as it may."""


def require_sound(holds: bool) -> None:  # noqa: FBT001 - reads as a sentence
    """Raises `CacheDamaged` unless it `holds`."""
    if not holds:
        raise CacheDamaged("what was kept is damaged")


def seal_values(*values: Any) -> bytes:
    """A digest of a row's content and subject, so that no other row can take its place."""
    # In version 2 the same values always have the same spelling; later ones count references.
    return blake2b(marshal.dumps(values, 2), digest_size=SEAL).digest()


SEAL = 16
"""Bytes of a seal."""


def has_cache_tables(db: sqlite3.Connection) -> bool:
    """True if the file has these tables; false if it is empty; raises `CacheDamaged` for any other.

    A trigger or a view that somebody has added would run with our statements.
    """
    statements = [row[0] for row in db.execute("SELECT sql FROM sqlite_schema")]
    if statements and (set(statements) != _FORMED or len(statements) != len(_FORMED)):
        raise CacheDamaged("these are not our tables")
    return bool(statements)


def make_cache_tables(db: sqlite3.Connection) -> None:
    """Makes the tables; called inside a transaction."""
    for statement in _STATEMENTS:
        db.execute(statement)
