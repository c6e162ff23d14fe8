"""Shows what differs between two long texts: the words of a passage, or whole passages."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from ...support.visible import escape_invisible
from ..ink import PLAIN, Colour, Ink
from ..lookalikes import name_differences, text_as_seen, text_exactly
from ..passages import Markup, passages
from ..word_diff import Segment, is_cut, notes, segments, spell_pieces
from .passage_lines import EDITED, PassageLine, as_written, changed_lines, differ_in_layout

_LINES = 12
_LONG = 400
"""Characters of a whole passage that are shown."""
NOTE = "?"
"""Begins a line that is in neither text and says what differs."""
_COLOURS = {"-": Colour.RED, "+": Colour.GREEN, NOTE: Colour.DIM}
_LAYOUT = f"{NOTE} besides, only blanks and line breaks differ"


class DiffLines(NamedTuple):
    """Lines of a text, and how many of them were left out."""

    lines: list[str]
    hidden: int = 0
    cut: bool = False
    """Some of the lines are shown in part."""


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
        else (line.sign, [Segment(line.sign, _spell_passage(line, found.twins, full=False))])
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
    shown = [_show_line(line, found.twins, ink, full=full) for line in found.kept]
    shown += [ink(text, Colour.DIM) for text in found.notes]
    cut = not full and any(_is_cut(line) for line in found.kept)
    return DiffLines(shown, found.hidden, cut)


class _Found(NamedTuple):
    """The lines in which two texts differ, as far as they are shown."""

    kept: Sequence[PassageLine]
    hidden: int
    twins: set[str]
    notes: list[str]

    @classmethod
    def of(cls, before: str, after: str, markup: Markup, *, full: bool) -> "_Found":
        old, new = passages(before, markup), passages(after, markup)
        if [one.meaning for one in old] == [one.meaning for one in new]:
            old, new = as_written(old), as_written(new)
        changed = list(changed_lines(old, new, full=full))
        kept = changed if full or len(changed) <= _LINES + 1 else _some(changed)
        noted = [*_notes(kept), *[_LAYOUT] * differ_in_layout(old, new)]
        return cls(kept, len(changed) - len(kept), _twins(changed, full=full), noted)


def _some(lines: Sequence[PassageLine]) -> list[PassageLine]:
    """The first of them; where many are gone and many came, half of each."""
    both = [n for n, line in enumerate(lines) if line.sign == EDITED][:_LINES]
    room = _LINES - len(both)
    gone, come = ([n for n, line in enumerate(lines) if line.sign == sign] for sign in "-+")
    half = room // 2
    least = gone[: max(half, room - len(come))], come[: max(room - half, room - len(gone))]
    return [lines[n] for n in sorted([*both, *least[0], *least[1]])]


def _twins(lines: Sequence[PassageLine], *, full: bool) -> set[str]:
    """What looks the same in a removed and in an added passage."""
    gone, come = (
        {text_as_seen(_beginning(line.text, full=full)) for line in lines if line.sign == sign}
        for sign in "-+"
    )
    return gone & come


def _beginning(text: str, *, full: bool) -> str:
    return text if full or len(text) <= _LONG else f"{text[:_LONG]}…"


def _is_cut(line: PassageLine) -> bool:
    return is_cut(line.pieces) if line.sign == EDITED else len(line.text) > _LONG


def _show_line(line: PassageLine, twins: set[str], ink: Ink, *, full: bool) -> str:
    """A line as it is read."""
    if line.sign == EDITED:
        return ink(EDITED, Colour.YELLOW) + spell_pieces(line.pieces, ink, full=full)
    text = line.sign + _spell_passage(line, twins, full=full)
    return ink(text, _COLOURS[line.sign]) if line.sign in _COLOURS else text.rstrip(" ")


def _spell_passage(line: PassageLine, twins: set[str], *, full: bool) -> str:
    """A whole passage; exact where it looks like another."""
    beginning = _beginning(line.text, full=full)
    return (
        text_exactly(line.text) if text_as_seen(beginning) in twins else escape_invisible(beginning)
    )


def _notes(lines: Sequence[PassageLine]) -> list[str]:
    """Which characters differ in words or passages that look the same."""
    named = [name for line in lines if line.sign == EDITED for name in notes(line.pieces)]
    gone, come = ([line.text for line in lines if line.sign == sign] for sign in "-+")
    if len(gone) == len(come):
        named += filter(None, map(name_differences, gone, come))
    return [f"{NOTE} {one}" for one in islice(dict.fromkeys(named), _LINES)]
