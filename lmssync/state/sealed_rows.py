"""A digest of each row, made when it is written and compared when it is read.

Triggers of the connection make them, for every statement and every column: no writer has to
think of them. A row that is not as it was sealed cannot be changed: damage is never sealed.
"""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..resource import Address
from .damage import MADE_ANEW, Stamp, StateDamaged, damaged_mark, explain_read_errors, state_damaged

TABLE = """
CREATE TABLE seal (
    part TEXT NOT NULL,
    key TEXT NOT NULL,
    head BLOB,
    digest BLOB NOT NULL,
    PRIMARY KEY (part, key)
) WITHOUT ROWID;
"""
LOGGED_TABLES = (
    "meta",
    "resource",
    "operation",
    "member",
    "moved",
    "protected",
    "step",
    "proof",
    "list_row",
)
"""The tables that replaying the log gives. The lock follows from its leases, triggers make the
seals."""
_SEALED = (*LOGGED_TABLES, "lock")
"""All but the journal, from which nothing is decided."""
HEAD = "address, fingerprint, forgotten"
"""Of a resource, what lists are made of: compared without reading the rest of its row."""
OPEN = "open"
"""The part that names each call that is not settled: none of them can be lost unseen."""


def row_digest(*values: object) -> bytes:
    """The digest of the values of a row, in their order; a number is not the text that looks like
    it."""
    spelled = [_spell_value(value) for value in values]
    # The lengths come first, so that ("ab", "c") and ("a", "bc") have different digests.
    lengths = b"%d " * len(spelled) % tuple(map(len, spelled))
    return hashlib.sha256(lengths + b"".join(spelled)).digest()


def _head_digest(address: Any, fingerprint: Any, forgotten: Any) -> bytes:
    """The digest of a head; in half the time for one of plain letters that is not forgotten, as
    nearly all of a large state are."""
    is_plain = address.__class__ is fingerprint.__class__ is str and forgotten.__class__ is int
    if is_plain and not forgotten:
        text = f"{len(address) + 1} {len(fingerprint) + 1} 2 t{address}t{fingerprint}n0"
        if text.isascii():
            return hashlib.sha256(text.encode()).digest()
    return row_digest(address, fingerprint, forgotten)


def _spell_value(value: object) -> bytes:
    if isinstance(value, str):
        # A lone half of a character can be in a text that came from JSON. Plain UTF-8 refuses it,
        # and a row that cannot be sealed could not be written at all.
        return b"t" + value.encode("utf-8", "surrogatepass")
    return value if isinstance(value, bytes) else b"n%r" % (value,)


def seal_writes(db: sqlite3.Connection) -> None:
    """From now on, whatever this connection writes is sealed."""
    add_digest_function(db)
    # The triggers are temporary: they belong to the connection, and making them twice is an error.
    if db.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'meta_made'").fetchone():
        return
    for statement in _seal_triggers(read_table_shapes(db)):
        db.execute(statement)


def add_digest_function(db: sqlite3.Connection) -> None:
    """Lets a connection compare seals."""
    db.create_function("digest_of", -1, row_digest, deterministic=True)


class TableShape(NamedTuple):
    """The names of the columns of a table."""

    columns: tuple[str, ...]
    keys: tuple[str, ...]
    """Those that tell a row from the others; `rowid` where none does."""


TableShapes = tuple[tuple[str, TableShape], ...]
_KNOWN_SHAPES: list[TableShapes] = []


def read_table_shapes(db: sqlite3.Connection) -> TableShapes:
    """The shape of each sealed table: read once, since every state has the same tables."""
    # `check_tables` has compared the file with our tables letter by letter, or it is a new one.
    if not _KNOWN_SHAPES:
        _KNOWN_SHAPES.append(tuple((table, _read_shape(db, table)) for table in _SEALED))
    return _KNOWN_SHAPES[0]


def _read_shape(db: sqlite3.Connection, table: str) -> TableShape:
    rows = db.execute(f"PRAGMA main.table_info({table})").fetchall()
    keys = sorted((place, name) for _, name, *_, place in rows if place)
    names = tuple(name for _, name, *_ in rows)
    return TableShape(names, tuple(name for _, name in keys) or ("rowid",))


def _seal_values(table: str, shape: TableShape, row: str) -> tuple[str, str, str, str]:
    """The values that a seal covers, as SQL; `row` is `NEW.`, `OLD.` or the name of the table."""
    # The unit separator is in no address, field or id, so two keys of several columns cannot be
    # spelled alike.
    key = " || char(31) || ".join(row + name for name in shape.keys)
    head = ", ".join(row + name for name in HEAD.split(", ")) if table == "resource" else ""
    return (
        f"'{table}'",
        f"CAST({key} AS TEXT)",
        f"digest_of({head})" if head else "NULL",
        f"digest_of({', '.join(row + name for name in shape.columns)})",
    )


@cache
def _intact_conditions(shapes: TableShapes) -> dict[str, str]:
    """For each table, the expression that is true for a row that is as it was sealed."""
    return {table: _intact_condition(table, shape, f"{table}.") for table, shape in shapes}


def _intact_condition(table: str, shape: TableShape, row: str) -> str:
    part, key, _, row_digest = _seal_values(table, shape, row)
    return f"{row_digest} IS (SELECT digest FROM seal WHERE part = {part} AND key = {key})"


@cache
def _seal_triggers(shapes: TableShapes) -> tuple[str, ...]:
    return tuple(
        trigger for table, shape in shapes for trigger in _seal_triggers_of_table(table, shape)
    )


def _seal_triggers_of_table(table: str, shape: TableShape) -> Iterator[str]:
    values = _seal_values(table, shape, "NEW.")
    old = _seal_values(table, shape, "OLD.")[1]
    seal = f"INSERT OR REPLACE INTO seal VALUES ({', '.join(values)});"
    lift = f"DELETE FROM seal WHERE part = '{table}' AND key = {old};"
    if table == "operation":
        seal += (
            f" INSERT INTO seal SELECT '{OPEN}', NEW.op, NULL, digest_of(NEW.op)"
            " WHERE NEW.status <> 'settled';"
        )
        lift += f" DELETE FROM seal WHERE part = '{OPEN}' AND key = OLD.op;"
    intact = _intact_condition(table, shape, "OLD.")
    guard = f"SELECT RAISE(ABORT, 'a row of {table}') WHERE NOT {intact};"
    on = f"CREATE TEMP TRIGGER {table}_"
    yield f"{on}made AFTER INSERT ON main.{table} BEGIN {seal} END"
    # Only an update is guarded: it would seal the damage. A delete takes the seal away with the
    # row.
    yield f"{on}changed AFTER UPDATE ON main.{table} BEGIN {guard} {lift} {seal} END"
    yield f"{on}gone AFTER DELETE ON main.{table} BEGIN {lift} END"


Row = tuple[Any, ...]


class ResourceHeads(NamedTuple):
    """Addresses and fingerprints of all resources, which are read without opening any record."""

    fingerprints: dict[Address, str]
    """Of those that are managed."""
    forgotten: set[Address]


class SealedTables:
    """The tables of a state whose rows have seals; every method raises `StateError`.

    A reader without a lock passes the stamp that the file had `before`: it may have been written
    since.
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
            self._intact = _intact_conditions(read_table_shapes(db))
        self._heads: tuple[tuple[int, int] | None, ResourceHeads] = (None, ResourceHeads({}, set()))
        self._metas: tuple[tuple[int, int] | None, Mapping[str, str]] = (None, {})

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
        # SQLite calls `digest_of` for each row as it is read, so no row is ever seen without its
        # seal being compared.
        query = f"SELECT {columns}, {self._intact[table]} FROM {table} {where}"
        with self.explain_errors():
            for row in self._db.execute(query, values):
                if not row[-1]:
                    raise state_damaged(f"a row of {table} is not as it was written: {row[0]}")
                yield row[:-1]

    def read_all_rows(self, table: str, columns: str, where: str = "") -> Iterator[Row]:
        """The rows of a table, of which none is missing."""
        with self.explain_errors():
            self._refuse_lost(table)
        yield from self.read_rows(table, columns, where)

    def read_rows_of(
        self, table: str, columns: str, addresses: Iterable[Address]
    ) -> dict[str, Row]:
        """The rows of some addresses; the first of the columns is the address."""
        names = orjson.dumps([str(address) for address in addresses]).decode()
        where = "WHERE address IN (SELECT value FROM json_each(?))"
        return {row[0]: row for row in self.read_rows(table, columns, where, names)}

    def read_row(
        self, table: str, columns: str, key: tuple[str, str], what: str = "row"
    ) -> Row | None:
        """The row with a key (its column, its value), if there is one; `what` errors call it."""
        column, value = key
        for row in self.read_rows(table, columns, f"WHERE {column} = ?", value):
            return row
        # No row, but a seal: the row was written and is lost. Without this look it would be created
        # a second time.
        query = "SELECT 1 FROM seal WHERE part = ? AND key = ?"
        with self.explain_errors():
            if self._db.execute(query, (table, value)).fetchone():
                raise state_damaged(f"the {what} of {value} is missing")
        return None

    def find_resources(self, addresses: Sequence[str]) -> set[str]:
        """Those of some addresses that have a row of a resource; one that is lost is damage."""
        return self._find_among(
            "IN (SELECT value FROM json_each(?1))", orjson.dumps(addresses).decode()
        )

    def find_of_kind(self, kind: str) -> set[str]:
        """The addresses of all resources of a kind; one that is lost is damage."""
        return self._find_among("BETWEEN ?1 AND ?2", f"{kind}.", f"{kind}/")  # it comes after `.`

    def _find_among(self, some: str, *values: str) -> set[str]:
        seals = f"SELECT key FROM seal WHERE part = 'resource' AND key {some}"
        query = f"{seals} UNION ALL SELECT address FROM resource WHERE address {some}"
        with self.explain_errors():
            found = Counter(key for (key,) in self._db.execute(query, values))
            for address, number in found.items():
                if number == 1:
                    raise state_damaged(f"the record of {address} is missing")
        return {*found}

    def _count_writes(self) -> tuple[int, int]:
        """A pair of numbers that is another one after each write."""
        (theirs,) = self._db.execute("PRAGMA data_version").fetchone()
        # `data_version` changes only with commits of other connections, `total_changes` only with
        # ours. Together they notice every write, for the price of two calls in place of a whole
        # table.
        return theirs, self._db.total_changes

    def read_metas(self) -> Mapping[str, str]:
        """The values of `meta` by key: none is missing. It is the same as long as nobody writes."""
        with self.explain_errors():
            now = self._count_writes()
            if self._metas[0] != now:
                rows: dict[str, str] = dict(self.read_all_rows("meta", "key, value"))
                # A rollback is no write, but takes back what was read inside of a transaction.
                self._metas = (None if self._db.in_transaction else now), rows
            return self._metas[1]

    def read_heads(self) -> ResourceHeads:
        """Every resource: none is missing. It is the same as long as nobody writes."""
        with self.explain_errors():
            now = self._count_writes()
            if self._heads[0] != now:
                self._heads = now, self._read_heads()
            return self._heads[1]

    def _read_heads(self) -> ResourceHeads:
        heads = ResourceHeads({}, set())
        rows = self._db.execute(f"SELECT {HEAD} FROM resource ORDER BY address")
        query = "SELECT key, head FROM seal WHERE part = 'resource' ORDER BY key"
        marks = self._db.execute(query)  # one at a time: there may be a hundred thousand
        for row, mark in zip_longest(rows, marks):
            if row is None or mark != (row[0], _head_digest(*row)):
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
            if [row[:1] for row in rows] != self._db.execute(query, (OPEN,)).fetchall():
                raise state_damaged("the list of calls is not as it was written")
            self._refuse_lost("member")
        return rows

    def _refuse_lost(self, table: str) -> None:
        (there,) = self._db.execute(f"SELECT count(*) FROM {table}").fetchone()
        query = "SELECT count(*) FROM seal WHERE part = ?"
        (sealed,) = self._db.execute(query, (table,)).fetchone()
        if there != sealed:
            raise state_damaged(f"its table {table} has {there} rows, and {sealed} were written")


class StateIdentity:
    """A state, as far as it says which one it is."""

    _sealed: SealedTables

    @property
    def lineage(self) -> str:
        """Set once, when the state is created, and empty before: two lineages never compare."""
        return self._sealed.read_metas()["lineage"]

    @property
    def serial(self) -> int:
        """Grows by one with each recorded change."""
        return int(self._sealed.read_metas()["serial"])

    @property
    def environment(self) -> str | None:
        """The environment whose platform this state is about; None before a first write."""
        return self._sealed.read_metas().get("environment")

    @property
    def instance(self) -> str | None:
        """The address of the instance of the recorded ids; None before the first write."""
        return self._sealed.read_metas().get("instance")
