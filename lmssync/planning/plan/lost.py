"""Refuses to begin with an empty state if the platform already has things of this catalog."""

from collections.abc import Iterable

from ...errors import StateError
from ...state import Store
from ..diff import Change

_NAMES = 5
"""The most addresses that a message names."""


def refuse_lost_state(store: Store, changes: Iterable[Change], *, new_state: bool) -> None:
    """Raises `StateError` if a look shows things that an empty state should know about."""
    if new_state or not store.is_empty:
        return
    there = [str(change.address) for change in changes if "" in change.found or change.mentioned]
    if there:
        more = f" and {len(there) - _NAMES} more" if len(there) > _NAMES else ""
        raise StateError(
            f"the state is empty, and the platform has {', '.join(there[:_NAMES])}{more} already",
            "if there was a state, restore it; if not, `--new-state` takes over what is there",
        )
