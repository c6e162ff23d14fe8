"""Remembers the result of each file, so that an unchanged one is not parsed or checked again.

It is a SQLite file of the user's own and safe to delete. Every row carries a seal: a damaged row is
noticed, and its file is read again. If the cache file cannot be used (no home, a read-only or full
disk, another run's long lock), the same tables live in memory for one run. Imports next to nothing:
a second `validate` runs little more than this.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ....support.cache_folder import find_cache_file, is_ours, make_cache_file
from .cache_file import (
    FAILURES,
    KEPT,
    CacheChanged,
    Row,
    has_cache_tables,
    make_cache_tables,
    require_sound,
    seal_values,
)

if TYPE_CHECKING:
    from .entry_codec import Encoded

_PATIENCE = 5.0
"""Seconds to wait while another run is writing."""
_INNOCENT = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Errors that do not mean the file is bad: another run writes, or nobody can."""
_ROW = "variant, digest, kind, key, fingerprint, careful, document, rest"
_IN_FILES = "FROM file JOIN resource ON resource.file = file.id"
_IN_ORDER = "ORDER BY path, variant, resource.id"
_AMONG = "id IN (SELECT value FROM json_each(?))"
_NO_ROWS: tuple[int, Iterator["Index"]] = (0, iter(()))


class CachedFile(NamedTuple):
    """A file as it was when its result was cached."""

    id: int
    path: str
    variant: str
    stamp: str
    digest: str
    watched: bytes | None
    addresses: bytes
    problems: bytes | None
    refused: bytes | None
    resources: bytes
    """The seal of the rows of its resources in the index, in their order."""

    @property
    def entry_seal(self) -> bytes:
        return seal_values(*self[1:])


class Index(NamedTuple):
    """A resource as stored in the index."""

    id: int
    file: int
    kind: str
    key: str
    fingerprint: str
    careful: int
    """Whether it says anything about itself (`Lifecycle`)."""
    outline: str
    seal: bytes


class Cache:
    """One connection, for one run. Methods raise `sqlite3.Error` where it cannot be used."""

    def __init__(self, path: Path | None, key: str | None = None) -> None:
        """With a `key`, rows from other settings or from another version are deleted."""
        self.in_memory = path is None
        self._path = path
        # One thread uses it, but the collector may run, and close it, in another.
        self._db = sqlite3.connect(
            path or ":memory:", timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        self.key = key
        """The settings that it is for."""
        try:
            self._set_up()
            self._claim_file()
        except FAILURES:
            self._db.close()
            raise

    def _set_up(self) -> None:
        self._db.execute("PRAGMA trusted_schema = OFF")
        self._db.execute("PRAGMA cell_size_check = ON")
        if self._path:
            self._db.execute("PRAGMA journal_mode = WAL")
        # Nothing is lost with a cache: what a crash leaves half-written fails its seal or its
        # check, and the file is made anew.
        self._db.execute("PRAGMA synchronous = OFF")
        if not has_cache_tables(self._db):
            with self._write_transaction():
                if not has_cache_tables(self._db):  # else another run was first
                    make_cache_tables(self._db)

    def close(self) -> None:
        self._db.close()

    def __del__(self) -> None:
        # A connection holds itself by its cache of statements: left to the collector, it would
        # keep its files open long after the catalog that they belong to.
        if hasattr(self, "_db"):
            self._db.close()

    def delete_if_damaged(self, error: Exception) -> None:
        """Deletes the file if `error` shows it to be bad; this run may go on with what it has
        read."""
        delete_damaged_cache(self._path, error)

    @contextmanager
    def _write_transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.rollback()  # of what SQLite has not given up itself, as it does on a full disk
            raise
        self._db.execute("COMMIT")

    def read_outcome(self, scope: str, digest: str) -> bytes | None:
        """The problems that were reported for this catalog the last time, file by file."""
        query = "SELECT outcome, seal FROM outcome WHERE scope = ? AND digest = ?"
        row = self._db.execute(query, (scope, digest)).fetchone()
        if row is None:
            return None
        outcome: bytes = row[0]
        require_sound(row[1] == seal_values(scope, digest, outcome))
        return outcome

    def keep_outcome(self, scope: str, digest: str, outcome: bytes) -> None:
        with self._write_transaction():
            row = (scope, digest, outcome, seal_values(scope, digest, outcome))
            self._db.execute("INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?)", row)

    def _claim_file(self) -> None:
        if self._has_our_tables():
            return
        with self._write_transaction():
            for table in KEPT:
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - one of the five
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('key', ?)", (self.key,))

    def _has_our_tables(self) -> bool:
        query = "SELECT value FROM meta WHERE name = 'key'"
        return self.key is None or self._db.execute(query).fetchone() == (self.key,)

    @property
    def file_ids(self) -> set[int]:
        return {id_ for (id_,) in self._db.execute("SELECT id FROM file")}

    def read_files_with_problems(self, ids: Set[int]) -> Iterator[CachedFile]:
        """Yields the files among these ids of which anything is reported."""
        # No seal holds an id, since a row gets its id when it is written: one that is damaged is a
        # file too few.
        query = f"SELECT count(*) FROM file WHERE {_AMONG}"  # noqa: S608 - a constant
        require_sound(self._db.execute(query, (_join_ids(ids),)).fetchone() == (len(ids),))
        # All of them first, then those that are wanted: few files have problems.
        query = "SELECT id FROM file WHERE problems IS NOT NULL OR refused IS NOT NULL"
        found = {id_ for (id_,) in self._db.execute(query)}
        return self.read_known_files(found & ids)

    def read_known_files(self, ids: Iterable[int]) -> Iterator[CachedFile]:
        """Yields some of the cached files, in the order of their paths: of many, only one is in
        memory."""
        columns = ", ".join(CachedFile._fields)
        query = f"SELECT {columns}, seal FROM file WHERE {_AMONG} ORDER BY path, variant"  # noqa: S608 - constants
        for *row, mark in self._db.execute(query, (_join_ids(ids),)):
            known = CachedFile._make(row)
            require_sound(mark == known.entry_seal)
            yield known

    def keep_entries(
        self, made: Iterable["Encoded"], restamped: Iterable[CachedFile], gone: Iterable[int]
    ) -> list[int]:
        """Keeps new entries and the new stamps of files with the same content, and drops the rest.

        The ids of the new ones, in order; no id is ever given twice. Raises `sqlite3.Error` if a
        run with other settings has claimed the cache: what this one makes must not be taken for
        that one's.
        """
        with self._write_transaction():
            if not self._has_our_tables():
                raise CacheChanged("a run with other settings has it now")
            self._drop_files(list(gone))
            update = "UPDATE file SET stamp = ?, watched = ?, seal = ? WHERE id = ?"
            stamps = (
                (known.stamp, known.watched, known.entry_seal, known.id) for known in restamped
            )
            self._db.executemany(update, stamps)
            return [self._insert_entry(entry) for entry in made]

    def _insert_entry(self, entry: "Encoded") -> int:
        query = "SELECT id FROM file WHERE path = ? AND variant = ?"
        self._drop_files([row[0] for row in self._db.execute(query, entry.file[:2])])
        insert = "INSERT INTO file VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        file = self._db.execute(insert, entry.file).lastrowid
        assert file is not None
        for row, packed in entry.resources:
            insert = "INSERT INTO resource VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            id_ = self._db.execute(insert, (file, *row)).lastrowid
            self._db.execute("INSERT INTO form VALUES (?, ?, ?)", (id_, *packed))
        return file

    def _drop_files(self, files: Sequence[int]) -> None:
        for file in files:
            forms = "DELETE FROM form WHERE id IN (SELECT id FROM resource WHERE file = ?)"
            self._db.execute(forms, (file,))
            self._db.execute("DELETE FROM resource WHERE file = ?", (file,))
            self._db.execute("DELETE FROM file WHERE id = ?", (file,))

    def hold_snapshot(self) -> None:
        """Begins a transaction: from here on this run sees the present content, whatever others
        write."""
        self._db.execute("BEGIN")

    def release_snapshot(self) -> None:
        """Ends the transaction: from here on this run sees what others write."""
        self._db.execute("ROLLBACK")

    def read_inventory(self, scope: str) -> Iterator[tuple[str, bytes]]:
        """What a catalog held when a run last looked at it, in portions, each with the digest of
        the listing."""
        query = "SELECT portion, digest, held, seal FROM inventory WHERE scope = ? ORDER BY portion"
        for number, (*row, mark) in enumerate(self._db.execute(query, (scope,))):
            require_sound(row[0] == number and mark == seal_values(scope, *row))
            yield row[1], row[2]

    def keep_inventory(self, scope: str, digest: str, portions: Iterable[bytes]) -> None:
        rows = ((scope, portion, digest, held) for portion, held in enumerate(portions))
        with self._write_transaction():
            self._db.execute("DELETE FROM inventory WHERE scope = ?", (scope,))
            insert = "INSERT INTO inventory VALUES (?, ?, ?, ?, ?)"
            self._db.executemany(insert, ((*row, seal_values(*row)) for row in rows))

    def read_contents(self, ids: Iterable[int]) -> Iterator[tuple[CachedFile, list[Index]]]:
        """Yields some of the cached files, in the order of their paths, each with what is known
        about its resources without opening them."""
        columns, listed_ids = ", ".join(f"resource.{name}" for name in Index._fields), [*ids]
        query = f"SELECT {columns} {_IN_FILES} WHERE file.{_AMONG} {_IN_ORDER}"
        found = self._db.execute(query, (_join_ids(listed_ids),))
        rows = groupby(map(Index._make, found), key=lambda row: row.file)
        file, held = next(rows, _NO_ROWS)
        for known in self.read_known_files(listed_ids):
            listed = list(held) if file == known.id else []
            if listed:
                file, held = next(rows, _NO_ROWS)
            yield known, listed

    def read_rows(self) -> Iterator[tuple[int, Row]]:
        """The id and row of every resource, in the same order: variant and digest of its file,
        kind, key, fingerprint, careful, document, rest."""
        query = f"SELECT resource.id, {_ROW} {_IN_FILES} {_IN_ORDER}"
        return ((row[0], row[1:]) for row in self._db.execute(query))

    def read_row(self, id_: int) -> Row:
        row: Row = self._fetch_value(f"SELECT {_ROW} {_IN_FILES} WHERE resource.id = ?", id_)
        return row

    def read_packed_form(self, id_: int, mark: bytes) -> bytes:
        """The form of a resource, whose row has the seal `mark`."""
        row: tuple[bytes, bytes] = self._fetch_value(
            "SELECT packed, seal FROM form WHERE id = ?", id_
        )
        packed, form_mark = row
        require_sound(form_mark == seal_values(mark, packed))
        return packed

    def _fetch_value(self, query: str, id_: int) -> Any:
        row = self._db.execute(query, (id_,)).fetchone()
        require_sound(row is not None)
        return row


def _join_ids(ids: Iterable[int]) -> str:
    return f"[{','.join(map(str, ids))}]"


def open_cache(root: Path, key: str) -> Cache:
    """The cache of a catalog; one in memory if there can be no other."""
    try:
        return _open_cache_file(find_cache_file(root), key)
    except (OSError, *FAILURES):
        return _open_cache_file(None, key)


def _open_cache_file(path: Path | None, key: str) -> Cache:
    if path:
        make_cache_file(path)
        path = path if is_ours(path) else None
    try:
        return Cache(path, key)
    except FAILURES as error:
        if not delete_damaged_cache(path, error) or path is None:
            raise
        make_cache_file(path)
        return Cache(path, key)


def delete_damaged_cache(path: Path | None, error: Exception) -> bool:
    """Deletes a file that `error` shows to be bad, so that a new one is begun; true if it did.

    Windows cannot delete an open file. There a later run finds the damage again.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if path is None or isinstance(error, CacheChanged) or code in _INNOCENT:
        return False
    try:
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
    except PermissionError:
        return False
    return True
