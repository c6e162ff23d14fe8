"""The file of a catalog's cache: where it is, whose it is, and which tables it has.

It is in the user's own cache folder, never in the catalog. Files that come with a repository must
not pass for what this user has read: a folder that a stranger could have filled is not used, nor is
one that belongs to somebody else. Without a folder of the user's own, a run remembers nothing. A
file that holds other tables than these was not made by lmssync.
"""

import hashlib
import marshal
import os
import shutil
import sqlite3
import stat
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ....support import operating_system
from ....support.cache_folder import cache_folder

FILE, FORMATTED = "cache.db", "in-order"
"""The files in the folder of a catalog: the cache, and which files `fmt` has found in order."""
_UNUSED = 30 * 24 * 3600
"""Seconds after which the cache of a catalog that is no longer used is deleted."""


def find_cache_file(root: Path) -> Path | None:
    """Where the cache of the catalog is, if there is one; None if there may be none."""
    ours = cache_folder(root)
    real = os.fsencode(os.path.realpath(root))
    return ours and ours / hashlib.sha256(real).hexdigest()[:32] / FILE


def is_ours(file: Path) -> bool:
    """True for a file of this user, in folders of this user, that nobody else may write to."""
    try:
        status = file.lstat()
        folders = [file.parent.lstat(), file.parent.parent.lstat()]
    except OSError:
        return False
    kinds = stat.S_ISREG(status.st_mode) and all(stat.S_ISDIR(one.st_mode) for one in folders)
    every = (status, *folders)
    ours = all(
        operating_system.is_ours(one) and not operating_system.others_may_write(one)
        for one in every
    )
    return kinds and status.st_nlink == 1 and ours


def make_cache_file(file: Path) -> None:
    """Makes the file with its folders, for this user alone, or marks it as used.

    Raises `OSError`.
    """
    file.parent.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.parent.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        file.parent.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        _delete_unused(file.parent.parent)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | operating_system.PLAIN, 0o600))
    os.utime(file)


def _delete_unused(ours: Path) -> None:
    """Deletes caches that have not been used for a long time: their catalogs may be gone."""
    for folder in ours.iterdir():
        with suppress(OSError):
            files = [folder / name for name in (FILE, FORMATTED) if (folder / name).exists()]
            if files and time.time() - max(file.stat().st_mtime for file in files) > _UNUSED:
                shutil.rmtree(folder, ignore_errors=True)


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
  careful INTEGER, document INTEGER, rest BLOB, seal BLOB)""",
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
    return blake2b(marshal.dumps(values, 2), digest_size=16).digest()


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
