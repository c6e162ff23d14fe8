"""Which rows a transaction writes and removes, so that an entry of the log has them.

Triggers of the connection collect them, for every statement and every column: no writer has to
think of them.
"""

import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson

from ..resource import unpack_bounded
from . import sealed_rows
from .damage import state_damaged
from .sealed_rows import LOGGED_TABLES, TableShape, TableShapes

HIDDEN = "people key"
"""The one row that stays out of every entry: the key of people (`people_codes`)."""
_LENGTH = struct.Struct(">I")
_JSON_LEAST, _JSON_TIMES, _BRACKET_EACH = 1024**2, 30, 10
_FORM_OF_MEMBER = "SELECT form FROM member WHERE op = ? AND position = ?"


class RowChange(NamedTuple):
    """A row that is there now, or, without values, one that is gone."""

    table: str
    key: tuple[Any, ...]
    values: tuple[Any, ...] | None = None


class Changes:
    """The rows that a connection has changed since `forget_rows`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._rows: dict[tuple[str, tuple[Any, ...]], tuple[Any, ...] | None] = {}
        self._forms: dict[bytes, tuple[Any, ...]] = {}
        """Forms of parts that are gone, with their keys: records often have them next."""
        self.tell_ids: Callable[[str, str | None], None] = lambda _address, _ids: None
        """Is told the column of ids of each resource that is written, and of none that is gone."""
        # SQLite has no hook that gives the values of a changed row to Python, so triggers call
        # these functions.
        db.create_function("row_is", -1, self._note_written)
        db.create_function("row_gone", -1, self._note_removed)
        for statement in _change_triggers(sealed_rows.read_table_shapes(db)):
            db.execute(statement)

    def forget_rows(self) -> None:
        self._rows.clear()
        self._forms.clear()

    def _note_written(self, table: str, keys: int, *row: Any) -> None:
        if (table, row[0]) != ("meta", HIDDEN):
            self._note_row(table, row[:keys], row[keys:])
        if table == "resource":
            self.tell_ids(row[0], row[2])

    def _note_removed(self, table: str, keys: int, *row: Any) -> None:
        if (table, row[0]) == ("meta", HIDDEN):
            return
        # A form that a part of a call had is often what is recorded next. The entry then names that
        # part, in place of having a large form twice.
        if len(row) > keys and (table, row[:keys]) not in self._rows:
            self._forms[row[keys]] = row[:keys]
        self._note_row(table, row[:keys], None)
        if table == "resource":
            self.tell_ids(row[0], None)

    def _note_row(self, table: str, key: tuple[Any, ...], values: tuple[Any, ...] | None) -> None:
        self._rows.pop((table, key), None)  # the order is that of the last writes
        self._rows[table, key] = values

    def pack_rows(self, db: sqlite3.Connection) -> bytes:
        """All changed rows, packed for an entry; nothing if there are none."""
        changes = [RowChange(*place, values) for place, values in self._rows.items()]
        return pack_changes(db, changes, self._forms) if changes else b""


@cache
def _change_triggers(shapes: TableShapes) -> tuple[str, ...]:
    logged = [(table, shape) for table, shape in shapes if table in LOGGED_TABLES]
    return tuple(
        trigger for table, shape in logged for trigger in _log_triggers_of_table(table, shape)
    )


def _log_triggers_of_table(table: str, shape: TableShape) -> Iterator[str]:
    columns, keys = _with_number(shape)

    def call(name: str, row: str, extra: Sequence[str] = ()) -> str:
        values = ", ".join(f"{row}.{column}" for column in (*keys, *extra))
        return f"SELECT {name}('{table}', {len(keys)}, {values})"

    now = call("row_is", "NEW", columns)
    differs = " OR ".join(f"OLD.{key} IS NOT NEW.{key}" for key in keys)
    left = call("row_gone", "OLD", ["form"] if table == "member" else ())
    on = f"CREATE TEMP TRIGGER {table}_log"
    yield f"{on}_made AFTER INSERT ON main.{table} BEGIN {now}; END"
    yield f"{on}_changed AFTER UPDATE ON main.{table} BEGIN {left} WHERE {differs}; {now}; END"
    yield f"{on}_gone AFTER DELETE ON main.{table} BEGIN {left}; END"


def _with_number(shape: TableShape) -> TableShape:
    """The columns of a table and its key; a row without a key is known by its number."""
    return shape._replace(columns=("rowid", *shape.columns)) if "rowid" in shape.keys else shape


def table_shape(db: sqlite3.Connection, table: str) -> TableShape:
    return _with_number(dict(sealed_rows.read_table_shapes(db))[table])


def pack_changes(
    db: sqlite3.Connection, changes: Iterable[RowChange], forms: Mapping[bytes, Any] = {}
) -> bytes:
    """Rows as bytes. Forms are packed already and follow as they are; one that a part had before
    (`forms`) is named by the key of that part."""
    blobs: list[bytes] = []
    shapes: dict[str, Sequence[str]] = {}

    def plain(table: str, value: Any) -> Any:
        if not isinstance(value, bytes):
            return value
        if table == "resource" and value in forms:
            return {"of": forms[value]}
        blobs.append(value)
        return {"bytes": len(value)}

    rows = []
    for table, key, values in changes:
        if table not in shapes:
            shapes[table] = table_shape(db, table)[0]
        shown = None if values is None else [plain(table, value) for value in values]
        rows.append((table, key, shown))
    # The names of the columns are part of the entry: an lmssync whose tables have further columns,
    # with defaults, plays the entries of an older one.
    head = zlib.compress(orjson.dumps({"columns": shapes, "rows": rows}), 1)
    return b"".join([_LENGTH.pack(len(head)), head, *blobs])


def play_changes(db: sqlite3.Connection, packed: bytes) -> None:
    """Writes packed rows; to be called inside a transaction."""
    if not packed:
        return
    (length,) = _LENGTH.unpack_from(packed)
    head = read_packed_json(packed[_LENGTH.size : _LENGTH.size + length])
    at = _LENGTH.size + length
    changes = []
    for table, key, shown in head["rows"]:
        if table not in LOGGED_TABLES:
            raise state_damaged(f"an entry of its log is about `{table}`")
        values = []
        for value in shown or ():
            if isinstance(value, dict) and "bytes" in value:
                values.append(packed[at : at + value["bytes"]])
                at += value["bytes"]
            elif isinstance(value, dict):
                values.append(_read_form(db, value["of"]))
            else:
                values.append(value)
        changes.append(RowChange(table, tuple(key), None if shown is None else tuple(values)))
    _write_changes(db, changes, head["columns"])


def read_packed_json(packed: bytes) -> Any:
    """JSON of a log; raises `ValueError` or `zlib.error`, also for what would fill the memory.

    Whoever can write to a backend can write JSON that becomes a thousand times as large. What
    lmssync writes is unpacked to ten times its size at most, and has one bracket in twenty
    characters.
    """
    text = unpack_bounded(packed, _JSON_LEAST + _JSON_TIMES * len(packed))
    brackets = text.count(b"[") + text.count(b"{")
    if brackets > _JSON_LEAST + len(text) // _BRACKET_EACH:
        raise ValueError("its JSON has more lists than an entry of a log can have")
    return orjson.loads(text)


def _read_form(db: sqlite3.Connection, key: Sequence[Any]) -> bytes:
    row = db.execute(_FORM_OF_MEMBER, tuple(key)).fetchone()
    if row is None:
        raise state_damaged(f"an entry of its log names a part of {key[0]} that is not there")
    form: bytes = row[0]
    return form


def _write_changes(
    db: sqlite3.Connection, changes: Iterable[RowChange], columns: Mapping[str, Sequence[str]]
) -> None:
    known = {table: table_shape(db, table) for table in LOGGED_TABLES}
    for table, key, values in changes:
        named, keys = known[table]
        where = " AND ".join(f"{name} IS ?" for name in keys)
        db.execute(f"DELETE FROM {table} WHERE {where}", key)  # REPLACE would leave seals behind
        if values is None:
            continue
        if not {*columns[table]} <= {*named}:
            raise state_damaged(f"an entry of its log has other columns of `{table}`")
        marks = ", ".join("?" * len(values))
        names = ", ".join(columns[table])
        db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)


def list_every_row(db: sqlite3.Connection) -> Iterator[RowChange]:
    for table in LOGGED_TABLES:
        columns, keys = table_shape(db, table)
        key = [columns.index(name) for name in keys]
        for row in db.execute(
            f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(keys)}"
        ):
            if (table, row[0]) != ("meta", HIDDEN):
                yield RowChange(table, tuple(row[place] for place in key), row)


def remove_all_rows(db: sqlite3.Connection) -> None:
    """Removes all rows but the secret one."""
    for table in LOGGED_TABLES:
        db.execute(
            f"DELETE FROM {table}" + (f" WHERE key <> '{HIDDEN}'" if table == "meta" else "")
        )
