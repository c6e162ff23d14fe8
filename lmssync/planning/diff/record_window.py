"""Records and proofs of many resources in their order, each read by one query for a hundred."""

from collections.abc import Sequence
from functools import lru_cache

from ...resource import Address
from ...state import Proof, Record, Store

TOGETHER = 100
"""The number of resources that are read together: few enough for them to fit in memory."""


class RecordWindow:
    """The resources that a run goes through one by one: with one of them, those after it are read.

    Of everything else, what was asked for last is remembered.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._find_other = lru_cache(TOGETHER)(store.find_record)
        self.open_window(())

    def open_window(self, addresses: Sequence[Address]) -> None:
        """Sets what the run goes through from now on."""
        self._order = addresses
        self._places = {address: number for number, address in enumerate(addresses)}
        self._first = -1
        self._records: dict[Address, Record] = {}
        self._proofs: dict[Address, Proof] = {}

    def find_next_record(self, address: Address) -> Record | None:
        """The record of a resource that the run has come to."""
        self._move_to(address)
        return self.find_record(address)

    def find_next_proof(self, address: Address) -> Proof | None:
        """The proof of an earlier look at a resource that the run has come to."""
        self._move_to(address)
        return self._proofs.get(address)

    def find_record(self, address: Address) -> Record | None:
        """The record of any resource."""
        return self._records.get(address) or self._find_other(address)

    def _move_to(self, address: Address) -> None:
        first = self._places[address] // TOGETHER * TOGETHER
        if self._first != first:
            self._first, some = first, self._order[first : first + TOGETHER]
            self._records = self._store.find_records(some)
            self._proofs = self._store.find_proofs(some)
