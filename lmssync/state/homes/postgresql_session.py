"""A connection to PostgreSQL that is made again where it broke, and never waits for ever."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Timer
from typing import Any

import psycopg
from psycopg.errors import QueryCanceled
from psycopg.sql import Composed

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
        """What a statement returns.

        It runs once more where the connection broke, so it must come to the same if it ran already.
        """
        with self._alone:
            try:
                return self._fetch_once(query, values)
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
    """Cuts the connection where no answer comes: libpq would wait for it without end."""
    is_late = Event()
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
