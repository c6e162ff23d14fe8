"""The log as rows of a PostgreSQL database, which holds the logs of many states."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, LiteralString

from psycopg import errors
from psycopg.sql import SQL, Composed, Identifier

from ..errors import StateError
from . import postgresql_statements as statements
from .home import Snapshot
from .postgresql_errors import in_words
from .postgresql_session import Session

_PAGE = 32
"""Segments that are fetched at a time."""


class Postgresql:
    """A home in a database; the primary key of the segments is the compare-and-swap."""

    def __init__(self, session: Session, state: str, schema: str | None, place: str) -> None:
        self.place = place
        self._session = session
        self._state = state
        self._schema = (schema,) if schema else ()

    def read(self, after: int = 0) -> Iterator[bytes]:
        while page := self._read(statements.READ, number=after, limit=_PAGE):
            for number, content in page:
                after += 1
                if number != after:
                    raise StateError(
                        f"segment {after} of the state {self.place} is missing",
                        "somebody deleted it: restore it from a backup of the database",
                    )
                yield content

    def append(self, number: int, segment: bytes, about: str = "") -> bool:  # noqa: ARG002
        if self._written(statements.APPEND, number=number, content=segment):
            return True
        if there := self._read(statements.DIGEST, number=number):
            # It may be ours, from a first try of which no answer came.
            return bool(there[0][0] == sha256(segment).digest())
        raise StateError(
            f"segment {number} cannot be kept at {self.place}: the one before it is missing",
            "nothing was written; `lmssync state verify` says how far the log goes",
        )

    def snapshot(self) -> Snapshot | None:
        rows = self._read(statements.SNAPSHOT)
        return Snapshot(*rows[0]) if rows else None

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        self._written(statements.KEEP_SNAPSHOT, **snapshot._asdict())

    def close(self) -> None:
        self._session.close()

    def _read(self, statement: LiteralString, **values: object) -> list[tuple[Any, ...]]:
        """Nothing where no table is there yet: who reads makes none."""
        with in_words(self.place):
            try:
                return self._rows(statement, values)
            except errors.UndefinedTable:
                return []

    def _written(self, statement: LiteralString, **values: object) -> bool:
        with in_words(self.place):
            try:
                return bool(self._rows(statement, values))
            except errors.UndefinedTable:
                self._make_tables()
            return bool(self._rows(statement, values))

    def _rows(self, statement: LiteralString, values: dict[str, object]) -> list[tuple[Any, ...]]:
        return self._session.rows(self._named(statement), {"state": self._state, **values})

    def _make_tables(self) -> None:
        with self._session.transaction() as connection:
            connection.execute(statements.ALONE)
            for schema in self._schema:
                there = connection.execute(statements.HAS_SCHEMA, [schema]).fetchone()
                if there is None:
                    connection.execute(SQL(statements.MAKE_SCHEMA).format(Identifier(schema)))
            for statement in (statements.MAKE_SEGMENTS, statements.MAKE_SNAPSHOTS):
                connection.execute(self._named(statement))

    def _named(self, statement: LiteralString) -> Composed:
        return SQL(statement).format(
            segments=Identifier(*self._schema, "lmssync_segments"),
            snapshots=Identifier(*self._schema, "lmssync_snapshots"),
        )
