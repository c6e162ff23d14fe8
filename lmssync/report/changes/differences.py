"""Shows what differs between two values."""

import difflib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ...visible import visible
from .. import words
from ..excerpts import excerpts
from ..lookalikes import alike, exact, note
from .reordering import moves

_LINES = 12
_SIGNS = "-+"
NOTE = "?"
"""Starts a line that is in neither text and names the characters that differ."""


class Shown(NamedTuple):
    """Lines of a text, and how many of them were left out."""

    lines: list[str]
    hidden: int = 0
    cut: bool = False
    """Some of the lines are shown in part."""


class _Line(NamedTuple):
    """A line that differs."""

    sign: str
    text: str
    shown: str
    """All of it, or the words that differ with a few around them."""


def line_changes(before: str, after: str, *, full: bool = False) -> Shown:
    """The lines that differ, `-` and `+`; cut after a dozen unless `full`.

    Of a long line that has become another, the words that differ are shown unless `full`.
    """
    changed = list(_changed(before.split("\n"), after.split("\n"), full=full))
    kept = changed if full or len(changed) <= _LINES + 1 else _some(changed)
    twins = _twins(changed)
    cut = any(line.shown != line.text for line in kept)
    lines = [*(_spelled(line, twins) for line in kept), *_notes(kept)]
    return Shown(lines, len(changed) - len(kept), cut)


def _changed(old: list[str], new: list[str], *, full: bool) -> Iterator[_Line]:
    """Block by block, removed lines before added ones."""
    room = 0 if full else _LINES
    for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            continue
        gone, come = old[i:j], new[k:m]
        pairs = list(islice(excerpts(gone[:room], come[:room]), room))
        room -= len(pairs)
        short = {n: both.before for n, _, both in pairs}
        yield from (_Line("-", text, short.get(n, text)) for n, text in enumerate(gone))
        short = {n: both.after for _, n, both in pairs}
        yield from (_Line("+", text, short.get(n, text)) for n, text in enumerate(come))


def _twins(changed: Sequence[_Line]) -> set[str]:
    """What looks the same in a removed and in an added line."""
    gone, come = ({alike(line.shown) for line in changed if line.sign == sign} for sign in _SIGNS)
    return gone & come


def _spelled(line: _Line, twins: set[str]) -> str:
    """A line as it is shown; whole and exact where it looks like another."""
    if alike(line.shown) not in twins:
        return line.sign + visible(line.shown)
    return line.sign + exact(line.text)


def _notes(changed: Sequence[_Line]) -> list[str]:
    """Which characters differ in lines that look the same."""
    gone, come = ([line.text for line in changed if line.sign == sign] for sign in _SIGNS)
    if len(gone) != len(come):
        return []
    named = dict.fromkeys(filter(None, map(note, gone, come)))
    return [f"{NOTE} {one}" for one in islice(named, _LINES)]


def _some(changed: list[_Line]) -> list[_Line]:
    """The first removed and the first added lines, half of each where there are many."""
    gone = [n for n, line in enumerate(changed) if line.sign == "-"]
    come = [n for n, line in enumerate(changed) if line.sign == "+"]
    half = _LINES // 2
    least = gone[: max(half, _LINES - len(come))], come[: max(half, _LINES - len(gone))]
    return [changed[n] for n in sorted([*least[0], *least[1]])]


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
    def prose(self) -> tuple[str, str] | None:
        """Both as texts, where a difference of lines tells more than one value after the other."""
        before, after = words.prose(self.before), words.prose(self.after)
        if before is None or after is None or before == after:
            return None
        return before, after


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
