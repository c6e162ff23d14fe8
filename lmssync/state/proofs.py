"""What reads have shown: when a record was last compared with the platform, and how much of it.

A proof is about one form: once the record holds another form, only the marks of the proof count.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..address import Address

TABLE = """
CREATE TABLE proof (
    address TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    readings TEXT NOT NULL,
    proved_at TEXT NOT NULL,
    marks TEXT NOT NULL,
    counts TEXT NOT NULL
) WITHOUT ROWID;
"""
PROOF = "address, fingerprint, readings, proved_at, marks, counts"


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
    readings: Sequence[str]
    proved_at: str = ""
    """When the reads were made; the time of writing if it is empty."""
    marks: Mapping[str, str] = MappingProxyType({})
    """By path of a part, the `updatedAt` with which it was as recorded."""
    counts: Counts = Counts()


def proof_of(row: tuple[Any, ...]) -> Proof:
    address, fingerprint, readings, proved_at, marks, counts = row
    return Proof(
        Address.parse(address),
        fingerprint,
        tuple(json.loads(readings)),
        proved_at,
        json.loads(marks),
        Counts(*json.loads(counts)),
    )


def put(db: sqlite3.Connection, proofs: Iterable[Proof], now: str) -> None:
    """Writes proofs in the place of earlier ones of the same addresses."""
    rows = [
        (
            str(proof.address),
            proof.fingerprint,
            json.dumps(list(proof.readings)),
            proof.proved_at or now,
            json.dumps(dict(proof.marks)),
            json.dumps(proof.counts),
        )
        for proof in proofs
    ]
    db.executemany("INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?, ?)", rows)


def drop(db: sqlite3.Connection, addresses: Iterable[str]) -> None:
    db.executemany("DELETE FROM proof WHERE address = ?", [(name,) for name in addresses])


def move(db: sqlite3.Connection, old: str, new: str) -> None:
    db.execute("UPDATE OR REPLACE proof SET address = ? WHERE address = ?", (new, old))
