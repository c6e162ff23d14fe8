"""Keeps what a look has proven until it is written, packed: it has the path of every topic."""

from collections.abc import Iterator

import orjson

from ..address import Address
from ..resource import pack, spelling
from ..state import Counts, Proof


class PackedProofs:
    """Proofs in the order in which they came."""

    def __init__(self) -> None:
        self._packed: list[tuple[Proof, bytes]] = []
        """Each without its marks, and these apart."""

    def add(self, proof: Proof) -> None:
        marks = pack(orjson.dumps(dict(proof.marks)))
        self._packed.append((proof._replace(marks={}), marks))

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[Proof]:
        return (
            proof._replace(marks=orjson.loads(spelling(marks))) for proof, marks in self._packed
        )

    @property
    def counts(self) -> dict[Address, Counts]:
        return {proof.address: proof.counts for proof, _ in self._packed}
