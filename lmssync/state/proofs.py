"""What reads have shown: when a record was last compared with the platform, and how much of it.

A proof is about one form: once the record holds another form, only the marks of the proof count. A
finding of a look for drift is about one record as well. It is settled by the next look at that
record that finds nothing, and by whatever records the resource again.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from operator import add
from sys import intern
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from ..resource import Address

UNSURE = "unsure"
"""The key of the row of `meta` that says why the state may not know everything."""
REFUSED = "refused adoptions"
"""The key of the row of `meta` with the ids that `adopt` has refused, by address."""
FINDINGS = "drift findings"
"""The key of the row of `meta` with all findings: no record changes, so the format and the serial
stay."""
_PATHS = 20
"""The most places that are remembered of one resource: `lmssync drift` shows all of them."""


class DriftFinding(NamedTuple):
    """A resource that was not on the platform as it is recorded when somebody looked."""

    address: Address
    fingerprint: str
    """Of the form that was compared."""
    found_at: str
    missing: bool = False
    """The platform did not have it any more."""
    paths: Sequence[str] = ()
    """The paths of fields and parts that differed, without their values."""


def parse_findings(text: str) -> list[DriftFinding]:
    """The findings in the row of the state, by address."""
    return [
        DriftFinding(Address.parse(name), fingerprint, found_at, bool(missing), tuple(paths))
        for name, fingerprint, found_at, missing, paths in orjson.loads(text or "[]")
    ]


def spell_findings(findings: Iterable[DriftFinding]) -> str:
    """The text for the row of findings."""
    rows = [
        (str(address), *rest, list(paths[:_PATHS])) for address, *rest, paths in sorted(findings)
    ]
    return orjson.dumps(rows).decode()


def drop_findings(db: sqlite3.Connection, addresses: Set[str]) -> None:
    """Settles what was found of resources that are recorded again."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (FINDINGS,)).fetchone()
    known = parse_findings(row[0]) if row else []
    left = [one for one in known if str(one.address) not in addresses]
    if len(left) < len(known):
        db.execute("UPDATE meta SET value = ? WHERE key = ?", (spell_findings(left), FINDINGS))


def merge_findings(
    before: Iterable[DriftFinding], looked: Set[Address], found: Iterable[DriftFinding]
) -> list[DriftFinding]:
    """The findings after a look: of what it has not looked at, those from before stay."""
    return [*(one for one in before if one.address not in looked), *found]


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
_TOGETHER = 1_000
"""Rows that are summed up in one go: those of all resources would fill the memory."""
PROOF = "address, fingerprint, proved_at, fields, proven, noticed, unverifiable, readings, marks"


class Counts(NamedTuple):
    """How many fields of a form were proven; the rest could have been read and was not."""

    fields: int = 0
    proven: int = 0
    noticed: int = 0
    """Fields of parts that somebody has changed since, and that no route shows."""
    unverifiable: int = 0
    """Fields that no route of this instance shows."""


class ProofTotals(NamedTuple):
    """The sum of all proofs of managed resources."""

    counts: Counts
    """Their sum."""
    times: Sequence[str]
    """When those that were compared were, oldest first."""
    uncounted: Sequence[Address]
    """The addresses whose fields were not counted as they are recorded now."""
    unread: int = 0
    """How many were counted and never read, though a route shows fields of them."""


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


def put_proofs(db: sqlite3.Connection, proofs: Iterable[Proof], now: str) -> None:
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


def match_proofs(
    db: sqlite3.Connection, recorded: Iterable[tuple[Address, str]]
) -> Iterator[tuple[Address, tuple[Any, ...]]]:
    """Each address with its proof, as text, fingerprint, time and counts; with nothing where no
    proof is of the form that is `recorded` now. The addresses come in the order of their texts.

    Only sums and ages come of them, so no seal is compared. Both go through their rows in one
    order: SQLite takes many times as long to look each of them up.
    """
    counts = ", ".join(f"ifnull({name} + 0, 0)" for name in Counts._fields)
    # Damage may be no number, and no text.
    columns = f"ifnull(CAST(address AS TEXT), ''), fingerprint, CAST(proved_at AS TEXT), {counts}"
    rows = db.execute(f"SELECT {columns} FROM proof ORDER BY proof.address")
    row: tuple[Any, ...] = ("",)
    for address, fingerprint in recorded:
        name = str(address)
        while row[0] < name:
            row = next(rows, _LAST)
        yield address, row if row[0] == name and row[1] == fingerprint else ()


_LAST = ("\U0010ffff",)
"""Comes after every address."""
_MANAGED = "SELECT address, fingerprint FROM resource WHERE NOT forgotten"


def list_uncounted(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Address and fingerprint of all that is managed and has no proof as it is recorded now. In
    order, SQLite goes through both tables at once and keeps nothing."""
    return db.execute(f"{_MANAGED} EXCEPT SELECT address, fingerprint FROM proof ORDER BY 1, 2")


def list_compared(db: sqlite3.Connection) -> Iterator[str]:
    """The address of all that was compared as it is recorded now."""
    compared = "SELECT address, fingerprint FROM proof WHERE proved_at <> ''"
    rows = db.execute(f"{compared} INTERSECT {_MANAGED} ORDER BY 1, 2")
    return (address for address, _ in rows)


def sum_proofs(db: sqlite3.Connection, recorded: Iterable[tuple[Address, str]]) -> ProofTotals:
    """The sum of the proofs of everything that is `recorded`, in the order of the addresses."""
    counts, times, uncounted, unread = Counts(), list[str](), list[Address](), 0
    matched = match_proofs(db, recorded)
    while some := list(islice(matched, _TOGETHER)):
        uncounted += [address for address, row in some if not row]
        if rows := [row for _, row in some if row]:
            _, _, when, *columns = zip(*rows, strict=True)
            counts = Counts(*map(add, counts, map(sum, columns)))
            # By position: row[2] is when it was read, row[3] how many fields it has, row[6] how
            # many of them no route shows.
            unread += sum(not row[2] and row[3] > row[6] for row in rows)
            times += map(intern, filter(None, when))  # many were made in one moment
    return ProofTotals(counts, sorted(times), uncounted, unread)


def drop_proofs(db: sqlite3.Connection, addresses: Iterable[str]) -> None:
    db.executemany("DELETE FROM proof WHERE address = ?", [(name,) for name in addresses])
