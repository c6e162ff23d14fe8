"""Which entries have to stay in their order, since an anchor comes before its aliases."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from .nodes import Entry

Names = Sequence[tuple[int, str]]
"""Where anchors (`&x`) and aliases (`*x`) stand in the text, in order."""


class _Marks(NamedTuple):
    start: int
    anchors: set[str]
    aliases: set[str]


def forbid(names: Names, entries: Sequence[Entry]) -> bool:
    """True if an alias would not mean in this order what it means in the order of the text."""
    if not names:
        return False
    marks = [_marks(names, entry) for entry in entries]
    return any(a.start > b.start and _bound(a, b) for a, b in combinations(marks, 2))


def _marks(names: Names, entry: Entry) -> _Marks:
    first, end = (bisect_left(names, (at, "")) for at in (entry.start, entry.stop))
    inside = [name for _, name in names[first:end]]
    anchors = {name[1:] for name in inside if name[0] == "&"}
    return _Marks(entry.start, anchors, {name[1:] for name in inside if name[0] == "*"})


def _bound(one: _Marks, other: _Marks) -> bool:
    """True if the one names what the other names or uses."""
    return bool(one.anchors & (other.anchors | other.aliases) or other.anchors & one.aliases)
