"""Remembers what came of each file, so that an unchanged one is neither parsed nor checked again.

A SQLite file beside the catalog, safe to delete. Where it cannot be used (a read-only or full
disk, damage, another run's long lock) the same tables live in memory for one run. Imports next
to nothing: a second `validate` runs little more than this.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import WrongUse

if TYPE_CHECKING:
    from .codec import Encoded

FOLDER, FILE = ".lmssync", "cache.db"
FORMAT = 3
"""Another number is another shape of the tables: they are made anew."""
_PATIENCE = 5.0
"""Seconds for which another run's writing is waited for."""
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outcome (
  scope TEXT PRIMARY KEY, digest TEXT, told BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT, variant TEXT, stamp TEXT, digest TEXT,
  watched BLOB, addresses BLOB, problems BLOB, refused BLOB, resources INTEGER,
  UNIQUE (path, variant));
CREATE TABLE IF NOT EXISTS resource (
  id INTEGER PRIMARY KEY, file INTEGER, kind TEXT, key TEXT, fingerprint TEXT,
  careful INTEGER, document INTEGER, rest BLOB);
CREATE INDEX IF NOT EXISTS resource_file ON resource (file);
CREATE TABLE IF NOT EXISTS form (id INTEGER PRIMARY KEY, packed BLOB);
"""


_NAMES = ("meta", "outcome", "file", "resource", "form")


class Known(NamedTuple):
    """A file as it was when it was kept."""

    id: int
    path: str
    variant: str
    stamp: str
    digest: str
    watched: bytes | None
    addresses: bytes


class Cache:
    """One connection, for one run. Methods raise `sqlite3.Error` where it cannot be used."""

    def __init__(self, path: Path | None) -> None:
        self.in_memory = path is None
        self._path = path
        self._db = sqlite3.connect(path or ":memory:", timeout=_PATIENCE, isolation_level=None)
        if path:
            self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        self._claimed: str | None = None
        if not self._formed():
            self._begin()

    def _formed(self) -> bool:
        found: bool = self._db.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        return found

    def _begin(self) -> None:
        """Makes the tables, whatever stood in the place of them."""
        with self._writing():
            if self._formed():  # another run was first, and may have kept something by now
                return
            for table in _NAMES:
                self._db.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def close(self) -> None:
        self._db.close()

    def __del__(self) -> None:
        # A connection holds itself by its cache of statements: left to the collector, it would
        # keep its files open long after the catalog that they belong to.
        if hasattr(self, "_db"):
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def outcome(self, scope: str, digest: str) -> bytes | None:
        """What was told of this catalog, file for file, the last time."""
        query = "SELECT told FROM outcome WHERE scope = ? AND digest = ?"
        row = self._db.execute(query, (scope, digest)).fetchone()
        return row[0] if row else None

    def keep_outcome(self, scope: str, digest: str, told: bytes) -> None:
        with self._writing():
            row = (scope, digest, told)
            self._db.execute("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?)", row)

    def claim(self, key: str) -> None:
        """Forgets what was kept under other settings or by another version."""
        self._claimed = key
        if self._ours():
            return
        with self._writing():
            for table in ("outcome", "file", "resource", "form"):
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - one of the four
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('key', ?)", (key,))

    def _ours(self) -> bool:
        query = "SELECT value FROM meta WHERE name = 'key'"
        return self._claimed is None or self._db.execute(query).fetchone() == (self._claimed,)

    def known(self) -> Iterator[Known]:
        """Every file that is kept."""
        query = "SELECT id, path, variant, stamp, digest, watched, addresses FROM file"
        return map(Known._make, self._db.execute(query))

    def keep(
        self,
        made: Iterable["Encoded"],
        restamped: Iterable[tuple[str, bytes | None, int]],
        gone: Iterable[int],
    ) -> list[int]:
        """Keeps new entries, stamps of files that held what they had held, and drops the rest.

        The ids of the new ones, in order; no id is ever given twice. Raises `sqlite3.Error` if a
        run with other settings has claimed the cache: what this one makes must not be taken for
        that one's.
        """
        with self._writing():
            if not self._ours():
                raise sqlite3.OperationalError("a run with other settings has it now")
            self._drop(list(gone))
            update = "UPDATE file SET stamp = ?, watched = ? WHERE id = ?"
            self._db.executemany(update, restamped)
            return [self._insert(entry) for entry in made]

    def _insert(self, entry: "Encoded") -> int:
        path, variant = entry.file[:2]
        query = "SELECT id FROM file WHERE path = ? AND variant = ?"
        self._drop([row[0] for row in self._db.execute(query, (path, variant))])
        insert = "INSERT INTO file VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        file = self._db.execute(insert, entry.file).lastrowid
        assert file is not None
        for row, packed in entry.resources:
            insert = "INSERT INTO resource VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
            id_ = self._db.execute(insert, (file, *row)).lastrowid
            self._db.execute("INSERT INTO form VALUES (?, ?)", (id_, packed))
        return file

    def _drop(self, files: Sequence[int]) -> None:
        for file in files:
            forms = "DELETE FROM form WHERE id IN (SELECT id FROM resource WHERE file = ?)"
            self._db.execute(forms, (file,))
            self._db.execute("DELETE FROM resource WHERE file = ?", (file,))
            self._db.execute("DELETE FROM file WHERE id = ?", (file,))

    def hold(self) -> None:
        """From here on this run sees what is kept now, whatever others write."""
        self._db.execute("BEGIN")

    def let_go(self) -> None:
        if self._db.in_transaction:
            self._db.execute("COMMIT")

    def counts(self) -> dict[int, int]:
        """By file the number of its resources that are really there; raises if any is missing."""
        told = dict(self._db.execute("SELECT id, resources FROM file"))
        there = dict(self._db.execute("SELECT file, count(*) FROM resource GROUP BY file"))
        wrong = [file for file, number in told.items() if there.get(file, 0) != number]
        if wrong:
            raise sqlite3.DatabaseError(f"{len(wrong)} files do not add up")
        return told

    def problems(self) -> Iterator[tuple[int, bytes]]:
        """File and problems, where there are any."""
        query = "SELECT id, problems FROM file WHERE problems IS NOT NULL"
        return iter(self._db.execute(query))

    def refused(self) -> Iterator[tuple[int, bytes]]:
        """File and refused resources, where there are any."""
        query = "SELECT id, refused FROM file WHERE refused IS NOT NULL"
        return iter(self._db.execute(query))

    def index(self) -> Iterator[tuple[int, int, str, str, str, int]]:
        """Of every resource: id, file, kind, key, fingerprint, and whether it has any care."""
        query = "SELECT id, file, kind, key, fingerprint, careful FROM resource"
        return iter(self._db.execute(query))

    def light(self) -> Iterator[tuple[Any, ...]]:
        """Of every resource: id, kind, key, fingerprint, document, rest."""
        query = "SELECT id, kind, key, fingerprint, document, rest FROM resource"
        with self._telling():
            return iter(self._db.execute(query).fetchall())

    def one(self, id_: int) -> tuple[Any, ...]:
        """The same of one."""
        query = "SELECT kind, key, fingerprint, document, rest FROM resource WHERE id = ?"
        with self._telling():
            row: tuple[Any, ...] = _there(self._db.execute(query, (id_,)).fetchone())
        return row

    def packed(self, id_: int) -> bytes:
        query = "SELECT packed FROM form WHERE id = ?"
        with self._telling():
            found: bytes = _there(self._db.execute(query, (id_,)).fetchone())[0]
        return found

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """For what is fetched late, when the catalog cannot be read anew: raises `WrongUse`."""
        try:
            yield
        except sqlite3.Error as error:
            if self._path:
                discard(self._path)
            raise WrongUse(
                f"what was kept of the catalog in {FOLDER}/{FILE} is damaged: {error}",
                "the file has been deleted: run the command again",
            ) from None


def _there(row: Any) -> Any:
    if row is None:
        raise sqlite3.DatabaseError("a row is missing")
    return row


def open_cache(root: Path, key: str) -> Cache:
    """The cache of a catalog; one in memory where there can be no other."""
    folder = root / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
        return _opened(folder / FILE, key)
    except (OSError, sqlite3.Error):
        cache = Cache(None)
        cache.claim(key)
        return cache


def _opened(path: Path, key: str) -> Cache:
    try:
        cache = Cache(path)
        cache.claim(key)
    except sqlite3.OperationalError:  # locked, read-only, full: nothing is wrong with the file
        raise
    except sqlite3.DatabaseError:  # damaged, or no database at all
        discard(path)
        cache = Cache(path)
        cache.claim(key)
    return cache


def discard(path: Path) -> None:
    """Deletes a cache that is damaged."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
