"""The words that differ between two long lines, and a few around them."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

LONG = 120
"""Characters of a line that is shown whole."""
_AROUND = 24
"""Characters of the same text that are shown on either side of a difference."""
_WORTH = 0.75
"""An excerpt is shown if it has at most this share of the characters."""
_MOST = 600
"""Words beyond which the middle of two lines is one difference."""
_PAIRS = 100
_WORD = re.compile(r"\w+|\s+|[^\w\s]")


class Both(NamedTuple):
    """What is shown of a line before and after."""

    before: str
    after: str


def excerpts(gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[int, int, Both]]:
    """The lines of which each has become another, by their numbers, where an excerpt is enough.

    No changed word is left out of one.
    """
    if len(gone) == len(come) or len(gone) * len(come) > _PAIRS:
        yield from _in_pairs(gone, come)
        return
    free = list(range(len(come)))
    for number, line in enumerate(gone):
        for other in free:
            if both := excerpt(line, come[other]):
                yield number, other, both
                free = [one for one in free if one > other]
                break


def _in_pairs(gone: Sequence[str], come: Sequence[str]) -> Iterator[tuple[int, int, Both]]:
    for number, (old, new) in enumerate(zip(gone, come, strict=False)):
        if both := excerpt(old, new):
            yield number, number, both


def excerpt(before: str, after: str) -> Both | None:
    """What differs in one line, with its context; None if the whole line is needed."""
    if max(len(before), len(after)) <= LONG:
        return None
    old, new = _WORD.findall(before), _WORD.findall(after)
    spans = list(_differences(old, new))
    shown = Both(
        _cut(old, [(i, j) for i, j, _, _ in spans]), _cut(new, [(k, m) for _, _, k, m in spans])
    )
    worth = _WORTH * (len(before) + len(after))
    return shown if len(shown.before) + len(shown.after) <= worth else None


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Spans of words that differ, in both; a common beginning and end is skipped."""
    start, ends = middle(old, new)
    if max(ends) - start > _MOST:
        yield start, ends[0], start, ends[1]
        return
    matcher = SequenceMatcher(None, old[start : ends[0]], new[start : ends[1]], autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            yield start + i, start + j, start + k, start + m


def middle(old: Sequence[str], new: Sequence[str]) -> tuple[int, tuple[int, int]]:
    """Where two begin to differ, and where each goes on as the other until the end."""
    least = min(len(old), len(new))
    start = next((n for n in range(least) if old[n] != new[n]), least)
    least -= start
    same = next((n for n in range(least) if old[-1 - n] != new[-1 - n]), least)
    return start, (len(old) - same, len(new) - same)


def _cut(words: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    """The words of the spans and those around them, `…` for the others."""
    keep: set[int] = set()
    for first, stop in spans:
        keep.update(range(first, stop))
        keep.update(_near(words, range(first - 1, -1, -1)))
        keep.update(_near(words, range(stop, len(words))))
    shown: list[str] = []
    last = -1
    for number in sorted(keep):
        shown += ["…"] * (number > last + 1)
        shown.append(words[number])
        last = number
    return "".join([*shown, *["…"] * (last + 1 < len(words))])


def _near(words: Sequence[str], numbers: range) -> Iterator[int]:
    """The next of some words, as many as fit."""
    room = _AROUND
    for number in numbers:
        room -= len(words[number])
        if room < 0:
            return
        yield number
