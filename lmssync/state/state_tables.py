"""Makes the tables of a state, and opens a file that has these and nothing else.

A run that writes makes them where there are none; one that only looks leaves no trace.
"""

import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path, PurePath
from urllib.parse import quote

from ..errors import StateError
from . import list_rows, log_entries, proofs, sealed_rows, state_files
from .damage import REMEDY, explain_read_errors, state_damaged
from .people_codes import make_people_key

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
TABLES = f"{_RECORDS}{sealed_rows.TABLE}{proofs.TABLE}{log_entries.TABLE}{list_rows.TABLE}"
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
    # A trigger or a view that somebody added could change what our statements do. So the schema is
    # compared as text, and whatever is more or less is refused.
    strange = _list_schema(db) ^ (_expected_tables() if version else set())
    if strange:
        kind, name, *_ = min(strange)
        raise state_damaged(f"its {kind} `{name}` is not that of a state of format {version}")


@cache
def _expected_tables() -> set[tuple[str, str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return _list_schema(db)


def _list_schema(db: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Every table, index, trigger and view, and how it was made."""
    query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


def make_tables(db: sqlite3.Connection, *, own_log: bool = True) -> None:
    """Makes the tables of a new state where there are none, whose rows are sealed.

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
        sealed_rows.seal_writes(db)
        db.execute("INSERT INTO lock VALUES (1, 0, '', '', 0, '')")
        if own_log:
            begin_lineage(db)
            make_people_key(db)
            log_entries.begin_log(db)
        # Last in the transaction: a file without a version has no tables yet, whatever interrupted
        # the run.
        db.execute(f"PRAGMA user_version = {FORMAT}")


def version_of(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def begin_lineage(db: sqlite3.Connection) -> None:
    """Gives a new state its lineage; to be called inside a transaction."""
    rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
    db.executemany("INSERT INTO meta VALUES (?, ?)", rows)


_PATIENCE = 10
"""Seconds for which another connection is waited for."""


def open_for_writing(
    file: Path, inside: Path | None, *, own_log: bool = True
) -> sqlite3.Connection:
    """The state, made with its folder where there is none; raises `StateError`.

    One that has no `own_log`, since that is kept elsewhere, has no rows yet when it was made.
    """
    try:
        state_files.make_private(file, inside)
    except OSError as error:
        reason = error.strerror or error
        raise StateError(f"the state {file} cannot be opened: {reason}", REMEDY) from error
    with _connect_state(file, str(file)) as db:
        # Data that is written to a damaged file is lost.
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise state_damaged(verdict)
        # In WAL readers never wait for a writer. FULL syncs the log at each commit; the default of
        # some builds would lose the last commits with the power, and with them calls that were
        # made.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        make_tables(db, own_log=own_log)
        sealed_rows.seal_writes(db)
        return db


def open_for_reading(file: Path) -> sqlite3.Connection:
    """The state as it is; an empty one where there is none. Makes and changes no file."""
    if not file.exists() or not file.stat().st_size:
        return _empty_state()
    with _connect_state(file, _read_uri(file)) as db:
        if not version_of(db):  # nothing but the file was made before the disk was full
            db.close()
            return _empty_state()
        sealed_rows.add_digest_function(db)
        return db


@contextmanager
def _connect_state(file: Path, name: str) -> Iterator[sqlite3.Connection]:
    """A connection to a file that has the tables of a state and nothing else."""
    with explain_read_errors(file):
        db = sqlite3.connect(
            name, timeout=_PATIENCE, isolation_level="IMMEDIATE", uri=name.startswith("file:")
        )
        try:
            # A state may come from a stranger's repository: its schema must not call functions that
            # do something, and cells that reach beyond their page are noticed.
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA cell_size_check = ON")
            check_tables(db)
            yield db
        except BaseException:
            db.close()
            raise


def _read_uri(file: Path) -> str:
    """Where no other run is writing, nothing is made beside the file in order to read it."""
    log = file.with_name(f"{file.name}-wal")
    # A reader of a WAL file makes `-wal` and `-shm` files, which fails in a folder that is
    # read-only. `immutable` makes none, but ignores the log: so only where the log is empty.
    still = "" if log.exists() and log.stat().st_size else "&immutable=1"
    return f"{sqlite_uri(file)}?mode=ro{still}"


def sqlite_uri(file: PurePath) -> str:
    """A whole path as SQLite reads it, which may begin with a drive or the name of a server."""
    path = quote(os.fsencode(file.as_posix()))
    return f"file://{path}" if path.startswith("/") else f"file:///{path}"


def open_bare_tables() -> sqlite3.Connection:
    """The tables of a state without a row, which are nobody else's and gone with the connection."""
    db = sqlite3.connect("", isolation_level="IMMEDIATE")  # on the disk, once there are many
    db.execute("PRAGMA journal_mode = OFF")  # what fails is thrown away
    make_tables(db, own_log=False)
    return db


def _empty_state() -> sqlite3.Connection:
    """An empty state, even without a lineage, which is set when the file is created."""
    db = sqlite3.connect(":memory:", isolation_level="IMMEDIATE")
    make_tables(db)
    with db:
        db.execute("UPDATE meta SET value = '' WHERE key = 'lineage'")
    return db
