"""Brings the entries of mappings into their order, as far as their anchors let them."""

from bisect import bisect_left
from collections.abc import Sequence

from .nodes import Block, EntryNode
from .order import MappingShape
from .regroup import regroup_entries

Names = Sequence[tuple[int, str]]
"""Where anchors (`&x`) and aliases (`*x`) stand in the text, in order."""


def arrange_block(
    block: Block, shape: MappingShape | None, names: Names, *, is_root: bool = False
) -> None:
    """Sorts a block and those within it; where an alias would lose its anchor, nothing moves."""
    for entry in block.entries:
        if isinstance(entry.value, Block):
            below = shape.shape_of_value(entry.name) if shape and block.is_mapping else shape
            arrange_block(entry.value, below, names)
    if shape is None or not block.is_mapping:
        return
    order = sorted(block.entries, key=lambda entry: shape.rank_of_key(entry.name))
    if order != block.entries and not breaks_aliases(names, order):
        regroup_entries(block, order, is_root=is_root)


def breaks_aliases(names: Names, entries: Sequence[EntryNode]) -> bool:
    """True if an alias would not mean in this order what it means in the order of the text.

    Two entries that use one name keep their order, if one of them gives the name.
    """
    if not names:
        return False
    anchored: dict[str, int] = {}
    used: dict[str, int] = {}
    for entry in entries:
        inside = _names_inside(names, entry)
        for mark in inside:
            before = used if mark[0] == "&" else anchored
            if before.get(mark[1:], -1) > entry.start:
                return True
        for mark in inside:
            for seen in (used, anchored) if mark[0] == "&" else (used,):
                seen[mark[1:]] = max(seen.get(mark[1:], -1), entry.start)
    return False


def _names_inside(names: Names, entry: EntryNode) -> set[str]:
    """The anchors and aliases in an entry."""
    first, end = (bisect_left(names, (at, "")) for at in (entry.start, entry.stop))
    return {name for _, name in names[first:end]}
