"""The tables of a state file, and what makes an older or newer one readable."""

import sqlite3
import uuid

from ..errors import StateError

FORMAT = 1

_TABLES = """
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
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op TEXT NOT NULL,
    fence INTEGER NOT NULL,
    type TEXT NOT NULL,
    time TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    fence INTEGER NOT NULL,
    holder TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    since TEXT NOT NULL
);
"""


def prepare(db: sqlite3.Connection) -> None:
    """Makes the tables of a new file; refuses a file of a later version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == FORMAT:
        return
    if version:
        raise StateError(
            f"the state has format {version}; this lmssync reads format {FORMAT}",
            "use the lmssync that wrote it, or a newer one",
        )
    db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {FORMAT}; COMMIT;")
    with db:
        rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
        db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
        db.execute("INSERT INTO lock VALUES (1, 0, '', '', 0, '')")
