"""What reads have shown: when a record was last compared with the platform, and how much of it.

A proof is about one form: once the record holds another form, only the marks of the proof count.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from ..address import Address

TABLE = """
CREATE TABLE proof (
    address TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    proved_at TEXT NOT NULL,
    fields INTEGER NOT NULL,
    proven INTEGER NOT NULL,
    noticed INTEGER NOT NULL,
    unverifiable INTEGER NOT NULL,
    readings TEXT NOT NULL,
    marks TEXT NOT NULL
) WITHOUT ROWID;
"""
PROOF = "address, fingerprint, proved_at, fields, proven, noticed, unverifiable, readings, marks"
_CURRENT = (
    "FROM resource LEFT JOIN proof ON proof.address = resource.address"
    " AND proof.fingerprint = resource.fingerprint WHERE NOT resource.forgotten"
)
"""Every managed resource, with its proof if that is of the form that is recorded now."""


class Counts(NamedTuple):
    """How many fields of a form were proven; the rest could have been read and was not."""

    fields: int = 0
    proven: int = 0
    noticed: int = 0
    """Fields of parts that somebody has changed since, and that no route shows."""
    unverifiable: int = 0
    """Fields that no route of this instance shows."""


class Proof(NamedTuple):
    """One comparison of a record with what reads showed."""

    address: Address
    fingerprint: str
    """Of the form that was compared."""
    readings: Sequence[str] = ()
    """The routes that were asked; none if its fields were only counted."""
    proved_at: str = ""
    """When the reads were made; the time of writing if it is empty and there were any."""
    marks: Mapping[str, str] = MappingProxyType({})
    """By path of a part, the `updatedAt` with which it was as recorded."""
    counts: Counts = Counts()


def proof_of(row: tuple[Any, ...]) -> Proof:
    address, fingerprint, proved_at, *counts, readings, marks = row
    return Proof(
        Address.parse(address),
        fingerprint,
        tuple(orjson.loads(readings)),
        proved_at,
        orjson.loads(marks),
        Counts(*counts),
    )


def put(db: sqlite3.Connection, proofs: Iterable[Proof], now: str) -> None:
    """Writes proofs in the place of earlier ones of the same addresses."""
    rows = [
        (
            str(proof.address),
            proof.fingerprint,
            proof.proved_at or (now if proof.readings else ""),
            *proof.counts,
            orjson.dumps(list(proof.readings)).decode(),
            orjson.dumps(dict(proof.marks)).decode(),
        )
        for proof in proofs
    ]
    db.executemany("INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def totals(db: sqlite3.Connection, aside: Iterable[str]) -> Counts:
    """The sum of all counts but those of addresses that are left `aside`; nothing is decided by
    it, so no seal is compared."""
    sums = ", ".join(f"coalesce(sum({name}), 0)" for name in Counts._fields)
    rest = "AND resource.address NOT IN (SELECT value FROM json_each(?))"
    names = orjson.dumps(list(aside)).decode()
    return Counts(*db.execute(f"SELECT {sums} {_CURRENT} {rest}", (names,)).fetchone())


def times(db: sqlite3.Connection) -> dict[Address, str]:
    """When each managed resource was last compared as it is recorded, oldest first; those that were
    not are left out."""
    query = f"SELECT proof.address, proved_at {_CURRENT} AND proved_at <> '' ORDER BY 2, 1"
    return {Address.parse(address): time for address, time in db.execute(query)}


def uncounted(db: sqlite3.Connection) -> list[Address]:
    """Managed resources whose fields were not counted as they are recorded."""
    query = f"SELECT resource.address {_CURRENT} AND proof.address IS NULL"
    return [Address.parse(address) for (address,) in db.execute(query)]


def drop(db: sqlite3.Connection, addresses: Iterable[str]) -> None:
    db.executemany("DELETE FROM proof WHERE address = ?", [(name,) for name in addresses])


def move(db: sqlite3.Connection, old: str, new: str) -> None:
    db.execute("UPDATE OR REPLACE proof SET address = ? WHERE address = ?", (new, old))
