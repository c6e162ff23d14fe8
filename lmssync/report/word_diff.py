"""The words that differ between two passages, and the characters, where words look the same."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from ..support.invisible_characters import UNSEEN, escape_invisible
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import join_some, text_as_seen, text_exactly

_AROUND = 32
"""Characters of the same text that are shown on either side of a difference."""
_WORTH = 0.5
"""The share of two passages that must be the same, for them to be shown as one."""
_MOST = 4_000
"""Words beyond which the middle of two passages is one difference."""
_FEW = 600
"""Words among which even frequent ones, and blanks, are looked for."""
_TOKEN = re.compile(r"</?[a-zA-Z][^<>]*>|&#?\w{1,32};|(?:\w[\u0300-\u036f]*)+|[ \t\r\n]+|[^\w]")
_CONTROLS = {"\t": "TAB", "\n": "LINE FEED", "\r": "CARRIAGE RETURN"}
"""Unicode gives controls no names."""
_NAMED = 4
"""How many characters that differ are named."""
_LONG = 400
"""Characters beyond which the middle of two texts is not compared one by one."""
Operation = tuple[str, int, int, int, int]
"""What difflib calls it, first and last word before, first and last word after."""


class Piece(NamedTuple):
    """A part of a passage before and after; both are the same where nothing differs."""

    before: str
    after: str

    @property
    def differs(self) -> bool:
        return self.before != self.after


def edit_operations(
    old: Sequence[str], new: Sequence[str], *, few: int = 0, most: int | None = None
) -> Iterator[Operation]:
    """The operations of difflib that make `new` of `old`.

    The common beginning and end are skipped first, since difflib takes quadratic time. Beyond `few`
    words, frequent ones are not looked for; a middle of more than `most` is one difference.
    """
    start, (end, stop) = differing_middle(old, new)
    if start:
        yield "equal", 0, start, 0, start
    if most is not None and max(end, stop) - start > most:
        yield "replace", start, end, start, stop
    else:
        was, now = old[start:end], new[start:stop]
        matcher = SequenceMatcher(None, was, now, autojunk=len(now) > few)
        for kind, i, j, k, m in matcher.get_opcodes():
            yield kind, start + i, start + j, start + k, start + m
    if end < len(old):
        yield "equal", end, len(old), stop, len(new)


def differing_middle(old: Sequence[str], new: Sequence[str]) -> tuple[int, tuple[int, int]]:
    """Where two begin to differ, and where each goes on as the other until the end."""
    least = min(len(old), len(new))
    start = next((n for n in range(least) if old[n] != new[n]), least)
    # Else the end could overlap the beginning where a word is repeated, as in "a a" and "a a a".
    least -= start
    same = next((n for n in range(least) if old[-1 - n] != new[-1 - n]), least)
    return start, (len(old) - same, len(new) - same)


def word_changes(before: str, after: str) -> list[Piece] | None:
    """Both passages in one; None if they have too little in common to be read that way."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    groups = list(_group_words(old, new))
    differing = sum(_weight(gone) + _weight(come) for gone, come, differs in groups if differs)
    if differing > (1 - _WORTH) * (_weight(old) + _weight(new)):
        return None
    return [Piece("".join(gone), "".join(come)) for gone, come, _ in groups]


def _group_words(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[Sequence[str], Sequence[str], bool]]:
    """Runs of words before and after, and whether they differ.

    Differences with only a blank between them are one.
    """
    operations = list(edit_operations(old, new, few=_FEW, most=_MOST))
    last = len(operations) - 1

    def differs(number: int) -> bool:
        kind, i, j, *_ = operations[number]
        # A blank between two differing words would split one change into two that are hard to read.
        return kind != "equal" or (0 < number < last and not "".join(old[i:j]).strip())

    for is_edit, numbers in groupby(range(len(operations)), differs):
        run = [operations[number] for number in numbers]
        yield old[run[0][1] : run[-1][2]], new[run[0][3] : run[-1][4]], is_edit


def _weight(tokens: Iterable[str]) -> int:
    """How much there is to read: letters count, a tag counts as one, a blank as nothing."""
    return sum(len(one) if one[0].isalnum() else not one.isspace() for one in tokens)


def in_one_line(before: str, after: str) -> str:
    """The difference of two texts on one line; empty if they have too little in common."""
    pieces = word_changes(" ".join(before.split()), " ".join(after.split()))
    return spell_pieces(pieces) if pieces and any(piece.differs for piece in pieces) else ""


class Segment(NamedTuple):
    """A text as it is shown: a blank for what is in both, a minus for what is gone, or a plus."""

    sign: str
    text: str


def select_segments(pieces: Sequence[Piece], *, full: bool = False) -> Iterator[Segment]:
    """Both passages in one, of the unchanged words only those near a difference unless `full`."""
    last = len(pieces) - 1
    for n, piece in enumerate(pieces):
        if piece.differs:
            yield from _edit(piece)
        else:
            text = piece.before if full else _shorten_text(piece.before, n == 0, n == last)
            yield Segment(" ", escape_invisible(text))


def spell_pieces(pieces: Sequence[Piece], style: TextStyle = PLAIN, *, full: bool = False) -> str:
    """`… is easier to [-start-]{+come+} back to …`; in colour without the brackets."""
    return "".join(_style_segment(segment, style) for segment in select_segments(pieces, full=full))


def _edit(piece: Piece) -> Iterator[Segment]:
    """What is gone and what has come; character by character where the two look the same."""
    # Without this, a no-break space in the place of a space shows as a change into the same words.
    same = text_as_seen(piece.before) == text_as_seen(piece.after)
    spell = text_exactly if same or any(text.isspace() for text in piece) else escape_invisible
    both = zip("-+", map(spell, piece), strict=True)
    yield from (Segment(sign, text) for sign, text in both if text)


def _style_segment(segment: Segment, style: TextStyle) -> str:
    sign, text = segment
    if sign == " ":
        return text
    if style.on:
        return style(text, Colour.RED if sign == "-" else Colour.GREEN)
    return f"[-{text}-]" if sign == "-" else f"{{+{text}+}}"


def describe_similar_words(pieces: Iterable[Piece]) -> Iterator[str]:
    """Which characters differ, where words look the same."""
    return filter(None, (name_differences(*piece) for piece in pieces))


def _shorten_text(text: str, first: bool, last: bool) -> str:  # noqa: FBT001 - private
    """The words at those ends of an unchanged text where a difference is."""
    head = "" if first else text[:_AROUND].rpartition(" ")[0] or text[:_AROUND]
    tail = "" if last else text[-_AROUND:].partition(" ")[2] or text[-_AROUND:]
    if len(text) <= (_AROUND if first or last else 2 * _AROUND):
        return text
    return f"{head}{' ' * bool(head)}…{' ' * bool(tail)}{tail}"


def name_differences(before: str, after: str) -> str:
    """`U+0020 SPACE → U+00A0 NO-BREAK SPACE`; empty for texts that look different."""
    if before == after or not (
        _seen_text(before) == _seen_text(after) or _look_alike(before, after)
    ):
        return ""
    start, (old, new) = differing_middle(before, after)
    named = list(dict.fromkeys(_name_edits(before[start:old], after[start:new])))
    return join_some(named, _NAMED)


def _seen_text(text: str) -> str:
    """What people see of a text: blanks are one blank, accents are spelled one way."""
    return UNSEEN.sub("", " ".join(unicodedata.normalize("NFC", text).split()))


def _look_alike(before: str, after: str) -> bool:
    """True if each character is the same or looks like the other one, as hyphens do."""
    if len(before) != len(after):
        return False
    return all(_look_alike_in_print(a, b) for a, b in zip(before, after, strict=True) if a != b)


def _look_alike_in_print(one: str, other: str) -> bool:
    """A guess, since Python has no table of confusable characters; an extra note does no harm."""
    if one.isalpha() and other.isalpha():
        return one.isupper() == other.isupper() and _script_of(one) != _script_of(other)
    kinds = {unicodedata.category(one), unicodedata.category(other)}
    folded = {unicodedata.normalize("NFKC", c) for c in (one, other)}
    return len(folded) == 1 or kinds == {"Pd"}


def _script_of(letter: str) -> str:
    """`LATIN`, `CYRILLIC`: the first word of the name."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _name_edits(before: str, after: str) -> Iterator[str]:
    if len(before) == len(after):
        pairs = zip(before, after, strict=True)
        yield from (f"{_name_characters(a)} → {_name_characters(b)}" for a, b in pairs if a != b)
        return
    if max(len(before), len(after)) > _LONG:
        yield f"{len(before):,} characters → {len(after):,}"
        return
    for kind, i, j, k, m in edit_operations(before, after, few=_LONG):
        if kind == "insert":
            yield f"{_name_characters(after[k:m])} added"
        elif kind == "delete":
            yield f"{_name_characters(before[i:j])} removed"
        elif kind == "replace":
            yield f"{_name_characters(before[i:j])} → {_name_characters(after[k:m])}"


def _name_characters(text: str) -> str:
    """Each character by number and name."""
    named = ((ord(c), unicodedata.name(c, _CONTROLS.get(c, ""))) for c in text)
    return " + ".join(f"U+{number:04X} {name}".rstrip() for number, name in named)
