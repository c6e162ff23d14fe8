"""The tables of a state file."""

from . import entries, list_rows, proofs, seals

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
