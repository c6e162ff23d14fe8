"""Reads the rows of a state, and accepts only those that are as they were written."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ..resource import Address
from . import seals
from .damage import MADE_ANEW, Stamp, StateDamaged, damaged_mark, explain_read_errors, state_damaged

Row = tuple[Any, ...]


class ResourceHeads(NamedTuple):
    """What is known of all resources without opening any."""

    fingerprints: dict[Address, str]
    """Of those that are managed."""
    forgotten: set[Address]


class SealedTables:
    """The tables of a state whose rows have seals; every method raises `StateError`.

    A reader without a lock passes the stamp from `before`: the file may have been written since.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        file: Path,
        before: Stamp | None = None,
        *,
        is_replica: bool = False,
    ) -> None:
        self._db, self._file, self._before, self._is_replica = db, file, before, is_replica
        with self.explain_errors():
            self._intact = seals.intact_conditions(db)
        self._heads: tuple[tuple[int, int] | None, ResourceHeads] = (None, ResourceHeads({}, set()))

    @contextmanager
    def explain_errors(self) -> Iterator[None]:
        """Turns every error of reading into a message; a damaged replica is marked as such."""
        try:
            with explain_read_errors(self._file, self._before):
                yield
        except StateDamaged as error:
            if not self._is_replica:
                raise
            damaged_mark(self._file).touch()
            raise StateDamaged(error.message, MADE_ANEW) from None

    def read_rows(self, table: str, columns: str, where: str = "", *values: Any) -> Iterator[Row]:
        """Some rows of a table."""
        query = f"SELECT {columns}, {self._intact[table]} FROM {table} {where}"
        with self.explain_errors():
            for *row, intact in self._db.execute(query, values):
                if not intact:
                    raise state_damaged(f"a row of {table} is not as it was written: {row[0]}")
                yield tuple(row)

    def read_all_rows(self, table: str, columns: str, where: str = "") -> Iterator[Row]:
        """The rows of a table, of which none is missing."""
        with self.explain_errors():
            self._refuse_lost(table)
        yield from self.read_rows(table, columns, where)

    def read_row(
        self, table: str, columns: str, key: tuple[str, str], what: str = "row"
    ) -> Row | None:
        """The row with a key (its column, its value), if there is one; `what` errors call it."""
        column, value = key
        for row in self.read_rows(table, columns, f"WHERE {column} = ?", value):
            return row
        query = "SELECT 1 FROM seal WHERE part = ? AND key = ?"
        with self.explain_errors():
            if self._db.execute(query, (table, value)).fetchone():
                raise state_damaged(f"the {what} of {value} is missing")
        return None

    def read_heads(self) -> ResourceHeads:
        """Every resource: none is missing. It is the same as long as nobody writes."""
        with self.explain_errors():
            (theirs,) = self._db.execute("PRAGMA data_version").fetchone()
            now = (theirs, self._db.total_changes)  # of other connections, and of this one
            if self._heads[0] != now:
                self._heads = now, self._read_heads()
            return self._heads[1]

    def _read_heads(self) -> ResourceHeads:
        heads = ResourceHeads({}, set())
        rows = self._db.execute(f"SELECT {seals.HEAD} FROM resource ORDER BY address")
        query = "SELECT key, head FROM seal WHERE part = 'resource' ORDER BY key"
        marks = self._db.execute(query)  # one at a time: there may be a hundred thousand
        for row, mark in zip_longest(rows, marks):
            if row is None or mark != (row[0], seals.row_digest(*row)):
                raise state_damaged("the list of resources is not as it was written")
            address, fingerprint, forgotten = row
            if forgotten:
                heads.forgotten.add(Address.parse(address))
            else:
                heads.fingerprints[Address.parse(address)] = fingerprint
        return heads

    def open_calls(self, columns: str) -> list[Row]:
        """The rows of all calls that are not settled, oldest first; `op` is the first column."""
        rows = list(self.read_rows("operation", columns, "WHERE status <> 'settled' ORDER BY op"))
        query = "SELECT key FROM seal WHERE part = ? ORDER BY key"
        with self.explain_errors():
            if [row[:1] for row in rows] != self._db.execute(query, (seals.OPEN,)).fetchall():
                raise state_damaged("the list of calls is not as it was written")
            self._refuse_lost("member")
        return rows

    def _refuse_lost(self, table: str) -> None:
        (there,) = self._db.execute(f"SELECT count(*) FROM {table}").fetchone()
        query = "SELECT count(*) FROM seal WHERE part = ?"
        (sealed,) = self._db.execute(query, (table,)).fetchone()
        if there != sealed:
            raise state_damaged(f"{sealed} rows of {table} were written, and {there} are there")
