"""The log as rows of a PostgreSQL database, `postgresql://host/database?schema=lmssync#name`.

One database holds the logs of many states. What else is in the address is libpq's. The connection
is made again where it broke, and never waits for ever.
"""

import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from threading import Event, Lock, Timer
from typing import Any, LiteralString
from urllib.parse import unquote

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import QueryCanceled
from psycopg.sql import SQL, Composed, Identifier

from ...errors import StateError, WrongUse
from ...support.invisible_characters import escape_invisible
from ...support.redaction import register_secret
from .state_backend import Snapshot, Trouble, backend_error

_PATIENCE = 30
"""Seconds that a statement may take, with the way to the server and back."""
_OLDEST = 12_00_00
"""The first version that will do, as a server says it; the one before brought `sha256`."""


class Session:
    """Runs statements, each a transaction of its own; what it raises is psycopg's."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self._parameters = parameters
        self._connection: psycopg.Connection | None = None
        self._alone = Lock()

    def fetch_rows(self, query: Composed, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Runs a statement and returns its rows. Where the connection broke it runs once more, so a
        statement must have the same effect if it ran already."""
        with self._alone:
            try:
                return self._fetch_once(query, values)
            # It is an OperationalError too, but it means that our own limit of time was over, not
            # that the connection broke.
            except QueryCanceled:
                raise
            except psycopg.OperationalError:
                if self._connection is None or not self._connection.broken:
                    raise
            return self._fetch_once(query, values)

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection]:
        """For what takes several statements, all of which happen or none."""
        with self._alone:
            connection = self._open_connection()
            with _limit_time(connection), connection.transaction():
                yield connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _fetch_once(self, query: Composed, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        connection = self._open_connection()
        with _limit_time(connection):
            return connection.execute(query, values, binary=True).fetchall()

    def _open_connection(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            self._connection = None
            # Poolers hand connections around: nothing may be left prepared on one.
            connection = psycopg.connect(
                **self._parameters, autocommit=True, prepare_threshold=None
            )
            _check_version(connection)
            self._connection = connection
        return self._connection


def _check_version(connection: psycopg.Connection) -> None:
    version = connection.info.server_version
    if version < _OLDEST:
        connection.close()
        raise psycopg.NotSupportedError(
            f"it is PostgreSQL {version // 10_000}; {_OLDEST // 10_000} or newer is needed"
        )


@contextmanager
def _limit_time(connection: psycopg.Connection) -> Iterator[None]:
    """Cuts the connection where no answer comes."""
    is_late = Event()
    # libpq would wait for an answer without end.
    timer = Timer(_PATIENCE, _cut_connection, (connection.fileno(), is_late))
    timer.daemon = True
    timer.start()
    try:
        yield
    except psycopg.OperationalError:
        if is_late.is_set():
            raise QueryCanceled(f"no answer came in {_PATIENCE} seconds") from None
        raise
    finally:
        timer.cancel()


def _cut_connection(connection: int, is_late: Event) -> None:
    """Unless it was closed at this very moment."""
    is_late.set()
    with suppress(OSError), socket.fromfd(connection, socket.AF_INET, socket.SOCK_STREAM) as way:
        way.shutdown(socket.SHUT_RDWR)


_BY_TYPE: tuple[tuple[type[psycopg.Error], Trouble], ...] = (
    (errors.InsufficientPrivilege, Trouble.FORBIDDEN),
    (errors.ReadOnlySqlTransaction, Trouble.READ_ONLY),
    (errors.DiskFull, Trouble.FULL),
    (errors.TooManyConnections, Trouble.BUSY),
    (errors.CannotConnectNow, Trouble.BUSY),
)
_BY_WORDS = (
    (r"does not support SSL|certificate|alert", Trouble.UNSAFE),
    (r"too many|connection slots|starting up|shutting down|recovery mode", Trouble.BUSY),
    (r"database .* does not exist", Trouble.MISSING),
    (r"FATAL: |password|authentication", Trouble.DENIED),
)
"""Before there is a connection, libpq has nothing but words."""
_ADVICE = re.compile(
    r"\s+(Is the server running|This probably means|Check that the file|before or while)[^\n]*"
)
"""The lines that libpq adds to an error, and that our own hint says better."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Errors of the database and of the way to it leave as `StateError`."""
    try:
        yield
    except psycopg.Error as error:
        raise backend_error(place, _classify_error(error), _describe_error(error)) from None


def _classify_error(error: psycopg.Error) -> Trouble:
    for kind, trouble in _BY_TYPE:
        if isinstance(error, kind):
            return trouble
    if not isinstance(error, psycopg.OperationalError):
        return Trouble.OTHER
    if error.sqlstate is None:
        for words, trouble in _BY_WORDS:
            if re.search(words, str(error)):
                return trouble
    return Trouble.UNREACHABLE


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
MAKE_NOTES: LiteralString = (
    "CREATE TABLE IF NOT EXISTS {notes} (name text PRIMARY KEY, content text NOT NULL)"
)
MAKE_NOTE: LiteralString = "INSERT INTO {notes} VALUES (%s, '') ON CONFLICT DO NOTHING"
READ_NOTE: LiteralString = "SELECT content FROM {notes} WHERE name = %s FOR UPDATE"
WRITE_NOTE: LiteralString = "UPDATE {notes} SET content = %s WHERE name = %s"
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
    """A backend in a database; the primary key of the segments is the compare-and-swap."""

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
            f"segment {number} cannot be written to {self.place}: the one before it is missing",
            "nothing was written; `lmssync state verify` says how far the log goes",
        )

    def snapshot(self) -> Snapshot | None:
        rows = self._read_rows(SNAPSHOT)
        return Snapshot(*rows[0]) if rows else None

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        self._write_row(KEEP_SNAPSHOT, **snapshot._asdict())

    def change_note(self, name: str, change: Callable[[str], str]) -> None:
        with in_words(self.place):
            try:
                self._change_note(name, change)
            except errors.UndefinedTable:
                if change(""):
                    self._make_tables()
                    self._change_note(name, change)

    def _change_note(self, name: str, change: Callable[[str], str]) -> None:
        with self._session.transaction() as connection:
            # The row is locked until the transaction ends: others wait for it.
            connection.execute(self._name_tables(MAKE_NOTE), [name])
            row = connection.execute(self._name_tables(READ_NOTE), [name]).fetchone()
            text = row[0] if row else ""
            if (changed := change(text)) != text:
                connection.execute(self._name_tables(WRITE_NOTE), [changed, name])

    def close(self) -> None:
        self._session.close()

    def _read_rows(self, statement: LiteralString, **values: object) -> list[tuple[Any, ...]]:
        """Runs a query; nothing where no table is there yet."""
        with in_words(self.place):
            try:
                return self._run_statement(statement, values)
            except errors.UndefinedTable:
                # Who reads makes no table.
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
            # `CREATE TABLE IF NOT EXISTS` by two sessions at once can fail with a unique violation
            # in the catalog of the database.
            connection.execute(ALONE)
            for schema in self._schema:
                there = connection.execute(HAS_SCHEMA, [schema]).fetchone()
                if there is None:
                    connection.execute(SQL(MAKE_SCHEMA).format(Identifier(schema)))
            for statement in (MAKE_SEGMENTS, MAKE_SNAPSHOTS, MAKE_NOTES):
                connection.execute(self._name_tables(statement))

    def _name_tables(self, statement: LiteralString) -> Composed:
        return SQL(statement).format(
            segments=Identifier(*self._schema, "lmssync_segments"),
            snapshots=Identifier(*self._schema, "lmssync_snapshots"),
            notes=Identifier(*self._schema, "lmssync_notes"),
        )


_EXAMPLE = "write it as postgresql://host/database?sslmode=verify-full&schema=lmssync#name"
_DEFAULTS = (
    ("PGCONNECT_TIMEOUT", "connect_timeout", 10),
    ("PGAPPNAME", "application_name", "lmssync"),
)


def connect_postgresql(url: str, environment: str, env: Mapping[str, str]) -> PostgresqlBackend:
    """The log of the state that is named after `#`, or of that of the environment.

    Nothing is asked before it is read or appended to. What the address leaves open, libpq takes
    from its variables and from `~/.pgpass`.
    """
    address, _, name = url.partition("#")  # a URL of libpq may have no host
    if "@" in name:
        raise WrongUse(
            "a `#` in the address of the state begins its name", "write it as %23 in a password"
        )
    address, schema = _without_schema(address)
    given = _connection_parameters(address)
    for word in (given.get("password"), given.get("sslpassword"), env.get("PGPASSWORD")):
        register_secret(word or "")
    state = unquote(name) or environment
    missing = {option: value for variable, option, value in _DEFAULTS if variable not in env}
    return PostgresqlBackend(Session({**missing, **given}), state, schema, _place_of(given, state))


def _without_schema(address: str) -> tuple[str, str | None]:
    head, _, query = address.partition("?")
    options = [option for option in query.split("&") if option]
    schemas = [option for option in options if option.startswith("schema=")]
    rest = "&".join(option for option in options if option not in schemas)
    schema = unquote(schemas[-1].removeprefix("schema=")) if schemas else None
    return f"{head}?{rest}" if rest else head, schema


def _connection_parameters(address: str) -> dict[str, Any]:
    try:
        return conninfo_to_dict(address)
    except psycopg.ProgrammingError as error:
        # libpq quotes the address where it cannot read it, and nobody knows what is a password.
        reason = str(error).strip() if "query parameter" in str(error) else "it cannot be read"
        raise WrongUse(
            f"the address of the state is wrong: {escape_invisible(reason)}", _EXAMPLE
        ) from None


def _place_of(given: Mapping[str, Any], state: str) -> str:
    host = ":".join(str(given[part]) for part in ("host", "port") if part in given)
    shown = "" if host.startswith("/") else host
    return escape_invisible(f"postgresql://{shown}/{given.get('dbname', '')}#{state}")
