"""Shows what differs between two values."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from .. import words
from ..lookalikes import alike, note
from ..passages import Markup, markup
from .reordering import moves


class Pair(NamedTuple):
    """A value before and after, and its path."""

    path: str
    before: Any
    after: Any

    def text(self, *, full: bool) -> str:
        """Both values; for texts that look the same, also the characters that differ."""
        both = (
            f"{words.value(self.before, full=full)} → {words.value(self.after, full=full)}"
            if self.differs(full=full)
            else f"{words.precise(self.before)} → {words.precise(self.after)}"
        )
        texts = isinstance(self.before, str) and isinstance(self.after, str)
        differ = note(self.before, self.after) if texts else ""
        return f"{both} ({differ})" if differ else both

    def differs(self, *, full: bool = False) -> bool:
        """True if the two look different in the usual short form."""
        old, new = (words.value(one, full=full) for one in (self.before, self.after))
        return alike(old) != alike(new)

    def moves(self, *, full: bool = False) -> list[str]:
        """The moves, if both are the same long items in another order."""
        short = f"{words.value(self.before)} → {words.value(self.after)}"
        return moves(self.before, self.after, full=full) if len(short) > words.SHORT else []

    @property
    def prose(self) -> tuple[str, str, Markup] | None:
        """Both as texts, and how they are written, where their words are to be compared."""
        before, after = words.prose(self.before), words.prose(self.after)
        if before is None or after is None or before == after:
            return None
        return before, after, markup(self.before, self.after)


def pairs(path: str, before: Any, after: Any, *, full: bool = False) -> Iterator[Pair]:
    """The pair itself, or what differs inside it where the two would look the same."""
    pair = Pair(path, before, after)
    seen = pair.prose or pair.moves() or pair.differs(full=full)
    inner = [] if seen else list(_inside(pair))
    if not inner:
        yield pair
    for deeper in inner:
        yield from pairs(*deeper, full=full)


def _inside(pair: Pair) -> Iterator[Pair]:
    path, before, after = pair
    if isinstance(before, list) and isinstance(after, list):
        yield from _items(path, before, after)
    if _is_plain(before) and _is_plain(after):
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                yield Pair(f"{path}.{key}", before.get(key), after.get(key))


def _items(path: str, before: list[Any], after: list[Any]) -> Iterator[Pair]:
    """Item by item, or what was added and removed where that is shorter."""
    if len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield Pair(f"{path}[{number}]", old, new)
        return
    yield from (Pair(f"{path}[]", old, None) for old in before if old not in after)
    yield from (Pair(f"{path}[]", None, new) for new in after if new not in before)


def _is_plain(value: Any) -> bool:
    return isinstance(value, dict) and not any(key.startswith("$") for key in value)
