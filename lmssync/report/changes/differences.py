"""Shows what differs between two values."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from .. import words
from ..lookalikes import name_differences, text_as_seen
from ..passages import Markup, markup
from ..word_diff import in_one_line
from .listed import by_key, list_changes
from .reordering import moves


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
        both = (
            f"{words.value(self.before, full=full)} → {words.value(self.after, full=full)}"
            if self.differs(full=full)
            else f"{words.precise(self.before)} → {words.precise(self.after)}"
        )
        texts = isinstance(self.before, str) and isinstance(self.after, str)
        differ = name_differences(self.before, self.after) if texts else ""
        return f"{both} ({differ})" if differ else both

    def differs(self, *, full: bool = False) -> bool:
        """True if the two look different in the usual short form."""
        old, new = (words.value(one, full=full) for one in (self.before, self.after))
        return text_as_seen(old) != text_as_seen(new)

    def moves(self, *, full: bool = False) -> list[str]:
        """The moves that lead to another order, if they need lines of their own."""
        lines = moves(self.before, self.after, full=full)
        return lines if len(", ".join(lines)) > words.SHORT else []

    @property
    def prose(self) -> tuple[str, str, Markup] | None:
        """Both as texts, and how they are written, where their words are to be compared."""
        before, after = words.prose(self.before), words.prose(self.after)
        if before is None or after is None or before == after:
            return None
        return before, after, markup(self.before, self.after)


def pairs(path: str, before: Any, after: Any, *, full: bool = False) -> Iterator[Pair]:
    """The pair itself, or what differs inside it where that tells more."""
    if isinstance(before, list) and isinstance(after, list):
        yield from _lists(path.removesuffix(".order"), before, after, full=full)
        return
    pair = Pair(path, before, after)
    inner = [] if pair.prose or pair.differs(full=full) else list(_inside(pair))
    if not inner:
        yield pair
    for deeper in inner:
        yield from pairs(*deeper, full=full)


def one_line(before: Any, after: Any) -> str:
    """What differs between two values, on one line: `a: 1 → 2; tags: + Safety`."""
    return "; ".join(_on_a_line(pair) for pair in pairs("", before, after))


def _on_a_line(pair: Pair) -> str:
    path = pair.path.removeprefix(".")
    words_only = in_one_line(*pair.prose[:2]) if pair.prose else ""
    text = f"“{words_only}”" if words_only else pair.text()
    return f"{path}: {text}" if path else text


def _inside(pair: Pair) -> Iterator[Pair]:
    path, before, after = pair
    if _is_plain(before) and _is_plain(after):
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                yield Pair(f"{path}.{key}", before.get(key), after.get(key))


def _lists(path: str, before: list[Any], after: list[Any], *, full: bool) -> Iterator[Pair]:
    """Each item that is in both and differs, then the lists, if items came, went or moved."""
    key = by_key(before, after)
    if not key and len(before) == len(after) and all(map(_is_plain, [*before, *after])):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield from pairs(f"{path}[{number}]", old, new, full=full)
        return
    now = {item[key]: item for item in after} if key else {}
    for item in before if key else ():
        new = now.get(item[key], item)
        for name in sorted(item.keys() | new.keys()):
            if item.get(name) != new.get(name):
                inner = f"{path}[{item[key]}].{name}"
                yield from pairs(inner, item.get(name), new.get(name), full=full)
    steady = [now.get(item[key], item) for item in before] if key else before
    if steady != after:
        yield Pair(path, steady, after)


def _is_plain(value: Any) -> bool:
    return isinstance(value, dict) and not any(key.startswith("$") for key in value)
