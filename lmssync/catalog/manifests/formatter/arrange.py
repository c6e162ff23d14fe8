"""Brings the entries of mappings into their order, as far as their anchors let them."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import dropwhile, pairwise
from typing import NamedTuple

from .nodes import Block, EntryNode
from .order import MappingShape

_RULER = re.compile(r"^#+ ?[-=*~_#]{3,}|[-=*~_#]{3,}$")
"""`# --- The session ---`"""
BLANK = ""


class _Lead(NamedTuple):
    """The comments above an entry, by what they are about."""

    before: Sequence[str] = ()
    """The top of the mapping, or the entry above."""
    opening: Sequence[str] = ()
    """The paragraph that begins here, with the blank line before it."""
    own: Sequence[str] = ()
    """The entry itself."""


def regroup_entries(block: Block, order: list[EntryNode], *, is_root: bool) -> None:
    """Gives the entries of `block` the order `order`, and moves the comments along."""
    written = block.entries
    first = _split_top(written[0].lead, is_root=is_root)
    leads = [first, *(_split_lead(entry.lead) for entry in written[1:])]
    openings = _find_openings(order, _find_paragraphs(written, leads))
    own = {id(entry): lead.own for entry, lead in zip(written, leads, strict=True)}
    after = {id(entry): lead.before for entry, lead in zip(written, leads[1:], strict=False)}
    for entry in order:
        entry.lead = [*openings.get(id(entry), ()), *own[id(entry)]]
    rest = dropwhile(lambda line: line == BLANK, order[0].lead)
    order[0].lead = _join_groups(first.before, list(rest))
    for above, entry in pairwise(order):
        entry.lead = _separate_groups(after.get(id(above), ()), entry.lead)
    block.entries = order
    block.tail = _join_groups(after.get(id(order[-1]), ()), block.tail)


def _join_groups(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Two groups of comments, which a blank line keeps apart."""
    return _separate_groups(above, below) if any(below) else [*above, *below]


def _separate_groups(above: Sequence[str], below: Sequence[str]) -> list[str]:
    return [*above, BLANK, *below] if above else list(below)


def _split_top(lead: list[str], *, is_root: bool) -> _Lead:
    """Comments above the first key; at the top of a document they are about all of it."""
    if BLANK not in lead and is_root:
        return _Lead(before=lead)
    end = _last_blank(lead) + 1
    own = lead[end:]
    return _Lead(lead[:end], own) if _has_ruler(own) else _Lead(lead[:end], own=own)


def _split_lead(lead: list[str]) -> _Lead:
    """Comments above a key that is not the first."""
    if BLANK not in lead:
        return _Lead(own=lead)
    first, last = lead.index(BLANK), _last_blank(lead)
    if _has_ruler(lead[:first]):
        first = 0
    end = len(lead) if _has_ruler(lead[last:]) else last + 1
    return _Lead(lead[:first], lead[first:end], lead[end:])


def _last_blank(lead: list[str]) -> int:
    return max((n for n, line in enumerate(lead) if line == BLANK), default=-1)


def _has_ruler(lines: Sequence[str]) -> bool:
    return any(_RULER.search(line) for line in lines)


class _Paragraph(NamedTuple):
    opening: Sequence[str]
    entries: list[EntryNode]


def _find_paragraphs(entries: Sequence[EntryNode], leads: Sequence[_Lead]) -> list[_Paragraph]:
    """The entries as blank lines divide them."""
    paragraphs: list[_Paragraph] = []
    for entry, lead in zip(entries, leads, strict=True):
        if not paragraphs or lead.opening:
            paragraphs.append(_Paragraph(lead.opening, []))
        paragraphs[-1].entries.append(entry)
    if len(paragraphs) > 1:
        paragraphs[0] = paragraphs[0]._replace(opening=[BLANK, *paragraphs[0].opening])
    return paragraphs


def _find_openings(
    order: list[EntryNode], paragraphs: list[_Paragraph]
) -> dict[int, Sequence[str]]:
    """What opens each paragraph, by the entry that is now above it."""
    openings: dict[int, Sequence[str]] = {}
    for paragraph in paragraphs:
        at = order.index(paragraph.entries[0])
        members = {id(entry) for entry in paragraph.entries}
        while at and id(order[at - 1]) in members:
            at -= 1
        openings[id(order[at])] = paragraph.opening
    return openings


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
