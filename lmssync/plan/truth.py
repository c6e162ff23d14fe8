"""How much of what is managed is known to be on the platform as it is recorded."""

from collections.abc import Iterable, Set
from typing import NamedTuple

from ..address import Address
from ..diff import counted
from ..state import Counts, Proof, Store


class Truth(NamedTuple):
    """The fields of everything that is recorded, by what is known of them."""

    fields: int
    proven: int
    """Read, and compared with what is recorded."""
    noticed: int
    """Not readable, and changed by somebody after our last write."""
    unverifiable: int
    """No route of this instance shows them."""
    oldest: str | None = None
    """When the oldest proof was made; empty where all were made for this plan."""


def truth(store: Store, fresh: Iterable[Proof], routes: Set[str]) -> Truth:
    """Sums up the proofs of the state and `fresh` ones, which have no time yet."""
    anew = {proof.address: proof.counts for proof in fresh}
    uncounted = set(store.uncounted())
    known = store.proofs(anew.keys() - uncounted)
    more = [*anew.values(), *counts(store, uncounted - anew.keys(), routes).values()]
    less = [proof.counts for proof in known.values()]
    columns = zip(store.counts(), _sums(more), _sums(less), strict=True)
    total = Counts(*(known + added - gone for known, added, gone in columns))
    times = (time for address, time in store.proof_times().items() if address not in anew)
    return Truth(*total, next(times, None))


def counts(store: Store, addresses: Iterable[Address], routes: Set[str]) -> dict[Address, Counts]:
    """The fields of records that were not read: this opens each of them."""
    records = (record for address in addresses if (record := store.record(address)))
    return {record.address: counted(record, routes) for record in records}


def _sums(rows: Iterable[Counts]) -> list[int]:
    return [sum(column) for column in zip(Counts(), *rows, strict=True)]
