"""Opens a state: for a run that writes, or for one that only looks and leaves no trace."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from urllib.parse import quote

from ..errors import StateError
from . import files, seals
from .damage import REMEDY, explain_read_errors, state_damaged
from .schema import check_tables, make_tables, version_of

_PATIENCE = 10
"""Seconds for which another connection is waited for."""


def open_for_writing(
    file: Path, inside: Path | None, *, own_log: bool = True
) -> sqlite3.Connection:
    """The state, made with its folder where there is none; raises `StateError`.

    One that has no `own_log`, since that is kept elsewhere, has no rows yet when it was made.
    """
    try:
        files.make_private(file, inside)
    except OSError as error:
        reason = error.strerror or error
        raise StateError(f"the state {file} cannot be opened: {reason}", REMEDY) from error
    with _connect_state(file, str(file)) as db:
        _refuse_broken(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        make_tables(db, own_log=own_log)
        seals.seal_writes(db)
        return db


def open_for_reading(file: Path) -> sqlite3.Connection:
    """The state as it is; an empty one where there is none. Makes and changes no file."""
    if not file.exists() or not file.stat().st_size:
        return _empty_state()
    with _connect_state(file, _read_uri(file)) as db:
        if not version_of(db):  # nothing but the file was made before the disk was full
            db.close()
            return _empty_state()
        seals.add_digest_function(db)
        return db


@contextmanager
def _connect_state(file: Path, name: str) -> Iterator[sqlite3.Connection]:
    """A connection to a file that has the tables of a state and nothing else."""
    with explain_read_errors(file):
        db = sqlite3.connect(
            name, timeout=_PATIENCE, isolation_level="IMMEDIATE", uri=name.startswith("file:")
        )
        try:
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
    still = "" if log.exists() and log.stat().st_size else "&immutable=1"
    return f"{sqlite_uri(file)}?mode=ro{still}"


def sqlite_uri(file: PurePath) -> str:
    """A whole path as SQLite reads it, which may begin with a drive or the name of a server."""
    path = quote(os.fsencode(file.as_posix()))
    return f"file://{path}" if path.startswith("/") else f"file:///{path}"


def _refuse_broken(db: sqlite3.Connection) -> None:
    """Checks the whole file before a run writes, since data written to a damaged file is lost."""
    (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise state_damaged(verdict)


def open_bare_tables() -> sqlite3.Connection:
    """The tables of a state in memory, without a row."""
    db = sqlite3.connect(":memory:", isolation_level="IMMEDIATE")
    make_tables(db, own_log=False)
    return db


def _empty_state() -> sqlite3.Connection:
    """An empty state, even without a lineage, which is set when the file is created."""
    db = sqlite3.connect(":memory:", isolation_level="IMMEDIATE")
    make_tables(db)
    with db:
        db.execute("UPDATE meta SET value = '' WHERE key = 'lineage'")
        seals.seal_all(db)
    return db
