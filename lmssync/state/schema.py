"""Makes the tables of a new state, brings an older one up, and refuses any other file."""

import json
import sqlite3
import uuid
from collections.abc import Iterable
from contextlib import closing, nullcontext
from functools import cache
from pathlib import Path

from ..errors import StateError
from ..resource import unpack
from . import entries, lock, seals
from .codes import Codes, begin as begin_codes, tell as tell_key
from .concealment import conceal, wipe
from .damage import damaged
from .tables import FORMAT, SINCE

_CONCEALED = 3
"""The first format with codes in place of people."""
_SEALED = 4
"""The first format with seals."""
_LOGGED = 6
"""The first format whose log holds every row."""


def check(db: sqlite3.Connection) -> None:
    """Refuses a file of another format, or with anything in it that lmssync has not made."""
    version = version_of(db)
    if not 0 <= version <= FORMAT:
        raise StateError(
            f"the state has format {version}; this lmssync reads format {FORMAT}",
            "use the lmssync that wrote it, or a newer one",
        )
    strange = _things(db) ^ _wanted(version)
    if strange:
        kind, name, *_ = min(strange)
        raise damaged(f"its {kind} `{name}` is not that of a state of format {version}")


@cache
def _wanted(version: int) -> set[tuple[str, str, str, str]]:
    """What a state of a format consists of."""
    with closing(sqlite3.connect(":memory:")) as db:
        _add(db, range(1, version + 1))
        return _things(db)


def _things(db: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Every table, index, trigger and view, and how it was made."""
    query = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return set(db.execute(query).fetchall())


def prepare(db: sqlite3.Connection, file: Path, *, home: bool = True) -> None:
    """Makes the tables of a new file, adds those of an older one, and seals what is in them.

    Raises `StateLocked` if an older one would be rewritten during another run. Who opens one that
    is not its own `home` has locked it.
    """
    version = version_of(db)
    if version == FORMAT:
        return
    with lock.held(file, db) if version and home else nullcontext():
        bring_up(db, Codes(db, file), home=home)
        if 0 < version < _CONCEALED:
            wipe(db)


def bring_up(db: sqlite3.Connection, codes: Codes, *, keep: bool = True, home: bool = True) -> None:
    """Makes of these tables those of this format; `keep`s who is behind the codes, if asked to.

    What is not its own `home` gets a log, or the beginning of one, from elsewhere.
    """
    with db:
        db.execute("BEGIN IMMEDIATE")
        version = version_of(db)  # somebody else may have made them while we waited
        if version == FORMAT:
            return
        if version:
            _refuse_unreadable(db)
        _add(db, range(version + 1, FORMAT + 1))
        if not version:
            db.execute("INSERT INTO lock VALUES (1, 0, '', '', 0, '')")
        elif version < _CONCEALED:
            begin_codes(db)
            conceal(db, codes, keep=keep)
        if version < _SEALED:  # damage to a later one would be sealed as if it had been written
            seals.seal_all(db)
        seals.watch(db)
        if 0 < version < _LOGGED:
            tell_key(db)
            entries.begin(db, entries.SNAPSHOT)
        elif home and not version:
            begin(db)
            begin_codes(db)
            entries.begin(db, entries.BEGIN)
        db.execute(f"PRAGMA user_version = {FORMAT}")


def _refuse_unreadable(db: sqlite3.Connection) -> None:
    """What is sealed from now on is what can be read: raises what reading it raises."""
    for ids, form in db.execute("SELECT ids, form FROM resource"):
        json.loads(ids)["own"], unpack(form)
    for (form,) in db.execute("SELECT form FROM member"):
        unpack(form)


def _add(db: sqlite3.Connection, formats: Iterable[int]) -> None:
    for added in formats:
        for statement in SINCE[added].split(";"):
            db.execute(statement)


def version_of(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def begin(db: sqlite3.Connection) -> None:
    """Gives a new state its lineage; to be called inside a transaction."""
    rows = [("lineage", str(uuid.uuid4())), ("serial", "0")]
    db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
