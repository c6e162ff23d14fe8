"""Records as rows."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from ..kind import Ids
from ..resource import Address
from . import lock, proofs, steps
from .findings import drop_findings
from .records import Record

RECORD = "address, ids, fingerprint, form, applied_at, plan, commit_id"


def record_of(row: tuple[Any, ...]) -> Record:
    address, ids, *rest = row
    known = orjson.loads(ids)
    return Record(Address.parse(address), Ids(known["own"], known["parts"]), *rest)


def put_records(db: sqlite3.Connection, records: Sequence[Record]) -> None:
    """Writes records, with the steps that they leave to people."""
    now = lock.now_utc()
    rows = [
        (
            str(record.address),
            orjson.dumps({"own": record.ids.own, "parts": dict(record.ids.parts)}).decode(),
            record.fingerprint,
            record.packed,
            record.applied_at or now,
            record.plan,
            record.commit,
        )
        for record in records
    ]
    db.executemany("INSERT OR REPLACE INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, 0)", rows)
    steps.leave_steps(db, records, now)
    drop_findings(db, {str(record.address) for record in records})
    if records:
        grow_serial(db)


def drop_records(db: sqlite3.Connection, addresses: Iterable[str], *, wholly: bool) -> None:
    """Forgets records; `wholly` also their ids, and the steps that are open for them."""
    rows = [(name,) for name in addresses]
    change = "DELETE FROM resource" if wholly else "UPDATE resource SET forgotten = 1"
    db.executemany(f"{change} WHERE address = ?", rows)
    db.executemany("DELETE FROM protected WHERE address = ?", rows)
    if wholly:
        steps.close_steps(db, [name for (name,) in rows])
        proofs.drop_proofs(db, [name for (name,) in rows])


def write_protections(db: sqlite3.Connection, on: Iterable[str], off: Iterable[str]) -> None:
    db.executemany("INSERT OR IGNORE INTO protected VALUES (?)", [(name,) for name in on])
    db.executemany("DELETE FROM protected WHERE address = ?", [(name,) for name in off])


def grow_serial(db: sqlite3.Connection) -> None:
    """Counts a change of what is recorded."""
    db.execute("UPDATE meta SET value = value + 1 WHERE key = 'serial'")
