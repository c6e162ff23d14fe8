"""Makes the tables of a new state, and refuses any other file."""

import sqlite3
import uuid
from contextlib import closing
from functools import cache

from ..errors import StateError
from . import entries, list_rows, proofs, seals
from .codes import make_people_key
from .damage import state_damaged

FORMAT = 1
_RECORDS = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE resource (
    address TEXT PRIMARY KEY,
    ids TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    form BLOB NOT NULL,
    applied_at TEXT NOT NULL,
    plan TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE operation (
    op TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    route TEXT NOT NULL,
    params TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    plan TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    answer TEXT,
    started_at TEXT NOT NULL
);
CREATE INDEX operation_open ON operation (status) WHERE status <> 'settled';
CREATE TABLE member (
    op TEXT NOT NULL,
    position INTEGER NOT NULL,
    address TEXT NOT NULL,
    form BLOB NOT NULL,
    marker TEXT,
    adds INTEGER NOT NULL,
    repeatable INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (op, position)
) WITHOUT ROWID;
CREATE TABLE lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    fence INTEGER NOT NULL,
    holder TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    since TEXT NOT NULL
);
CREATE TABLE moved (old TEXT NOT NULL, new TEXT NOT NULL, time TEXT NOT NULL);
CREATE INDEX moved_old ON moved (old);
CREATE TABLE protected (address TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE step (
    address TEXT NOT NULL,
    field TEXT NOT NULL,
    text TEXT NOT NULL,
    since TEXT NOT NULL,
    lasting INTEGER NOT NULL,
    PRIMARY KEY (address, field)
) WITHOUT ROWID;
"""
TABLES = f"{_RECORDS}{seals.TABLE}{proofs.TABLE}{entries.TABLE}{list_rows.TABLE}"
"""A file is compared with them letter by letter."""


def check_tables(db: sqlite3.Connection) -> None:
    """Refuses a file of another format, or with anything in it that lmssync has not made."""
    version = version_of(db)
    if version not in {0, FORMAT}:
        raise StateError(
            f"the state has format {version}; this lmssync reads format {FORMAT}",
            "with the lmssync that wrote it: `lmssync state export FILE --people-key KEYFILE`; "
            "move the state away; with this one: `lmssync state import FILE --people-key KEYFILE`",
        )
    strange = _list_schema(db) ^ (_expected_tables() if version else set())
    if strange:
        kind, name, *_ = min(strange)
        raise state_damaged(f"its {kind} `{name}` is not that of a state of format {version}")


@cache
def _expected_tables() -> set[tuple[str, str, str, str]]:
    """What a state consists of."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return _list_schema(db)


def _list_schema(db: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Every table, index, trigger and view, and how it was made."""
    query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


def make_tables(db: sqlite3.Connection, *, own_log: bool = True) -> None:
    """Makes the tables of a new state where there are none, and seals what is in them.

    One without an `own_log` gets its log, or the beginning of one, from elsewhere.
    """
    if version_of(db) == FORMAT:
        return
    with db:
        db.execute("BEGIN IMMEDIATE")
        if version_of(db) == FORMAT:  # somebody else has made them while we waited
            return
        for statement in TABLES.split(";"):
            db.execute(statement)
        db.execute("INSERT INTO lock VALUES (1, 0, '', '', 0, '')")
        seals.seal_all(db)
        seals.seal_writes(db)
        if own_log:
            begin_lineage(db)
            make_people_key(db)
            entries.begin_log(db)
        db.execute(f"PRAGMA user_version = {FORMAT}")


def version_of(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def begin_lineage(db: sqlite3.Connection) -> None:
    """Gives a new state its lineage; to be called inside a transaction."""
    rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
    db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
