"""The store: one SQLite file, one writer; nothing is answered before it is durable."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from ..errors import DataUnusable

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
    """The connection and its transactions; what the tables mean is said in `courses`, `objects`."""

    def __init__(self, file: Path) -> None:
        try:
            self.connection = sqlite3.connect(file, isolation_level=None)
            self._prepare_tables()
        except sqlite3.OperationalError as error:
            raise describe_unwritable(file, error) from None
        except sqlite3.Error as error:
            raise DataUnusable(
                f"{file}: this is not a sandbox's data ({error}); name another folder"
            ) from None
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
            if not getattr(error, "kept", False):
                execute("ROLLBACK TO request")
            execute("RELEASE request")
            raise
        execute("RELEASE request")

    async def wait_until_durable(self) -> None:
        """Return once all that was written so far is on the disk.

        Requests that the event loop reads in one turn share one commit. Reads wait too: what
        they saw must not be lost after they told it.
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
        row = self.connection.execute(
            "SELECT value FROM settings WHERE name = ?", (name,)
        ).fetchone()
        return orjson.loads(row[0]) if row else default

    def set_setting(self, name: str, value: Any) -> None:
        self.connection.execute(
            "INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, orjson.dumps(value))
        )

    def close_store(self) -> None:
        self.commit_change()
        self.connection.close()
