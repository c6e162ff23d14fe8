"""The tables of a state file, and what makes an older or newer one readable."""

import json
import sqlite3
import uuid
from collections.abc import Iterable
from pathlib import Path

from ..errors import StateError
from ..resource import unpack
from . import lock, proofs, seals
from .codes import Codes
from .codes import begin as begin_codes
from .concealment import conceal, wipe
from .damage import damaged

FORMAT = 5

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
_SINCE = {1: _TABLES, 2: _CARE, 3: _STEPS, 4: seals.TABLE, 5: proofs.TABLE}
"""What each format has added; a state that an older lmssync has made gets the rest."""
_CONCEALED = 3
"""The first format with codes in place of people."""
_SEALED = 4
"""The first format with seals."""


def check(db: sqlite3.Connection) -> None:
    """Refuses a file of another format, or with anything in it that lmssync has not made."""
    version = _version(db)
    if not 0 <= version <= FORMAT:
        raise StateError(
            f"the state has format {version}; this lmssync reads format {FORMAT}",
            "use the lmssync that wrote it, or a newer one",
        )
    wanted = sqlite3.connect(":memory:")
    _add(wanted, range(1, version + 1))
    strange = _things(db) ^ _things(wanted)
    wanted.close()
    if strange:
        kind, name, *_ = min(strange)
        raise damaged(f"its {kind} `{name}` is not that of a state of format {version}")


def _things(db: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Every table, index, trigger and view, and how it was made."""
    query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


def is_current(db: sqlite3.Connection) -> bool:
    return _version(db) == FORMAT


def prepare(db: sqlite3.Connection, file: Path) -> None:
    """Makes the tables of a new file, adds those of an older one, and seals what is in them.

    Raises `StateLocked` if an older one would be rewritten during another run.
    """
    version = _version(db)
    if version == FORMAT:
        return
    if not version:
        bring_up(db, Codes(db, file))
        return
    with lock.held(file, db):
        bring_up(db, Codes(db, file))
        if version < _CONCEALED:
            wipe(db)


def bring_up(db: sqlite3.Connection, codes: Codes, *, keep: bool = True) -> None:
    """Makes of these tables those of this format; `keep`s who is behind the codes, if asked to."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        version = _version(db)  # somebody else may have made them while we waited
        if version == FORMAT:
            return
        if version:
            _refuse_unreadable(db)
        _add(db, range(version + 1, FORMAT + 1))
        if not version:
            _begin(db)
        elif version < _CONCEALED:
            begin_codes(db)
            conceal(db, codes, keep=keep)
        if version < _SEALED:  # damage to a later one would be sealed as if it had been written
            seals.seal_all(db)
        db.execute(f"PRAGMA user_version = {FORMAT}")


def _refuse_unreadable(db: sqlite3.Connection) -> None:
    """What is sealed from now on is what can be read: raises what reading it raises."""
    for ids, form in db.execute("SELECT ids, form FROM resource"):
        json.loads(ids)["own"], unpack(form)
    for (form,) in db.execute("SELECT form FROM member"):
        unpack(form)


def _add(db: sqlite3.Connection, formats: Iterable[int]) -> None:
    for added in formats:
        for statement in _SINCE[added].split(";"):
            db.execute(statement)


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _begin(db: sqlite3.Connection) -> None:
    rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
    db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    db.execute("INSERT INTO lock VALUES (1, 0, '', '', 0, '')")
    begin_codes(db)
