"""Shows what differs between two long texts: the words of a passage, or whole passages.

What lays a text out, and says nothing, is no difference. Markdown is compared by paragraphs, items
and headings, HTML by its blocks, other text by lines.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import islice
from typing import Any, NamedTuple

from ...support.invisible_characters import escape_invisible
from ..terminal_style import PLAIN, Colour, TextStyle
from ..value_words import text_as_seen, text_exactly
from ..word_diff import (
    Operation,
    Piece,
    Segment,
    describe_similar_words,
    edit_operations,
    name_differences,
    select_segments,
    spell_pieces,
    word_changes,
)

_BLANKS = re.compile(r"[ \t\r\n]+")
_HARD_BREAK = re.compile(r"(?:(?<! ) {2,}|\\)\r?\n(?=.*\S)")
_FENCE = re.compile(r" {0,3}(?:>\s*)*(```|~~~)")
_EXACT = re.compile(r" {4,}|\t")
"""Begins a line whose blanks may matter, such as code."""
_ALONE = re.compile(r"\s*(?:#{1,6}\s|\|)")
"""Begins a line that ends its passage too: a heading, a row of a table."""
_FIRST = re.compile(r"\s*(?:[-*+]\s|\d{1,9}[.)]\s|>|<|\[\^?\w+\]:)")
"""Begins an item, a quotation, a block of HTML, a definition."""
_HOLDS_BLOCKS = (
    "article|aside|blockquote|details|div|dl|figure|footer|header|main|nav|ol|section|table|tbody|"
    "thead|tr|ul"
)
_BLOCKS = (
    f"{_HOLDS_BLOCKS}|br|dd|dt|figcaption|h[1-6]|hr|img|li|p|pre|script|style|summary|td|th|"
    "textarea"
)
_BLOCK = re.compile(rf"(?=<(?:{_BLOCKS}|/(?:{_HOLDS_BLOCKS}))[\s/>])", re.IGNORECASE)
_KEEPS_BLANKS = re.compile(r"<(?:pre|script|style|textarea)[\s>]", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
EDITED = "~"
"""The sign of a line with words of both texts."""
_PAIRS = 400
"""How many passages are compared with how many others, at most."""
_ALIKE = 0.3
"""The share of words that passages must have in common to be compared word by word."""
_WORD = re.compile(r"\w+")
_LINES = 12
_LONG = 400
"""Characters of a whole passage that are shown."""
NOTE = "?"
"""Begins a line that is in neither text and says what differs."""
_COLOURS = {"-": Colour.RED, "+": Colour.GREEN, NOTE: Colour.DIM}
_LAYOUT = f"{NOTE} apart from that, only blanks and line breaks differ"


class Markup(Enum):
    """How a text is written."""

    PLAIN = auto()
    MARKDOWN = auto()
    HTML = auto()


class Passage(NamedTuple):
    """A piece of a text."""

    text: str
    """As it is written, with the ends of lines after it."""
    meaning: str
    """The same without line breaks and blanks that do not matter."""


def detect_markup(before: Any, after: Any) -> Markup:
    """How two bodies are written, if both are written the same way."""
    if isinstance(before, dict) and isinstance(after, dict):
        return Markup.MARKDOWN
    texts = (before, after)
    are_html = all(isinstance(text, str) and _TAG.search(text) for text in texts)
    return Markup.HTML if are_html else Markup.PLAIN


def split_passages(text: str, written: Markup) -> list[Passage]:
    """All of a text, piece by piece."""
    if written is Markup.MARKDOWN:
        return [_passage(lines, exact=exact) for lines, exact in _markdown_passages(text)]
    if written is Markup.HTML:
        pieces = filter(None, _BLOCK.split(text))
        return [_passage(piece, exact=bool(_KEEPS_BLANKS.match(piece))) for piece in pieces]
    return [Passage(line, line) for line in text.split("\n")]


def _passage(text: str, *, exact: bool) -> Passage:
    """A passage whose blanks count as one, unless they are to be exact."""
    if exact:
        return Passage(text, text.rstrip("\n"))
    # The indentation counts: in Markdown it decides which list a line belongs to.
    indent = text[: len(text) - len(text.lstrip(" "))]
    parts = (_BLANKS.sub(" ", part).strip(" ") for part in _HARD_BREAK.split(text))
    return Passage(text, indent + "\n".join(parts))


def _markdown_passages(text: str) -> Iterator[tuple[str, bool]]:
    """Each passage as it is written, and whether its blanks matter."""
    passage: list[str] = []
    fence = ""
    ended = False
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        # An indented line is code only after a blank line; inside a paragraph it goes on with the
        # text.
        exact = bool(fence or mark or (_EXACT.match(line) and ended))
        blank = not line.strip()
        starts = exact or ended or _ALONE.match(line) or _FIRST.match(line)
        if passage and starts and (fence or not blank):
            yield "".join(passage), False
            passage = []
        if exact and (fence or not blank):
            yield line, True
        else:
            passage.append(line)
        if mark:
            # A fence of another kind inside an open one is text of it, and ends nothing.
            fence = "" if fence == mark[1] else fence or mark[1]
        ended = exact or blank or bool(_ALONE.match(line))
    if passage:
        yield "".join(passage), False


class PassageLine(NamedTuple):
    """A passage, before and after in one where it is the same one."""

    sign: str
    pieces: Sequence[Piece]

    @property
    def text(self) -> str:
        """What it says, of one that is only in one of the texts."""
        return "".join(piece.before or piece.after for piece in self.pieces)


def as_written(text: Sequence[Passage]) -> list[Passage]:
    """The passages of a text of which every blank matters."""
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


def _operations(old: Sequence[Passage], new: Sequence[Passage]) -> Iterator[Operation]:
    return edit_operations([one.meaning for one in old], [one.meaning for one in new])


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
    # Comparing each with each is quadratic: beyond the limit, or in equal numbers, the n-th became
    # the n-th.
    side_by_side = len(gone) == len(come) or len(gone) * len(come) > _PAIRS
    first = 0
    for number, text in enumerate(gone):
        others = range(number, number + 1) if side_by_side else range(first, len(come))
        alike = (n for n in others if n < len(come) and _are_akin(text, come[n]))
        if (mate := next(alike, None)) is not None:
            yield number, mate
            # Passages never cross, so that the lines can be read from top to bottom in both texts.
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


class DiffLines(NamedTuple):
    """Lines of a text, and how many of them were left out."""

    lines: list[str]
    hidden: int = 0


class ChangedText(NamedTuple):
    """What differs between two texts, to be shown."""

    lines: list[tuple[str, list[Segment]]]
    """The sign of each line, and what stands on it."""
    notes: list[str]
    """What cannot be seen in the lines."""
    hidden: int
    """Lines that are left out."""


def changed_text(before: str, after: str, markup: Markup) -> ChangedText:
    """Finds the passages that differ between two texts, for a page instead of a terminal."""
    found = _Found.of(before, after, markup, full=False)
    lines = [
        (line.sign, [*select_segments(line.pieces)])
        if line.sign == EDITED
        else (line.sign, [Segment(line.sign, _spell_passage(line, found.twins, full=False))])
        for line in found.kept
    ]
    return ChangedText(lines, [note.removeprefix(f"{NOTE} ") for note in found.notes], found.hidden)


def text_changes(
    before: str,
    after: str,
    markup: Markup = Markup.PLAIN,
    style: TextStyle = PLAIN,
    *,
    full: bool = False,
) -> DiffLines:
    """What differs: `~` words of a passage, `-` and `+` whole passages; a dozen, unless `full`.

    `full` shows both texts whole, with what is the same as well.
    """
    found = _Found.of(before, after, markup, full=full)
    shown = [_show_line(line, found.twins, style, full=full) for line in found.kept]
    shown += [style(text, Colour.DIM) for text in found.notes]
    return DiffLines(shown, found.hidden)


class _Found(NamedTuple):
    """The lines in which two texts differ, as far as they are shown."""

    kept: Sequence[PassageLine]
    hidden: int
    twins: set[str]
    notes: list[str]

    @classmethod
    def of(cls, before: str, after: str, markup: Markup, *, full: bool) -> "_Found":
        old, new = split_passages(before, markup), split_passages(after, markup)
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


def _show_line(line: PassageLine, twins: set[str], style: TextStyle, *, full: bool) -> str:
    """A line as it is read."""
    if line.sign == EDITED:
        return style(EDITED, Colour.YELLOW) + spell_pieces(line.pieces, style, full=full)
    text = line.sign + _spell_passage(line, twins, full=full)
    return style(text, _COLOURS[line.sign]) if line.sign in _COLOURS else text.rstrip(" ")


def _spell_passage(line: PassageLine, twins: set[str], *, full: bool) -> str:
    """A whole passage; exact where it looks like another."""
    beginning = _beginning(line.text, full=full)
    return (
        text_exactly(line.text) if text_as_seen(beginning) in twins else escape_invisible(beginning)
    )


def _notes(lines: Sequence[PassageLine]) -> list[str]:
    """Which characters differ in words or passages that look the same."""
    edited = [line for line in lines if line.sign == EDITED]
    named = [name for line in edited for name in describe_similar_words(line.pieces)]
    gone, come = ([line.text for line in lines if line.sign == sign] for sign in "-+")
    if len(gone) == len(come):
        named += filter(None, map(name_differences, gone, come))
    return [f"{NOTE} {one}" for one in islice(dict.fromkeys(named), _LINES)]
