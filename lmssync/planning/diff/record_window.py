"""Records and proofs of many resources in their order, each read by one query for a hundred."""

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from types import MappingProxyType

from ...platform.live import Marks
from ...resource import Address
from ...state import Proof, Record, Store

TOGETHER = 100
"""The number of resources that are read together: few enough for them to fit in memory."""


class RecordWindow:
    """The resources that a run goes through one by one: with one of them, those after it are read.

    Of everything else, what was asked for last is remembered.
    """

    def __init__(
        self, store: Store, given: Mapping[Address, Record] = MappingProxyType({})
    ) -> None:
        """What is `given` takes the place of what is recorded."""
        self._store, self._given = store, given
        self._find_other = lru_cache(TOGETHER)(store.find_record)
        self.open_window(())

    def open_window(self, addresses: Sequence[Address]) -> None:
        """Sets what the run goes through from now on."""
        self._order, self._first = addresses, 0
        self.read_again()

    def read_again(self) -> None:
        """Forgets what was read: ids may be known by now."""
        self._here: Set[Address] = frozenset()
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

    def find_next_marks(self, address: Address) -> Marks:
        """The marks of the look that `find_next_proof` gives; none if there was no look."""
        proof = self.find_next_proof(address)
        return proof.marks if proof else {}

    def find_record(self, address: Address) -> Record | None:
        """The record of any resource."""
        found = self._given.get(address) or self._records.get(address)
        return found or self._find_other(address)

    def _move_to(self, address: Address) -> None:
        if address in self._here:
            return
        # The run goes on, so only the first address of a second way is looked for in all.
        ahead = range(self._first, len(self._order), TOGETHER)
        for first in chain(ahead, range(0, self._first, TOGETHER)):
            some = self._order[first : first + TOGETHER]
            if address in some:
                self._first, self._here = first, frozenset(some)
                self._records = self._store.find_records(some)
                self._proofs = self._store.find_proofs(some)
                return
        raise LookupError(str(address))
