"""A digest of each row, made when it is written and compared when it is read.

Triggers of the connection make them, for every statement and every column: no writer has
to think of them. A row that is not as it was sealed cannot be changed: damage is never sealed.
"""

import hashlib
import sqlite3
from collections.abc import Iterator

TABLE = """
CREATE TABLE seal (
    part TEXT NOT NULL,
    key TEXT NOT NULL,
    head BLOB,
    digest BLOB NOT NULL,
    PRIMARY KEY (part, key)
) WITHOUT ROWID;
"""
_SEALED = (
    "meta",
    "resource",
    "operation",
    "member",
    "lock",
    "moved",
    "protected",
    "step",
    "proof",
    "list_row",
)
"""All but the journal, from which nothing is decided."""
HEAD = "address, fingerprint, forgotten"
"""Of a resource, what lists are made of: compared without reading the rest of its row."""
OPEN = "open"
"""The part that names each call that is not settled: none of them can be lost unseen."""


def row_digest(*values: object) -> bytes:
    """Of the values of a row, in their order; a number is not the text that looks like it."""
    spelled = [_spell_value(value) for value in values]
    lengths = b"%d " * len(spelled) % tuple(map(len, spelled))
    return hashlib.sha256(lengths + b"".join(spelled)).digest()


def _spell_value(value: object) -> bytes:
    if isinstance(value, str):
        return b"t" + value.encode("utf-8", "surrogatepass")
    return value if isinstance(value, bytes) else b"n%r" % (value,)


def seal_writes(db: sqlite3.Connection) -> None:
    """From now on, whatever this connection writes is sealed."""
    add_digest_function(db)
    if db.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'meta_made'").fetchone():
        return
    for table in _SEALED:
        for statement in _seal_triggers(db, table):
            db.execute(statement)


def add_digest_function(db: sqlite3.Connection) -> None:
    """Lets a connection compare seals."""
    db.create_function("digest_of", -1, row_digest, deterministic=True)


def seal_all(db: sqlite3.Connection) -> None:
    """Seals every row that there is: of a new state, or of one from before there were seals."""
    add_digest_function(db)
    db.execute("DELETE FROM seal")
    for table in _SEALED:
        values = ", ".join(_seal_values(db, table, ""))
        db.execute(f"INSERT INTO seal SELECT {values} FROM {table}")
    db.execute(f"INSERT INTO seal {_open_seal('')} FROM operation WHERE status <> 'settled'")


def column_names(db: sqlite3.Connection, table: str) -> tuple[list[str], list[str]]:
    """The names of all columns, and of those that tell a row from the others."""
    rows = db.execute(f"PRAGMA main.table_info({table})").fetchall()
    keys = sorted((place, name) for _, name, *_, place in rows if place)
    return [name for _, name, *_ in rows], [name for _, name in keys] or ["rowid"]


def _seal_values(db: sqlite3.Connection, table: str, row: str) -> tuple[str, str, str, str]:
    """What the seal of a row consists of, as expressions; `row` is `NEW.`, `OLD.` or nothing."""
    names, keys = column_names(db, table)
    key = " || char(31) || ".join(row + name for name in keys)
    head = ", ".join(row + name for name in HEAD.split(", ")) if table == "resource" else ""
    return (
        f"'{table}'",
        f"CAST({key} AS TEXT)",
        f"digest_of({head})" if head else "NULL",
        f"digest_of({', '.join(row + name for name in names)})",
    )


def intact_conditions(db: sqlite3.Connection) -> dict[str, str]:
    """By table, the expression that is true for a row that is as it was sealed."""
    return {table: _intact_condition(db, table, f"{table}.") for table in _SEALED}


def _intact_condition(db: sqlite3.Connection, table: str, row: str) -> str:
    part, key, _, row_digest = _seal_values(db, table, row)
    return f"{row_digest} IS (SELECT digest FROM seal WHERE part = {part} AND key = {key})"


def _seal_triggers(db: sqlite3.Connection, table: str) -> Iterator[str]:
    values, old = _seal_values(db, table, "NEW."), _seal_values(db, table, "OLD.")[1]
    seal = f"INSERT OR REPLACE INTO seal VALUES ({', '.join(values)});"
    lift = f"DELETE FROM seal WHERE part = '{table}' AND key = {old};"
    if table == "operation":
        seal += f" INSERT INTO seal {_open_seal('NEW.')} WHERE NEW.status <> 'settled';"
        lift += f" DELETE FROM seal WHERE part = '{OPEN}' AND key = OLD.op;"
    guard = (
        f"SELECT RAISE(ABORT, 'a row of {table}') WHERE NOT {_intact_condition(db, table, 'OLD.')};"
    )
    on = f"CREATE TEMP TRIGGER {table}_"
    yield f"{on}made AFTER INSERT ON main.{table} BEGIN {seal} END"
    yield f"{on}checked BEFORE UPDATE ON main.{table} BEGIN {guard} END"
    yield f"{on}changed AFTER UPDATE ON main.{table} BEGIN {lift} {seal} END"
    yield f"{on}gone AFTER DELETE ON main.{table} BEGIN {lift} END"


def _open_seal(row: str) -> str:
    return f"SELECT '{OPEN}', {row}op, NULL, digest_of({row}op)"
