"""Addresses that patterns on the command line name."""

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ..errors import WrongUse

if TYPE_CHECKING:
    from ..address import Address


def matches(address: "Address", patterns: Sequence[str]) -> bool:
    """True for one that a pattern names; without patterns, for all."""
    return not patterns or any(fnmatchcase(str(address), pattern) for pattern in patterns)


def refuse_unmatched(patterns: Sequence[str], known: Collection["Address"]) -> None:
    """Raises `WrongUse` for a pattern that names nothing that is `known` to the state."""
    from ..problems import near

    for pattern in patterns:
        if not any(matches(address, [pattern]) for address in known):
            hint = near(pattern, map(str, known)) or "`lmssync state list` shows what is"
            raise WrongUse(f"nothing is recorded for {pattern}", hint)
