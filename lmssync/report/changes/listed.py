"""Describes a list that has changed by what came, what is gone and what has moved."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...support.visible import escape_invisible
from .. import words
from ..lookalikes import text_as_seen
from .reordering import mark, moves

_NAMED = 8
"""Items of each sort that are named."""
_KEYS = "id", "language", "key", "name"
"""Fields by which an item is known, the best one first."""
_TITLES = "label", "title", "name", "language"
"""Fields that people know an item by."""


def list_changes(before: Sequence[Any], after: Sequence[Any], *, full: bool) -> str:
    """``+ Deutsch, moved `check` after `hello` ``, with a minus what is gone; empty if that fails.

    An item of many fields is named, and shown with all of them if `full`.
    """
    come, gone = _without(after, before), _without(before, after)
    named = [f"+ {name}" for name in _names(come, gone, full=full)]
    left = [f"\N{MINUS SIGN} {name}" for name in _names(gone, come, full=full)]
    moved = moves(_without(before, gone), _without(after, come), full=full)
    lines = [*_some(named, full=full), *_some(left, full=full), *_some(moved, full=full)]
    return ", ".join(lines)


def _some(texts: Sequence[str], *, full: bool) -> Iterator[str]:
    shown = words.some(texts, _NAMED, full=full)
    yield from shown
    if len(shown) < len(texts):
        yield f"… {len(texts) - len(shown):,} more"


def _without(items: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """The items that are not among the others, or more often than there."""
    left = Counter(map(mark, others))
    rest = []
    for item in items:
        if left[mark(item)]:
            left[mark(item)] -= 1
        else:
            rest.append(item)
    return rest


def _names(items: Iterable[Any], others: Iterable[Any], *, full: bool) -> Iterator[str]:
    """Each item by its name; exactly where one on the other side looks the same."""
    seen = {text_as_seen(_name(other, full=full)) for other in others}
    for item in items:
        name = _name(item, full=full)
        yield words.precise(item) if text_as_seen(name) in seen else name


def _name(item: Any, *, full: bool) -> str:
    named = item if isinstance(item, Mapping) and "$ref" not in item else {}
    titles = (named[key] for key in _TITLES if isinstance(named.get(key), str))
    title = next(titles, "")
    whole = words.value(item, full=full)
    return " ".join([escape_invisible(title), *[whole] * full]) if title else whole


def by_key(before: Sequence[Any], after: Sequence[Any]) -> str:
    """The field by which the items of both lists are known; empty if there is none."""
    items = [*before, *after]
    plain = all(isinstance(item, Mapping) and "$ref" not in item for item in items)
    return next((key for key in _KEYS if _is_key(key, before, after)), "") if plain else ""


def _is_key(key: str, *lists: Sequence[Any]) -> bool:
    values = [[item.get(key) for item in items] for items in lists]
    return all(
        all(isinstance(value, str) for value in of) and len(set(of)) == len(of) for of in values
    )
