"""What differs between two values, so that it is seen."""

import difflib
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from ..visible import visible
from . import words
from .unseen import alike, exact

_LINES = 12


class Shown(NamedTuple):
    """Lines of a text, and how many of them were left out."""

    lines: list[str]
    hidden: int = 0


def line_changes(before: str, after: str, *, full: bool = False) -> Shown:
    """The lines that differ, `-` and `+`; cut after a dozen unless `full`."""
    diff = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    changed = [line for line in islice(diff, 2, None) if not line.startswith("@@")]
    kept = changed if full or len(changed) <= _LINES + 1 else _some(changed)
    twins = {alike(line[1:]) for line in changed if line[0] == "-"} & {
        alike(line[1:]) for line in changed if line[0] == "+"
    }
    spelled = [
        line[0] + (exact if alike(line[1:]) in twins else visible)(line[1:]) for line in kept
    ]
    return Shown(spelled, len(changed) - len(kept))


def _some(changed: list[str]) -> list[str]:
    """The first lines that go and the first that come, half of each where there are many."""
    gone = [n for n, line in enumerate(changed) if line[0] == "-"]
    come = [n for n, line in enumerate(changed) if line[0] == "+"]
    half = _LINES // 2
    least = gone[: max(half, _LINES - len(come))], come[: max(half, _LINES - len(gone))]
    return [changed[n] for n in sorted([*least[0], *least[1]])]


class Pair(NamedTuple):
    """A value before and after, and where it stands."""

    path: str
    before: Any
    after: Any

    def told(self, *, full: bool) -> str:
        return (
            f"{words.value(self.before, full=full)} → {words.value(self.after, full=full)}"
            if self.differs(full=full)
            else f"{words.precise(self.before)} → {words.precise(self.after)}"
        )

    def differs(self, *, full: bool = False) -> bool:
        """True if what is usually shown of the two is not the same."""
        old, new = (words.value(one, full=full) for one in (self.before, self.after))
        return alike(old) != alike(new)

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
    inner = [] if pair.prose or pair.differs(full=full) else list(_inside(pair))
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
    """Place by place, or what has come and gone where that is not as much."""
    if len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield Pair(f"{path}[{number}]", old, new)
        return
    yield from (Pair(f"{path}[]", old, None) for old in before if old not in after)
    yield from (Pair(f"{path}[]", None, new) for new in after if new not in before)


def _is_plain(found: Any) -> bool:
    return isinstance(found, dict) and not any(key.startswith("$") for key in found)
