"""How much of what is managed is known to be on the platform as it is recorded."""

from collections.abc import Iterable, Mapping, Set
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
    known: Mapping[Address, Proof] = {proof.address: proof for proof in fresh}
    proofs = {**store.proofs(), **known}
    total, times = Counts(), list[str]()
    for address, fingerprint in store.fingerprints().items():
        proof = proofs.get(address)
        if proof is None or proof.fingerprint != fingerprint:
            record = store.record(address)
            counts = counted(record, routes) if record else Counts()
        else:
            counts = proof.counts
            times += filter(None, [proof.proved_at])
        total = Counts(*map(sum, zip(total, counts, strict=True)))
    return Truth(*total, min(times, default=None))
