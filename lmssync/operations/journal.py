"""The journal of the rows: each is on disk before it is sent, and again once its end is known.

It lies beside the state and names nobody: a row is a keyed hash of what was sent, and who and what
it is about is another one. The key lies in the journal, so that both are lost together.
"""

import hmac
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import orjson

from ..errors import StateError, StateLocked
from ..state import alone, make_private
from .journal_file import (
    CLOSED,
    closing,
    connected,
    make_durable,
    prepare,
    reading as reading_file,
    refuse_others,
)

if TYPE_CHECKING:
    from .operation import Body, Operation

ENDING = ".operations.db"
"""Of the file: `state.operations.db` beside `state.db`."""
_BYTES = 16
"""Of each hash: among 100 million rows, two share one with a chance of 1 in 60 sextillion."""


class RowState(StrEnum):
    """How far a row has come."""

    SENT = "sent"
    """Written down before it was sent. Found by a later run, nothing is known of its end."""
    DONE = "done"
    UNKNOWN = "unknown"
    NOT_DONE = "not-done"
    """Refused, never sent, or proven not to have been done: it may be sent."""


class RowEntry(NamedTuple):
    """What the journal says of a row."""

    mark: bytes
    state: RowState
    at: int
    """When it was sent, by the platform's clock, in milliseconds since 1970."""

    @property
    def open(self) -> bool:
        """True while nothing is known of its end."""
        return self.state in {RowState.SENT, RowState.UNKNOWN}


class Journal:
    """The rows of every operation of one environment; each write is on disk when it returns."""

    def __init__(self, db: sqlite3.Connection, file: Path) -> None:
        self._db, self._file = db, file
        with reading_file(file):
            (key,) = db.execute("SELECT value FROM meta WHERE key = 'key'").fetchone()
        self._key = bytes.fromhex(key)

    @classmethod
    @contextmanager
    def writing(cls, file: Path, inside: Path | None, instance: str) -> Iterator[Self]:
        """The journal, made where there is none, for one run at a time.

        Raises `StateLocked` while another run has it, and `StateError`.
        """
        try:
            make_private(file, inside)
        except OSError as error:
            raise StateError(f"{file} cannot be written: {error.strerror}", CLOSED) from None
        with alone(file) as ours:
            if not ours:
                busy = f"another run is using the journal {file}"
                raise StateLocked(busy, "wait until that run ends; then run this one again")
            with reading_file(file):
                db = connected(file, "rw")
            with closing(db):
                with reading_file(file):
                    prepare(db, instance)
                refuse_others(db, file, instance)
                with reading_file(file):
                    make_durable(db)
                yield cls(db, file)

    @classmethod
    @contextmanager
    def reading(cls, file: Path, instance: str) -> Iterator[Self | None]:
        """The journal as it is; nothing where there is none."""
        if not file.exists() or not file.stat().st_size:
            yield None
            return
        with reading_file(file):
            db = connected(file, "ro")
        with closing(db):
            refuse_others(db, file, instance)
            yield cls(db, file)

    # What a row is called here

    def key(self, operation: "Operation", body: "Body", occasion: str) -> bytes:
        """The name of a row: the same for the same content, wherever it stands in a list."""
        small = {name: value for name, value in body.items() if name not in _ids(operation)}
        ids = {name: body[name].lower() for name in _ids(operation)}
        said = orjson.dumps([operation.name, occasion, small | ids], option=orjson.OPT_SORT_KEYS)
        return self._hash(said)

    def mark(self, operation: "Operation", person: str, about: str, deed: str) -> bytes:
        """What an event has in common with the row that it came from."""
        return self._hash(orjson.dumps([operation.name, person.lower(), about.lower(), deed]))

    def _hash(self, said: bytes) -> bytes:
        return hmac.digest(self._key, said, "sha256")[:_BYTES]

    # What has become of it

    def entry(self, key: bytes) -> RowEntry | None:
        with reading_file(self._file):
            row = self._db.execute(
                "SELECT mark, state, at FROM row WHERE key = ?", (key,)
            ).fetchone()
        return RowEntry(row[0], RowState(row[1]), row[2]) if row else None

    def sent(self, key: bytes, operation: "Operation", row: RowEntry, deed: str) -> None:
        """Writes down that a row is about to be sent."""
        with reading_file(self._file):
            self._db.execute(
                "INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?, ?, ?, 0)",
                (key, operation.name, deed, *row),
            )

    def ended(self, key: bytes, state: RowState, *, answered: bool = False) -> None:
        """Writes down what became of it; `answered` where the platform itself said that it is
        done, as no look at a feed can."""
        with reading_file(self._file):
            self._db.execute(
                "UPDATE row SET state = ?, answered = ? WHERE key = ?", (state, answered, key)
            )

    def answered(self, operation: "Operation", deed: str, since: int) -> list[tuple[bytes, int]]:
        """Mark and time of the rows from a time on that the platform itself said are done."""
        with reading_file(self._file):
            return self._db.execute(
                "SELECT mark, at FROM row"
                " WHERE operation = ? AND deed = ? AND at >= ? AND answered",
                (operation.name, deed, since),
            ).fetchall()


def _ids(operation: "Operation") -> set[str]:
    return {operation.person, operation.about}
