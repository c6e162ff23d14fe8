"""What patterns on the command line name in a state."""

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ..errors import WrongUse
from ..problems import suggest_near

if TYPE_CHECKING:
    from ..resource import Address
    from ..state import Record, Store


def matches_patterns(address: "Address", patterns: Sequence[str]) -> bool:
    """True for one that a pattern names; without patterns, for all."""
    return not patterns or any(fnmatchcase(str(address), pattern) for pattern in patterns)


def refuse_unmatched(patterns: Sequence[str], known: Collection["Address"]) -> None:
    """Raises `WrongUse` for a pattern that names nothing that is `known` to the state."""
    for pattern in patterns:
        if not any(matches_patterns(address, [pattern]) for address in known):
            hint = suggest_near(pattern, map(str, known)) or "`lmssync state list` lists them"
            raise WrongUse(f"nothing is recorded for {pattern}", hint)


def require_state(store: "Store") -> None:
    """Raises `WrongUse` where nothing was ever recorded."""
    if not store.lineage:
        raise WrongUse("there is no state yet", "`lmssync apply` makes one")


def require_record(store: "Store", address: "Address") -> "Record":
    """The record of an address; where there is none, a `WrongUse` says what to do."""
    if record := store.find_record(address):
        return record
    near = suggest_near(str(address), map(str, store.fingerprints()))
    remedies = ["`lmssync state list` shows what is recorded"]
    if "/" not in address.key:  # a part is no resource of its own
        remedies = [
            "`lmssync apply` makes what the catalog has",
            f"`lmssync adopt {address}=ID` takes over what is on the platform",
            *remedies,
        ]
    hint = f"{near}{near and ' '}{', '.join(remedies)}"
    raise WrongUse(f"nothing is recorded for {address}", hint)
