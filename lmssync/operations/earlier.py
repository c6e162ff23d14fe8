"""Takes over a journal of rows as lmssync once kept it: a file beside the state of one machine."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ..errors import StateError, StateLocked
from ..state import ListRow, RowState, Store, alone, of_key, put_aside, uri_of

ENDING = ".operations.db"
"""Of the file: `state.operations.db` beside `state.db`."""
_FORMAT = 1
_COLUMNS = {
    "meta": ["key", "value"],
    "row": ["key", "operation", "deed", "mark", "state", "at", "answered"],
}
_ROWS = "SELECT hex(key), operation, deed, hex(mark), state, at, answered FROM row"
_LOST = (
    "restore it; if you move it away, lmssync no longer knows what it has recorded: compare each "
    "list with the platform before you send it again"
)


class EarlierJournal(NamedTuple):
    """What such a file says."""

    key: bytes
    """Of its hashes."""
    by_key: Mapping[str, ListRow]


def take_over(store: Store, file: Path, instance: str, tell: Callable[[str], None]) -> None:
    """Makes the rows of such a file rows of the state, which must be locked.

    Raises `StateLocked` while another run has the file, and `StateError` for any other file.
    """
    if not _is_there(file):
        return
    with alone(file) as ours:
        if not ours:
            busy = f"another run is using the journal {file}"
            raise StateLocked(busy, "wait until that run ends; then run this one again")
        earlier = _read_journal(file, instance, "rw")
        store.take_rows(list(earlier.by_key.values()), earlier.key)
        try:
            aside = put_aside(file)
        except OSError as error:
            hint = "move it away: its rows are in the state now"
            raise StateError(f"{file} cannot be renamed: {error.strerror}", hint) from None
    count = len(earlier.by_key)
    tell(
        f"the journal of lists is part of the state now: {count:,} rows were taken from "
        f"{file.name}, which is kept as {aside.name} and not read any more"
    )


def earlier_journal(file: Path, instance: str) -> EarlierJournal | None:
    """What such a file says, if there is one; raises `StateError` for any other file."""
    return _read_journal(file, instance, "ro") if _is_there(file) else None


def _is_there(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def _read_journal(file: Path, instance: str, mode: str) -> EarlierJournal:
    try:
        name = f"{uri_of(file.absolute())}?mode={mode}"
        with closing(sqlite3.connect(name, isolation_level=None, uri=True)) as db:
            db.execute("PRAGMA trusted_schema = OFF")
            _refuse_others(db, file)
            meta = dict(db.execute("SELECT key, value FROM meta"))
            key = bytes.fromhex(meta["key"])
            rows = [_make_row(row, of_key(key.hex())) for row in db.execute(_ROWS)]
    except (sqlite3.Error, LookupError, ValueError, TypeError) as error:
        raise StateError(f"the journal {file} cannot be used: {error}", _LOST) from None
    if meta["instance"] != instance:
        raise StateError(
            f"{file} is the journal of the instance at {meta['instance']}, but this run is for "
            f"{instance}",
            "give each environment a state of its own, and move the journal to its own",
        )
    return EarlierJournal(key, {row.key: row for row in rows})


def _refuse_others(db: sqlite3.Connection, file: Path) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master ORDER BY name")]
    tables = {
        name: [column[1] for column in db.execute(f"PRAGMA table_info({name})")]
        for name in names
        if name in _COLUMNS
    }
    if version != _FORMAT or tables != _COLUMNS:
        raise StateError(f"{file} is not a journal of this lmssync", _LOST)
    ((verdict,),) = db.execute("PRAGMA quick_check(1)").fetchall()
    if verdict != "ok":
        raise StateError(f"the journal {file} is damaged: {verdict}", _LOST)


def _make_row(row: tuple[str, str, str, str, str, int, int], hashed_with: str) -> ListRow:
    key, operation, deed, mark, state, at, answered = row
    named = operation, "", "", deed, mark.lower(), RowState(state)
    return ListRow(key.lower(), hashed_with, *named, at, bool(answered))
