"""The store: one SQLite file, one writer; nothing is answered before it is durable.

What can keep a sandbox from starting is one family of errors, worded for the person who started it:

SandboxError
├── DataHeld       another sandbox uses the data folder
├── DataUnusable   the data folder cannot be read or written
├── PortTaken      the address is in use or may not be bound
└── SeedRefused    the seed file is not valid
"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from ..sandbox_documents import Doc


class Recent:
    """Keeps, while the lag is on, what each changed document was before.

    `reading` is set by the dispatcher while a route that only reads is answered: writes always
    see the newest state. `searching` is set while the search index is asked, which is
    `search_lag` seconds behind (O27).
    """

    def __init__(self) -> None:
        self.lag = self.search_lag = 0.0
        self.searching = False
        self.now = 0.0
        self.reading = False
        self._before: dict[tuple[str, object], list[tuple[float, Doc | None]]] = {}

    def note_write(self, kind: str, key: object, before: Doc | None) -> None:
        """Remember what was there before a write that happens now; None if nothing was."""
        if self.is_noting:
            horizon = self.now - max(self.lag, self.search_lag)
            young = [old for old in self._before.get((kind, key), ()) if old[0] > horizon]
            self._before[kind, key] = [*young, (self.now, before)]

    @property
    def is_noting(self) -> bool:
        return self.lag > 0 or self.search_lag > 0

    @contextmanager
    def read_as_index(self) -> Iterator[None]:
        """Inside the block reads see what the search index knows."""
        self.searching = True
        try:
            yield
        finally:
            self.searching = False

    def visible_version(self, kind: str, key: object, newest: Doc | None) -> Doc | None:
        """What a read sees now where `newest` is stored."""
        if not (self.reading and self._before):
            return newest
        lag = max(self.lag, self.search_lag) if self.searching else self.lag
        if lag <= 0:
            return newest
        horizon = self.now - lag
        for written, before in self._before.get((kind, key), ()):
            if written > horizon:
                return before
        return newest

    def forget_writes(self) -> None:
        self._before.clear()


class SandboxError(Exception):
    """The sandbox cannot start; the message says why and what to do."""


class DataHeld(SandboxError):
    """Another sandbox holds the data folder."""


class DataUnusable(SandboxError):
    """The data folder cannot be read or written, or holds something else."""


class PortTaken(SandboxError):
    """The address cannot be bound."""


class SeedRefused(SandboxError):
    """The seed is not JSON in the shape of a dump."""


VERSION = 1
_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE groups (serial INTEGER PRIMARY KEY, slug TEXT, doc BLOB NOT NULL);
CREATE UNIQUE INDEX groups_slug ON groups (slug);
CREATE TABLE courses (
  serial INTEGER PRIMARY KEY, group_serial INTEGER NOT NULL, sku TEXT, doc BLOB NOT NULL
);
CREATE INDEX courses_group ON courses (group_serial);
CREATE UNIQUE INDEX courses_sku ON courses (sku) WHERE sku IS NOT NULL;
CREATE TABLE aliases (id TEXT PRIMARY KEY, level INTEGER, serial INTEGER) WITHOUT ROWID;
CREATE TABLE objects (
  serial INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL,
  owner TEXT, name TEXT, moment INTEGER, doc BLOB NOT NULL
);
CREATE UNIQUE INDEX objects_id ON objects (kind, id);
CREATE INDEX objects_owner ON objects (kind, owner) WHERE owner IS NOT NULL;
CREATE INDEX objects_name ON objects (kind, name) WHERE name IS NOT NULL;
CREATE INDEX objects_moment ON objects (kind, moment) WHERE moment IS NOT NULL;
CREATE INDEX objects_feed ON objects (kind, owner, moment)
  WHERE owner IS NOT NULL AND moment IS NOT NULL;
"""
TABLES = ("settings", "groups", "courses", "aliases", "objects", "sqlite_sequence")


def describe_unwritable(file: Path, error: sqlite3.Error) -> DataUnusable:
    """The error for a database that cannot be written: no space, or no permission."""
    return DataUnusable(f"{file}: cannot be written ({error}); make room or name another folder")


class Store:
    """The connection and its transactions; `Documents` and `Objects` know what the tables mean."""

    def __init__(self, file: Path) -> None:
        try:
            self.connection = sqlite3.connect(file, isolation_level=None)
            self._prepare_tables()
        except sqlite3.OperationalError as error:
            raise describe_unwritable(file, error) from None
        except sqlite3.Error as error:
            why = f"this is not a sandbox's data ({error}); name another folder"
            raise DataUnusable(f"{file}: {why}") from None
        self._waiting: asyncio.Future[None] | None = None
        self.undone = 0
        """How often successful changes were undone; callers that cache their writes check it."""

    def _prepare_tables(self) -> None:
        execute = self.connection.execute
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        execute("PRAGMA cache_size = -32000")
        (version,) = execute("PRAGMA user_version").fetchone()
        if version == 0:
            # One transaction, so that a kill in the middle leaves an empty file and no half schema.
            self.connection.executescript(f"BEGIN;{_SCHEMA};PRAGMA user_version = {VERSION};COMMIT")
        elif version != VERSION:
            raise sqlite3.DatabaseError(f"version {version}; this sandbox reads {VERSION}")

    @contextmanager
    def open_change(self) -> Iterator[None]:
        """Apply all of the block or none of it; `wait_until_durable` or `commit_change` commits."""
        execute = self.connection.execute
        if not self.connection.in_transaction:
            execute("BEGIN IMMEDIATE")
        execute("SAVEPOINT request")
        try:
            yield
        except BaseException as error:
            if not self.connection.in_transaction:
                self.undone += 1  # without room SQLite itself gives up all that is not committed
                raise
            # A refusal can keep what was done before it (switch `batchAtomic` off).
            if not getattr(error, "kept", False):
                execute("ROLLBACK TO request")
            execute("RELEASE request")
            raise
        execute("RELEASE request")

    async def wait_until_durable(self) -> None:
        """Return once all that was written so far is on the disk.

        Requests that the event loop reads in one turn share one commit. Reads wait too: what
        they saw must not be lost after they have answered with it.
        """
        if not self.connection.in_transaction:
            return
        if self._waiting is None:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            loop.call_soon(self._commit_waiting)
        await asyncio.shield(self._waiting)

    def _commit_waiting(self) -> None:
        waiting, self._waiting = self._waiting, None
        assert waiting is not None
        try:
            self.commit_change()
        except sqlite3.Error as error:
            self.connection.rollback()
            self.undone += 1
            waiting.set_exception(error)
        else:
            waiting.set_result(None)

    def commit_change(self) -> None:
        """Write what is open to the disk now."""
        if self.connection.in_transaction:
            self.connection.execute("COMMIT")

    def clear_tables(self) -> None:
        """Empty every table (inside `open_change`)."""
        for table in TABLES:
            self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours

    def read_setting(self, name: str, default: Any = None) -> Any:
        select = "SELECT value FROM settings WHERE name = ?"
        row = self.connection.execute(select, (name,)).fetchone()
        return orjson.loads(row[0]) if row else default

    def set_setting(self, name: str, value: Any) -> None:
        insert = "INSERT OR REPLACE INTO settings VALUES (?, ?)"
        self.connection.execute(insert, (name, orjson.dumps(value)))

    def close_store(self) -> None:
        self.commit_change()
        self.connection.close()
