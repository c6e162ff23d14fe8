"""Whether two values of a field are the same for the platform."""

from collections.abc import Callable
from typing import Any

from ...kind import Reads
from .binding import Nameless, Unbound
from .fields import pattern_of


def values_equal(reads: Reads, bind: Callable[[Any], Any], path: str, one: Any, other: Any) -> bool:
    """True if both come to the same on the wire; values that cannot be sent yet are compared."""
    if one == other:
        return True
    try:
        sent = bind(one), bind(other)
    except (Unbound, Nameless):
        return False
    normal = reads.on_wire.get(pattern_of(path), lambda value: value)
    return bool(normal(sent[0]) == normal(sent[1]))
