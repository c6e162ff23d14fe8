"""Shows what differs between two long texts: the words of a passage, or whole passages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import NamedTuple

from ...visible import visible
from ..ink import PLAIN, Colour, Ink
from ..lookalikes import alike, exact, middle, note
from ..passages import Markup, Passage, passages
from ..word_diff import Piece, Segment, is_cut, notes, segments, spelled, word_changes

_LINES = 12
_LONG = 400
"""Characters of a whole passage that are shown."""
_PAIRS = 400
"""How many passages are compared with how many others, at most."""
_ALIKE = 0.3
"""The share of words that passages must have in common to be compared word by word."""
EDITED, NOTE = "~", "?"
"""Begin a line with words of both texts, and one that is in neither and says what differs."""
_COLOURS = {"-": Colour.RED, "+": Colour.GREEN, NOTE: Colour.DIM}
_WORD = re.compile(r"\w+")
_LAYOUT = f"{NOTE} besides, only blanks and line breaks differ"


class DiffLines(NamedTuple):
    """Lines of a text, and how many of them were left out."""

    lines: list[str]
    hidden: int = 0
    cut: bool = False
    """Some of the lines are shown in part."""


class _Line(NamedTuple):
    """A passage, before and after in one where it is the same one."""

    sign: str
    pieces: Sequence[Piece]

    @property
    def text(self) -> str:
        """What it says, of one that is only in one of the texts."""
        return "".join(piece.before or piece.after for piece in self.pieces)


class ChangedText(NamedTuple):
    """What differs between two texts, to be shown."""

    lines: list[tuple[str, list[Segment]]]
    """The sign of each line, and what stands on it."""
    notes: list[str]
    """What cannot be seen in the lines."""
    hidden: int
    """Lines that are left out."""


def changed_text(before: str, after: str, markup: Markup) -> ChangedText:
    """The same as `text_changes`, for what is no terminal."""
    found = _Found.of(before, after, markup, full=False)
    lines = [
        (line.sign, [*segments(line.pieces)])
        if line.sign == EDITED
        else (line.sign, [Segment(line.sign, _spelled(line, found.twins, full=False))])
        for line in found.kept
    ]
    return ChangedText(lines, [note.removeprefix(f"{NOTE} ") for note in found.notes], found.hidden)


def text_changes(
    before: str, after: str, markup: Markup = Markup.PLAIN, ink: Ink = PLAIN, *, full: bool = False
) -> DiffLines:
    """What differs: `~` words of a passage, `-` and `+` whole passages; a dozen, unless `full`.

    `full` shows both texts whole, with what is the same as well.
    """
    found = _Found.of(before, after, markup, full=full)
    shown = [_shown(line, found.twins, ink, full=full) for line in found.kept]
    shown += [ink(text, Colour.DIM) for text in found.notes]
    cut = not full and any(_is_cut(line) for line in found.kept)
    return DiffLines(shown, found.hidden, cut)


class _Found(NamedTuple):
    """The lines in which two texts differ, as far as they are shown."""

    kept: Sequence[_Line]
    hidden: int
    twins: set[str]
    notes: list[str]

    @classmethod
    def of(cls, before: str, after: str, markup: Markup, *, full: bool) -> "_Found":
        old, new = passages(before, markup), passages(after, markup)
        if [one.meaning for one in old] == [one.meaning for one in new]:
            old, new = _as_written(old), _as_written(new)
        lines = list(_lines(old, new, full=full))
        kept = lines if full or len(lines) <= _LINES + 1 else _some(lines)
        noted = [*_notes(kept), *[_LAYOUT] * _differ_in_layout(old, new)]
        return cls(kept, len(lines) - len(kept), _twins(lines, full=full), noted)


def _as_written(text: Sequence[Passage]) -> list[Passage]:
    """The same passages, of which every blank matters."""
    return [Passage(one.text, one.text) for one in text]


def _lines(old: Sequence[Passage], new: Sequence[Passage], *, full: bool) -> Iterator[_Line]:
    for kind, i, j, k, m in _operations(old, new):
        gone = [one.meaning for one in old[i:j]]
        come = [one.meaning for one in new[k:m]]
        if kind != "equal":
            yield from _changed(gone, come)
        elif full:
            yield from (_Line(" ", [Piece(text, text)]) for text in gone)


def _operations(
    old: Sequence[Passage], new: Sequence[Passage]
) -> Iterator[tuple[str, int, int, int, int]]:
    """As difflib has them; the common beginning and end are not searched."""
    was, now = ([one.meaning for one in passages] for passages in (old, new))
    start, (end, stop) = middle(was, now)
    if start:
        yield "equal", 0, start, 0, start
    matcher = SequenceMatcher(None, was[start:end], now[start:stop])
    for kind, i, j, k, m in matcher.get_opcodes():
        yield kind, start + i, start + j, start + k, start + m
    if end < len(was):
        yield "equal", end, len(was), stop, len(now)


def _changed(gone: Sequence[str], come: Sequence[str]) -> Iterator[_Line]:
    """A passage that has become another as one; those that are gone before those that came."""
    old, new = 0, 0
    for number, mate in _mates(gone, come):
        pieces = word_changes(gone[number], come[mate])
        if pieces is None:
            continue
        yield from _whole("-", gone[old:number])
        yield from _whole("+", come[new:mate])
        yield _Line(EDITED, pieces)
        old, new = number + 1, mate + 1
    yield from _whole("-", gone[old:])
    yield from _whole("+", come[new:])


def _whole(sign: str, texts: Sequence[str]) -> Iterator[_Line]:
    for text in texts:
        yield _Line(sign, [Piece(text, "") if sign == "-" else Piece("", text)])


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


def _some(lines: Sequence[_Line]) -> list[_Line]:
    """The first of them; where many are gone and many came, half of each."""
    both = [n for n, line in enumerate(lines) if line.sign == EDITED][:_LINES]
    room = _LINES - len(both)
    gone, come = ([n for n, line in enumerate(lines) if line.sign == sign] for sign in "-+")
    half = room // 2
    least = gone[: max(half, room - len(come))], come[: max(room - half, room - len(gone))]
    return [lines[n] for n in sorted([*both, *least[0], *least[1]])]


def _twins(lines: Sequence[_Line], *, full: bool) -> set[str]:
    """What looks the same in a removed and in an added passage."""
    gone, come = (
        {alike(_beginning(line.text, full=full)) for line in lines if line.sign == sign}
        for sign in "-+"
    )
    return gone & come


def _beginning(text: str, *, full: bool) -> str:
    return text if full or len(text) <= _LONG else f"{text[:_LONG]}…"


def _is_cut(line: _Line) -> bool:
    return is_cut(line.pieces) if line.sign == EDITED else len(line.text) > _LONG


def _shown(line: _Line, twins: set[str], ink: Ink, *, full: bool) -> str:
    """A line as it is read."""
    if line.sign == EDITED:
        return ink(EDITED, Colour.YELLOW) + spelled(line.pieces, ink, full=full)
    text = line.sign + _spelled(line, twins, full=full)
    return ink(text, _COLOURS[line.sign]) if line.sign in _COLOURS else text.rstrip(" ")


def _spelled(line: _Line, twins: set[str], *, full: bool) -> str:
    """A whole passage; exact where it looks like another."""
    beginning = _beginning(line.text, full=full)
    return exact(line.text) if alike(beginning) in twins else visible(beginning)


def _notes(lines: Sequence[_Line]) -> list[str]:
    """Which characters differ in words or passages that look the same."""
    named = [name for line in lines if line.sign == EDITED for name in notes(line.pieces)]
    gone, come = ([line.text for line in lines if line.sign == sign] for sign in "-+")
    if len(gone) == len(come):
        named += filter(None, map(note, gone, come))
    return [f"{NOTE} {one}" for one in islice(dict.fromkeys(named), _LINES)]


def _differ_in_layout(old: Sequence[Passage], new: Sequence[Passage]) -> bool:
    """True if passages that say the same are written differently."""
    return any(
        [one.text for one in old[i : j - 1]] != [one.text for one in new[k : m - 1]]
        or old[j - 1].text.rstrip() != new[m - 1].text.rstrip()
        for kind, i, j, k, m in _operations(old, new)
        if kind == "equal"
    )
