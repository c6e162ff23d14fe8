"""Shows what differs between two values; of lists, which items came, are gone or have moved."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from ...kinds import LANGUAGE
from ...planning.diff import is_plain_mapping
from ...resource import KEY
from ...support.invisible_characters import escape_invisible
from ..value_words import SHORT, long_text, shorten_list, spell_exactly, spell_value, text_as_seen
from ..word_diff import in_one_line, name_differences
from .text_differences import Markup, detect_markup

_FEW = 8
"""Items that people count themselves."""
_NAMED = 8
"""Items of each sort that are named."""
_KEYS = "id", "language", "key", "name"
"""Fields by which an item is known, the best one first."""
_TITLES = "label", "title", "name", "language"
"""Fields that people know an item by."""


def list_order_moves(before: Any, after: Any, *, full: bool = False) -> list[str]:
    """``moved `c` to the start``: as few moves as lead from one to the other.

    In the order of `after`: each place is right once the moves before it are made. Empty
    unless both are the same items.
    """
    if not (isinstance(before, list) and isinstance(after, list)) or len(before) != len(after):
        return []
    old = {build_equality_key(item): place for place, item in enumerate(before)}
    new = [build_equality_key(item) for item in after]
    if len(old) != len(before) or old.keys() != set(new):
        return []
    return list(_moves(after, [old[mark] for mark in new], full=full))


def _moves(after: Sequence[Any], places: Sequence[int], *, full: bool) -> Iterator[str]:
    """`places`: where each item of `after` stood before."""
    stay = _longest_run(places)
    for now, was in enumerate(places):
        if was not in stay:
            where = f"after {_name_moved(after[now - 1], full=full)}" if now else "to the start"
            counted = f" (place {was + 1:,} → {now + 1:,})" if len(places) > _FEW else ""
            yield f"moved {_name_moved(after[now], full=full)} {where}{counted}"


def _longest_run(places: Sequence[int]) -> set[int]:
    """The most that can stay: a longest run of places, not always side by side, that only grow."""
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for place in places:
        # The longest increasing subsequence in n log n: lists of people have thousands of items.
        length = bisect_left(ends, place)
        before[place] = ends[length - 1] if length else None
        ends[length : length + 1] = [place]
    run: set[int] = set()
    at = ends[-1] if ends else None
    while at is not None:
        run.add(at)
        at = before[at]
    return run


def build_equality_key(item: Any) -> bytes:
    """A key that equal items share."""
    return orjson.dumps(item, option=orjson.OPT_SORT_KEYS)


def _name_moved(item: Any, *, full: bool) -> str:
    """An id in backticks, a language by its tag, anything else as a value."""
    item = item.get(LANGUAGE, item) if isinstance(item, dict) else item
    is_name = type(item) is str and re.fullmatch(KEY, item)
    return f"`{item}`" if is_name else spell_value(item, full=full)


def list_changes(before: Sequence[Any], after: Sequence[Any], *, full: bool) -> str:
    """``+ Deutsch, moved `check` after `hello` ``, with a minus what is gone; empty if that fails.

    An item of many fields is named, and shown with all of them if `full`.
    """
    come, gone = _without(after, before), _without(before, after)
    named = [f"+ {name}" for name in _names(come, gone, full=full)]
    left = [f"\N{MINUS SIGN} {name}" for name in _names(gone, come, full=full)]
    moved = list_order_moves(_without(before, gone), _without(after, come), full=full)
    lines = [*_some(named, full=full), *_some(left, full=full), *_some(moved, full=full)]
    return ", ".join(lines)


def _some(texts: Sequence[str], *, full: bool) -> Iterator[str]:
    shown = shorten_list(texts, _NAMED, full=full)
    yield from shown
    if len(shown) < len(texts):
        yield f"… {len(texts) - len(shown):,} more"


def _without(items: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """The items that are not among the others, or more often than there."""
    left = Counter(map(build_equality_key, others))
    rest = []
    for item in items:
        if left[build_equality_key(item)]:
            left[build_equality_key(item)] -= 1
        else:
            rest.append(item)
    return rest


def _names(items: Iterable[Any], others: Iterable[Any], *, full: bool) -> Iterator[str]:
    """Each item by its name; exactly where one on the other side looks the same."""
    seen = {text_as_seen(_name(other, full=full)) for other in others}
    for item in items:
        name = _name(item, full=full)
        # A name that looks like one on the other side would read as if it came and went at once.
        yield spell_exactly(item) if text_as_seen(name) in seen else name


def _name(item: Any, *, full: bool) -> str:
    named = item if isinstance(item, Mapping) and "$ref" not in item else {}
    titles = (named[key] for key in _TITLES if isinstance(named.get(key), str))
    title = next(titles, "")
    whole = spell_value(item, full=full)
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


class Pair(NamedTuple):
    """A value before and after, and its path."""

    path: str
    before: Any
    after: Any

    def text(self, *, full: bool = False) -> str:
        """Both values, or what came and went in a list; for texts that look the same, also the
        characters that differ."""
        if isinstance(self.before, list) and isinstance(self.after, list):
            changed = list_changes(self.before, self.after, full=full)
            if changed:
                return changed
        if self.after is None and self.before is not None:
            return f"no longer set (it was {spell_value(self.before, full=full)})"
        both = (
            f"{spell_value(self.before, full=full)} → {spell_value(self.after, full=full)}"
            if self.differs(full=full)
            else f"{spell_exactly(self.before)} → {spell_exactly(self.after)}"
        )
        texts = isinstance(self.before, str) and isinstance(self.after, str)
        differ = name_differences(self.before, self.after) if texts else ""
        return f"{both} ({differ})" if differ else both

    def differs(self, *, full: bool = False) -> bool:
        """True if the two look different in the usual short form."""
        old, new = (spell_value(one, full=full) for one in (self.before, self.after))
        return text_as_seen(old) != text_as_seen(new)

    def moves(self, *, full: bool = False) -> list[str]:
        """The moves that lead to another order, if they need lines of their own."""
        lines = list_order_moves(self.before, self.after, full=full)
        return lines if len(", ".join(lines)) > SHORT else []

    @property
    def prose(self) -> tuple[str, str, Markup] | None:
        """Both as texts, and how they are written, where their words are to be compared."""
        before, after = long_text(self.before), long_text(self.after)
        if before is None or after is None or before == after:
            return None
        return before, after, detect_markup(self.before, self.after)


def expand_pair(path: str, before: Any, after: Any, *, full: bool = False) -> Iterator[Pair]:
    """The pair itself, or what differs inside it where that tells more."""
    if isinstance(before, list) and isinstance(after, list):
        yield from _lists(path.removesuffix(".order"), before, after, full=full)
        return
    pair = Pair(path, before, after)
    # It goes inside only where the short form of both would look the same.
    inner = [] if pair.prose or pair.differs(full=full) else list(_inside(pair))
    if not inner:
        yield pair
    for deeper in inner:
        yield from expand_pair(*deeper, full=full)


def one_line(before: Any, after: Any) -> str:
    """What differs between two values, on one line: `a: 1 → 2; tags: + Safety`."""
    return "; ".join(_on_a_line(pair) for pair in expand_pair("", before, after))


def _on_a_line(pair: Pair) -> str:
    path = pair.path.removeprefix(".")
    words_only = in_one_line(*pair.prose[:2]) if pair.prose else ""
    text = f"“{words_only}”" if words_only else pair.text()
    return f"{path}: {text}" if path else text


def _inside(pair: Pair) -> Iterator[Pair]:
    path, before, after = pair
    if is_plain_mapping(before) and is_plain_mapping(after):
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                yield Pair(f"{path}.{key}", before.get(key), after.get(key))


def _lists(path: str, before: list[Any], after: list[Any], *, full: bool) -> Iterator[Pair]:
    """Each item that is in both and differs, then the lists, if items came, went or moved."""
    key = by_key(before, after)
    # Without names, items of lists of one length are the same by their places.
    if not key and len(before) == len(after) and all(map(is_plain_mapping, [*before, *after])):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield from expand_pair(f"{path}[{number}]", old, new, full=full)
        return
    now = {item[key]: item for item in after} if key else {}
    for item in before if key else ():
        new = now.get(item[key], item)
        for name in sorted(item.keys() | new.keys()):
            if item.get(name) != new.get(name):
                inner = f"{path}[{item[key]}].{name}"
                yield from expand_pair(inner, item.get(name), new.get(name), full=full)
    # The list before with its items as they are now: only what came, went or moved is left.
    steady = [now.get(item[key], item) for item in before] if key else before
    if steady != after:
        yield Pair(path, steady, after)
