"""What looks for drift have found, kept in the state until it is settled.

A finding is about one record. It is settled by the next look at that record that finds nothing,
and by whatever records the resource again.
"""

import sqlite3
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

import orjson

from ..resource import Address

FINDINGS = "drift findings"
"""The row of `meta` that holds them: no record changes, so the format and the serial stay."""
_PATHS = 20
"""How many places of one resource are kept: `lmssync drift` shows all of them."""


class DriftFinding(NamedTuple):
    """A resource that was not on the platform as it is recorded when somebody looked."""

    address: Address
    fingerprint: str
    """Of the form that was compared."""
    found_at: str
    missing: bool = False
    """The platform did not have it any more."""
    paths: Sequence[str] = ()
    """Its fields and parts that differed, without their values."""


def parse_findings(text: str) -> list[DriftFinding]:
    """The findings that a row of the state holds, by address."""
    return [
        DriftFinding(Address.parse(name), fingerprint, found_at, bool(missing), tuple(paths))
        for name, fingerprint, found_at, missing, paths in orjson.loads(text or "[]")
    ]


def spell_findings(findings: Iterable[DriftFinding]) -> str:
    """The same as the text of that row."""
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
