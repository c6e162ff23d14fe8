"""Rows of lists that operations send: what the state keeps of each, so that none is sent twice.

A row names nobody: its key is a keyed hash of what it says, and its mark one of who and what it is
about.
"""

import sqlite3
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

TABLE = """
CREATE TABLE list_row (
    key TEXT PRIMARY KEY,
    hashed_with TEXT NOT NULL,
    operation TEXT NOT NULL,
    list TEXT NOT NULL,
    occasion TEXT NOT NULL,
    deed TEXT NOT NULL,
    mark TEXT NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL,
    answered INTEGER NOT NULL
) WITHOUT ROWID;
"""
ROW = "key, hashed_with, operation, list, occasion, deed, mark, state, at, answered"
OPEN = "WHERE state IN ('sent', 'unknown') ORDER BY at, key"
ANSWERED = "WHERE operation = ? AND hashed_with = ? AND deed = ? AND at >= ? AND answered"


class RowState(StrEnum):
    """How far a row has come."""

    SENT = "sent"
    """Written down before it was sent. Found by a later run, nothing is known of its end."""
    DONE = "done"
    UNKNOWN = "unknown"
    NOT_DONE = "not-done"
    """Refused, never sent, or proven not to have been done: it may be sent."""


class ListRow(NamedTuple):
    """One row of a list, as the state knows it."""

    key: str
    hashed_with: str
    """The digest of the key of people that `key` and `mark` were hashed with."""
    operation: str
    list: str
    """The name of the file that it was sent from, or nothing."""
    occasion: str
    deed: str
    mark: str
    """A keyed hash of the person and the thing, which an event of the platform has as well."""
    state: RowState
    at: int
    """When it was announced, by the platform's clock, in milliseconds since 1970."""
    answered: bool = False
    """Whether the platform itself said that it is done, as no look at a feed can."""

    @property
    def is_open(self) -> bool:
        """True while nothing is known of its end."""
        return self.state in {RowState.SENT, RowState.UNKNOWN}


def row_of(row: tuple[Any, ...]) -> ListRow:
    known = ListRow(*row)
    return known._replace(state=RowState(known.state), answered=bool(known.answered))


def put_list_rows(db: sqlite3.Connection, rows: Iterable[ListRow]) -> None:
    """Writes rows in the place of what was known of them."""
    db.executemany("INSERT OR REPLACE INTO list_row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def restore_list_rows(db: sqlite3.Connection, rows: Iterable[ListRow]) -> None:
    """Adds rows of an exported state. What is known here to be done, stays so."""
    db.executemany(
        "INSERT INTO list_row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
        " SET state = excluded.state, at = excluded.at, answered = excluded.answered"
        " WHERE list_row.state <> 'done' AND excluded.at >= list_row.at",
        rows,
    )
