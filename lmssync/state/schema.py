"""Makes the tables of a new state, and refuses any other file."""

import sqlite3
import uuid
from contextlib import closing
from functools import cache

from ..errors import StateError
from . import entries, seals
from .codes import begin as begin_codes
from .damage import damaged
from .tables import FORMAT, TABLES


def check(db: sqlite3.Connection) -> None:
    """Refuses a file of another format, or with anything in it that lmssync has not made."""
    version = version_of(db)
    if version not in {0, FORMAT}:
        raise StateError(
            f"the state has format {version}; this lmssync reads format {FORMAT}",
            "with the lmssync that wrote it, run `lmssync state export`; with this one, `lmssync "
            "state import`",
        )
    strange = _things(db) ^ (_wanted() if version else set())
    if strange:
        kind, name, *_ = min(strange)
        raise damaged(f"its {kind} `{name}` is not that of a state of format {version}")


@cache
def _wanted() -> set[tuple[str, str, str, str]]:
    """What a state consists of."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return _things(db)


def _things(db: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Every table, index, trigger and view, and how it was made."""
    query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


def make_tables(db: sqlite3.Connection, *, home: bool = True) -> None:
    """Makes the tables of a new state where there are none, and seals what is in them.

    What is not its own `home` gets a log, or the beginning of one, from elsewhere.
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
        seals.watch(db)
        if home:
            begin(db)
            begin_codes(db)
            entries.begin(db)
        db.execute(f"PRAGMA user_version = {FORMAT}")


def version_of(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def begin(db: sqlite3.Connection) -> None:
    """Gives a new state its lineage; to be called inside a transaction."""
    rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
    db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
