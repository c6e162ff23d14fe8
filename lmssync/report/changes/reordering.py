"""Describes a list in another order by the items that have moved."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from ...kinds import LANGUAGE
from ...resource import KEY
from .. import words

_FEW = 8
"""Items that people count themselves."""


def moves(before: Any, after: Any, *, full: bool = False) -> list[str]:
    """``moved `c` to the start``: as few moves as lead from one to the other.

    In the order of `after`: each place is right once the moves before it are made. Empty
    unless both are the same items.
    """
    if not (isinstance(before, list) and isinstance(after, list)) or len(before) != len(after):
        return []
    old = {mark(item): place for place, item in enumerate(before)}
    new = [mark(item) for item in after]
    if len(old) != len(before) or old.keys() != set(new):
        return []
    return list(_moves(after, [old[mark] for mark in new], full=full))


def _moves(after: Sequence[Any], places: Sequence[int], *, full: bool) -> Iterator[str]:
    """`places`: where each item of `after` stood before."""
    stay = _longest_run(places)
    for now, was in enumerate(places):
        if was not in stay:
            where = f"after {_name(after[now - 1], full=full)}" if now else "to the start"
            counted = f" (place {was + 1:,} → {now + 1:,})" if len(places) > _FEW else ""
            yield f"moved {_name(after[now], full=full)} {where}{counted}"


def _longest_run(places: Sequence[int]) -> set[int]:
    """The most that can stay: a longest run of places, not always side by side, that only grow."""
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for place in places:
        length = bisect_left(ends, place)
        before[place] = ends[length - 1] if length else None
        ends[length : length + 1] = [place]
    run: set[int] = set()
    at = ends[-1] if ends else None
    while at is not None:
        run.add(at)
        at = before[at]
    return run


def mark(item: Any) -> bytes:
    """The same for items that are the same."""
    return orjson.dumps(item, option=orjson.OPT_SORT_KEYS)


def _name(item: Any, *, full: bool) -> str:
    """An id in backticks, a language by its tag, anything else as a value."""
    item = item.get(LANGUAGE, item) if isinstance(item, dict) else item
    is_name = isinstance(item, str) and re.fullmatch(KEY, item)
    return f"`{item}`" if is_name else words.value(item, full=full)
