"""The tables of a state file, and what makes an older or newer one readable."""

import sqlite3
import uuid
from pathlib import Path

from ..errors import StateError
from . import codes, lock
from .concealment import conceal, wipe

FORMAT = 3

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
_CARE = """
CREATE TABLE moved (old TEXT NOT NULL, new TEXT NOT NULL, time TEXT NOT NULL);
CREATE INDEX moved_old ON moved (old);
CREATE TABLE protected (address TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_STEPS = """
CREATE TABLE step (
    address TEXT NOT NULL,
    field TEXT NOT NULL,
    text TEXT NOT NULL,
    since TEXT NOT NULL,
    lasting INTEGER NOT NULL,
    PRIMARY KEY (address, field)
) WITHOUT ROWID;
"""
_SINCE = {1: _TABLES, 2: _CARE, 3: _STEPS}
"""What each format has added; a state that an older lmssync has made gets the rest."""
_CONCEALED = 3
"""The format since which people are told by codes."""


def prepare(db: sqlite3.Connection, file: Path) -> None:
    """Makes the tables of a new file, adds those of an older one; refuses one of a later format.

    Raises `StateLocked` where an older one would be rewritten under the hands of a run.
    """
    version = _version(db)
    if version == FORMAT:
        return
    if not 0 < version < _CONCEALED:
        _bring_up(db, file)
        return
    with lock.held(file, db):
        _bring_up(db, file)
        wipe(db)


def _bring_up(db: sqlite3.Connection, file: Path) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        version = _version(db)  # somebody else may have made them while we waited
        if version > FORMAT:
            raise StateError(
                f"the state has format {version}; this lmssync reads format {FORMAT}",
                "use the lmssync that wrote it, or a newer one",
            )
        for added in range(version + 1, FORMAT + 1):
            for statement in _SINCE[added].split(";"):
                db.execute(statement)
        if not version:
            _begin(db)
        elif version < _CONCEALED:
            codes.begin(db)
            conceal(db, file)
        db.execute(f"PRAGMA user_version = {FORMAT}")


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _begin(db: sqlite3.Connection) -> None:
    rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
    db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    db.execute("INSERT INTO lock VALUES (1, 0, '', '', 0, '')")
    codes.begin(db)
