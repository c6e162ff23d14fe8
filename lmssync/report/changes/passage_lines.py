"""Compares two long texts passage by passage: which have gone, come, or become another."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..lookalikes import differing_middle
from ..passages import Passage
from ..word_diff import Piece, word_changes

EDITED = "~"
"""The sign of a line with words of both texts."""
_PAIRS = 400
"""How many passages are compared with how many others, at most."""
_ALIKE = 0.3
"""The share of words that passages must have in common to be compared word by word."""
_WORD = re.compile(r"\w+")


class PassageLine(NamedTuple):
    """A passage, before and after in one where it is the same one."""

    sign: str
    pieces: Sequence[Piece]

    @property
    def text(self) -> str:
        """What it says, of one that is only in one of the texts."""
        return "".join(piece.before or piece.after for piece in self.pieces)


def as_written(text: Sequence[Passage]) -> list[Passage]:
    """The same passages, of which every blank matters."""
    return [Passage(one.text, one.text) for one in text]


def changed_lines(
    old: Sequence[Passage], new: Sequence[Passage], *, full: bool
) -> Iterator[PassageLine]:
    for kind, i, j, k, m in _operations(old, new):
        gone = [one.meaning for one in old[i:j]]
        come = [one.meaning for one in new[k:m]]
        if kind != "equal":
            yield from _changed_passage(gone, come)
        elif full:
            yield from (PassageLine(" ", [Piece(text, text)]) for text in gone)


def _operations(
    old: Sequence[Passage], new: Sequence[Passage]
) -> Iterator[tuple[str, int, int, int, int]]:
    """As difflib has them; the common beginning and end are not searched."""
    was, now = ([one.meaning for one in passages] for passages in (old, new))
    start, (end, stop) = differing_middle(was, now)
    if start:
        yield "equal", 0, start, 0, start
    matcher = SequenceMatcher(None, was[start:end], now[start:stop])
    for kind, i, j, k, m in matcher.get_opcodes():
        yield kind, start + i, start + j, start + k, start + m
    if end < len(was):
        yield "equal", end, len(was), stop, len(now)


def _changed_passage(gone: Sequence[str], come: Sequence[str]) -> Iterator[PassageLine]:
    """A passage that has become another as one; those that are gone before those that came."""
    old, new = 0, 0
    for number, mate in _mates(gone, come):
        pieces = word_changes(gone[number], come[mate])
        if pieces is None:
            continue
        yield from _whole("-", gone[old:number])
        yield from _whole("+", come[new:mate])
        yield PassageLine(EDITED, pieces)
        old, new = number + 1, mate + 1
    yield from _whole("-", gone[old:])
    yield from _whole("+", come[new:])


def _whole(sign: str, texts: Sequence[str]) -> Iterator[PassageLine]:
    for text in texts:
        yield PassageLine(sign, [Piece(text, "") if sign == "-" else Piece("", text)])


def _mates(gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Passages and what each has probably become, in the order of both."""
    side_by_side = len(gone) == len(come) or len(gone) * len(come) > _PAIRS
    first = 0
    for number, text in enumerate(gone):
        others = range(number, number + 1) if side_by_side else range(first, len(come))
        alike = (n for n in others if n < len(come) and _are_akin(text, come[n]))
        if (mate := next(alike, None)) is not None:
            yield number, mate
            first = mate + 1


def _are_akin(one: str, other: str) -> bool:
    """True if the two have many words in common, in whatever order."""
    mine, others = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
    return 2 * (mine & others).total() >= _ALIKE * max(1, mine.total() + others.total())


def differ_in_layout(old: Sequence[Passage], new: Sequence[Passage]) -> bool:
    """True if passages that say the same are written differently."""
    return any(
        [one.text for one in old[i : j - 1]] != [one.text for one in new[k : m - 1]]
        or old[j - 1].text.rstrip() != new[m - 1].text.rstrip()
        for kind, i, j, k, m in _operations(old, new)
        if kind == "equal"
    )
