"""Values of a JSON document, each of the type that it must be; anything else is a `TypeError`."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..address import Address
from ..kinds import KINDS


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{_shown(value)} is not a text")
    return value


def number(value: Any) -> int:
    """A whole number that is not negative."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"{_shown(value)} is not a number")
    return value


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{_shown(value)} is neither true nor false")
    return value


def items(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{_shown(value)} is not a list")
    return value


def mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{_shown(value)} is not a mapping")
    return value


def address(value: Any) -> Address:
    """The address of a known kind."""
    found = Address.parse(text(value))
    if found.kind not in KINDS or not found.key:
        raise TypeError(f"{_shown(value)} is not an address")
    return found


def _shown(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 40 else f"{told[:39]}…"  # noqa: PLR2004 - enough to find it
