"""Which entries have to stay in their order, since an anchor comes before its aliases."""

from bisect import bisect_left
from collections.abc import Sequence

from .nodes import Entry

Names = Sequence[tuple[int, str]]
"""Where anchors (`&x`) and aliases (`*x`) stand in the text, in order."""


def forbid(names: Names, entries: Sequence[Entry]) -> bool:
    """True if an alias would not mean in this order what it means in the order of the text.

    Two entries that use one name keep their order, if one of them gives the name.
    """
    if not names:
        return False
    anchored: dict[str, int] = {}
    used: dict[str, int] = {}
    for entry in entries:
        inside = _inside(names, entry)
        for mark in inside:
            before = used if mark[0] == "&" else anchored
            if before.get(mark[1:], -1) > entry.start:
                return True
        for mark in inside:
            for told in (used, anchored) if mark[0] == "&" else (used,):
                told[mark[1:]] = max(told.get(mark[1:], -1), entry.start)
    return False


def _inside(names: Names, entry: Entry) -> set[str]:
    """The anchors and aliases in an entry."""
    first, end = (bisect_left(names, (at, "")) for at in (entry.start, entry.stop))
    return {name for _, name in names[first:end]}
