"""The states of the other slices of a catalog: a run of one slice reads ids in them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import Any

from ..errors import StateError
from ..kind import Ids
from ..resource import Address


class OtherStates:
    """Opened together when one is asked for; there are none in a catalog without slices."""

    def __init__(
        self, names: Iterable[str] = (), open_one: Callable[[str], Any] | None = None
    ) -> None:
        self._names, self._open_one = list(names), open_one
        self._opened: dict[str, Any] = {}

    def open_states(self) -> Mapping[str, Any]:
        """The stores by name of slice; raises `StateError` for one that cannot be read."""
        # A run without anything to look up opens none: a backend may be slow, or out of reach.
        for name in self._names:
            if self._open_one and name not in self._opened:
                try:
                    self._opened[name] = self._open_one(name)
                except StateError as error:
                    raise StateError(f"the slice `{name}`: {error.message}", error.hint) from error
        return self._opened

    def find_ids(self, address: Address) -> Ids | None:
        """The ids of what another slice manages."""
        # Not of what was forgotten there: its owner no longer says that the id is right.
        managing = (s for s in self.open_states().values() if address in s.fingerprints())
        found: Ids | None = next((store.find_ids(address) for store in managing), None)
        return found

    def list_ids(self, kinds: Collection[str]) -> Iterator[Set[str]]:
        """Every id that each of the other slices has recorded for some kinds."""
        return (one.ids_of(kinds) for one in self.open_states().values())

    def find_holder(self, address: Address, *, forgotten: bool) -> str:
        """The slice whose state manages an address, or has an open call for it, or at least its
        ids although it was `forgotten`; empty if there is none."""
        # An open call may have made it, whatever is recorded: only a person or a read can tell.
        for name, store in self.open_states().items():
            known = store.has_record(address) and (forgotten or address in store.fingerprints())
            if known or address in store.unresolved_addresses():
                return name
        return ""

    def close_states(self) -> None:
        for store in self._opened.values():
            store.close()
