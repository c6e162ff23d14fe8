"""The log as rows of a PostgreSQL database, which holds the logs of many states."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, LiteralString

import psycopg
from psycopg import errors
from psycopg.sql import SQL, Composed, Identifier

from ...errors import StateError
from .failures import BackendTrouble, backend_error
from .home import Snapshot
from .postgresql_session import Session

_BY_TYPE: tuple[tuple[type[psycopg.Error], BackendTrouble], ...] = (
    (errors.InsufficientPrivilege, BackendTrouble.FORBIDDEN),
    (errors.ReadOnlySqlTransaction, BackendTrouble.READ_ONLY),
    (errors.DiskFull, BackendTrouble.FULL),
    (errors.TooManyConnections, BackendTrouble.BUSY),
    (errors.CannotConnectNow, BackendTrouble.BUSY),
)
_BY_WORDS = (
    (r"does not support SSL|certificate|alert", BackendTrouble.UNSAFE),
    (r"too many|connection slots|starting up|shutting down|recovery mode", BackendTrouble.BUSY),
    (r"database .* does not exist", BackendTrouble.MISSING),
    (r"FATAL: |password|authentication", BackendTrouble.DENIED),
)
"""Before there is a connection, libpq has nothing but words."""
_ADVICE = re.compile(
    r"\s+(Is the server running|This probably means|Check that the file|before or while)[^\n]*"
)
"""What libpq adds, each on a line of its own, and ours says better."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the database and of the way to it leave as `StateError`."""
    try:
        yield
    except psycopg.Error as error:
        raise backend_error(place, _classify_error(error), _describe_error(error)) from None


def _classify_error(error: psycopg.Error) -> BackendTrouble:
    for kind, trouble in _BY_TYPE:
        if isinstance(error, kind):
            return trouble
    if not isinstance(error, psycopg.OperationalError):
        return BackendTrouble.OTHER
    if error.sqlstate is None:
        for words, trouble in _BY_WORDS:
            if re.search(words, str(error)):
                return trouble
    return BackendTrouble.UNREACHABLE


def _describe_error(error: psycopg.Error) -> str:
    """The words of the server, without the statement that it refused, or those of libpq."""
    return error.diag.message_primary or _ADVICE.sub("", str(error))


ALONE: LiteralString = "SELECT pg_advisory_xact_lock(6010211)"
"""Two that make the tables at once would get in each other's way."""
HAS_SCHEMA: LiteralString = "SELECT FROM pg_namespace WHERE nspname = %s"
MAKE_SCHEMA: LiteralString = "CREATE SCHEMA {}"
MAKE_SEGMENTS: LiteralString = (
    "CREATE TABLE IF NOT EXISTS {segments} (state text, number bigint CHECK (number > 0),"
    " content bytea NOT NULL, PRIMARY KEY (state, number))"
)
MAKE_SNAPSHOTS: LiteralString = (
    "CREATE TABLE IF NOT EXISTS {snapshots} (state text PRIMARY KEY, number bigint NOT NULL,"
    " content bytea NOT NULL)"
)
APPEND: LiteralString = (
    "INSERT INTO {segments} SELECT %(state)s::text, %(number)s::bigint, %(content)b::bytea"
    " WHERE set_config('synchronous_commit', 'on', true) = 'on' AND (%(number)s = 1 OR EXISTS"
    " (SELECT FROM {segments} WHERE state = %(state)s AND number = %(number)s - 1))"
    " ON CONFLICT DO NOTHING RETURNING number"
)
"""A transaction in one round trip. The setting is in force when it commits: where a role or a
database has switched it off, a segment that was acknowledged could be lost."""
DIGEST: LiteralString = (
    "SELECT sha256(content) FROM {segments} WHERE state = %(state)s AND number = %(number)s"
)
READ: LiteralString = (
    "SELECT number, content FROM {segments} WHERE state = %(state)s AND number > %(number)s"
    " ORDER BY number LIMIT %(limit)s"
)
SNAPSHOT: LiteralString = "SELECT number, content FROM {snapshots} WHERE state = %(state)s"
KEEP_SNAPSHOT: LiteralString = (
    "INSERT INTO {snapshots} AS kept VALUES (%(state)s, %(number)s, %(content)b)"
    " ON CONFLICT (state) DO UPDATE SET number = excluded.number, content = excluded.content"
    " WHERE kept.number < excluded.number RETURNING number"
)


_PAGE = 32
"""Segments that are fetched at a time."""


class PostgresqlBackend:
    """A home in a database; the primary key of the segments is the compare-and-swap."""

    def __init__(self, session: Session, state: str, schema: str | None, place: str) -> None:
        self.place = place
        self._session = session
        self._state = state
        self._schema = (schema,) if schema else ()

    def read(self, after: int = 0) -> Iterator[bytes]:
        while page := self._read_rows(READ, number=after, limit=_PAGE):
            for number, content in page:
                after += 1
                if number != after:
                    raise StateError(
                        f"segment {after} of the state {self.place} is missing",
                        "somebody deleted it: restore it from a backup of the database",
                    )
                yield content

    def append(self, number: int, segment: bytes, about: str = "") -> bool:  # noqa: ARG002
        if self._write_row(APPEND, number=number, content=segment):
            return True
        if there := self._read_rows(DIGEST, number=number):
            # It may be ours, from a first try of which no answer came.
            return bool(there[0][0] == sha256(segment).digest())
        raise StateError(
            f"segment {number} cannot be kept at {self.place}: the one before it is missing",
            "nothing was written; `lmssync state verify` says how far the log goes",
        )

    def snapshot(self) -> Snapshot | None:
        rows = self._read_rows(SNAPSHOT)
        return Snapshot(*rows[0]) if rows else None

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        self._write_row(KEEP_SNAPSHOT, **snapshot._asdict())

    def close(self) -> None:
        self._session.close()

    def _read_rows(self, statement: LiteralString, **values: object) -> list[tuple[Any, ...]]:
        """Nothing where no table is there yet: who reads makes none."""
        with in_words(self.place):
            try:
                return self._run_statement(statement, values)
            except errors.UndefinedTable:
                return []

    def _write_row(self, statement: LiteralString, **values: object) -> bool:
        with in_words(self.place):
            try:
                return bool(self._run_statement(statement, values))
            except errors.UndefinedTable:
                self._make_tables()
            return bool(self._run_statement(statement, values))

    def _run_statement(
        self, statement: LiteralString, values: dict[str, object]
    ) -> list[tuple[Any, ...]]:
        return self._session.fetch_rows(
            self._name_tables(statement), {"state": self._state, **values}
        )

    def _make_tables(self) -> None:
        with self._session.transaction() as connection:
            connection.execute(ALONE)
            for schema in self._schema:
                there = connection.execute(HAS_SCHEMA, [schema]).fetchone()
                if there is None:
                    connection.execute(SQL(MAKE_SCHEMA).format(Identifier(schema)))
            for statement in (MAKE_SEGMENTS, MAKE_SNAPSHOTS):
                connection.execute(self._name_tables(statement))

    def _name_tables(self, statement: LiteralString) -> Composed:
        return SQL(statement).format(
            segments=Identifier(*self._schema, "lmssync_segments"),
            snapshots=Identifier(*self._schema, "lmssync_snapshots"),
        )
