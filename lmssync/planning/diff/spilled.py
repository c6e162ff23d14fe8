"""Keeps what a look has proven until it is written, out of the memory: it has the path of every
topic."""

from collections.abc import Callable, Iterator

import orjson

from ...resource import Address
from ...state import Counts, Proof
from ...support.spill import Spill


class SpilledProofs:
    """Proofs in the order in which they came, each of another resource."""

    def __init__(self) -> None:
        self.counts: dict[Address, Counts] = {}
        self._spill = Spill()
        self._rest: list[bytes | Callable[[], bytes]] = []
        """Everything else about each, as JSON."""

    def add(self, proof: Proof) -> None:
        self.counts[proof.address] = proof.counts
        rest = proof.fingerprint, proof.readings, proof.proved_at, dict(proof.marks)
        self._rest.append(self._spill.keep_bytes(orjson.dumps(rest)))

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Proof]:
        for (address, counts), rest in zip(self.counts.items(), self._rest, strict=True):
            text = rest if isinstance(rest, bytes) else rest()
            fingerprint, readings, proved_at, marks = orjson.loads(text)
            yield Proof(address, fingerprint, tuple(readings), proved_at, marks, counts)
