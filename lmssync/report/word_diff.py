"""The words that differ between two passages, and a few around them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..support.visible import escape_invisible
from .lookalikes import differing_middle, name_differences, text_as_seen, text_exactly
from .terminal_style import PLAIN, Colour, Ink

_AROUND = 32
"""Characters of the same text that are shown on either side of a difference."""
_WORTH = 0.5
"""The share of two passages that must be the same, for them to be shown as one."""
_MOST = 4_000
"""Words beyond which the middle of two passages is one difference."""
_FEW = 600
"""Words among which even frequent ones, and blanks, are looked for."""
_TOKEN = re.compile(r"</?[a-zA-Z][^<>]*>|&#?\w{1,32};|(?:\w[\u0300-\u036f]*)+|[ \t\r\n]+|[^\w]")
Span = tuple[int, int, int, int]
"""First and last word before, first and last word after."""


class Piece(NamedTuple):
    """A part of a passage before and after; both are the same where nothing differs."""

    before: str
    after: str

    @property
    def differs(self) -> bool:
        return self.before != self.after


def word_changes(before: str, after: str) -> list[Piece] | None:
    """Both passages in one; None if they have too little in common to be read that way."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    spans = list(_join_spans(old, _differences(old, new)))
    differing = sum(_weight(old[i:j]) + _weight(new[k:m]) for i, j, k, m in spans)
    if differing > (1 - _WORTH) * (_weight(old) + _weight(new)):
        return None
    return list(_pieces(old, new, spans))


def _pieces(old: Sequence[str], new: Sequence[str], spans: Iterable[Span]) -> Iterator[Piece]:
    done = 0
    for i, j, k, m in spans:
        if same := "".join(old[done:i]):
            yield Piece(same, same)
        yield Piece("".join(old[i:j]), "".join(new[k:m]))
        done = j
    if same := "".join(old[done:]):
        yield Piece(same, same)


def _weight(tokens: Iterable[str]) -> int:
    """How much there is to read: letters count, a tag counts as one, a blank as nothing."""
    return sum(len(one) if one[0].isalnum() else not one.isspace() for one in tokens)


def _join_spans(old: Sequence[str], spans: Iterable[Span]) -> Iterator[Span]:
    """Differences with only a blank between them are one."""
    last: Span | None = None
    for span in spans:
        if last and not "".join(old[last[1] : span[0]]).strip():
            last = last[0], span[1], last[2], span[3]
            continue
        if last:
            yield last
        last = span
    if last:
        yield last


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[Span]:
    """Spans of words that differ, in both; a common beginning and end is skipped."""
    start, ends = differing_middle(old, new)
    if max(ends) - start > _MOST:
        yield start, ends[0], start, ends[1]
        return
    was, now = old[start : ends[0]], new[start : ends[1]]
    matcher = SequenceMatcher(None, was, now, autojunk=len(now) > _FEW)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            yield start + i, start + j, start + k, start + m


def in_one_line(before: str, after: str) -> str:
    """What differs between two texts on one line; empty if they have too little in common."""
    pieces = word_changes(" ".join(before.split()), " ".join(after.split()))
    return spell_pieces(pieces) if pieces and any(piece.differs for piece in pieces) else ""


class Segment(NamedTuple):
    """A text as it is shown: a blank for what is in both, a minus for what is gone, or a plus."""

    sign: str
    text: str


def segments(pieces: Sequence[Piece], *, full: bool = False) -> Iterator[Segment]:
    """Both passages in one, of the unchanged words only those near a difference unless `full`."""
    last = len(pieces) - 1
    for n, piece in enumerate(pieces):
        if piece.differs:
            yield from _edit(piece)
        else:
            text = piece.before if full else _shorten_text(piece.before, n == 0, n == last)
            yield Segment(" ", escape_invisible(text))


def spell_pieces(pieces: Sequence[Piece], ink: Ink = PLAIN, *, full: bool = False) -> str:
    """`… is easier to [-start-]{+come+} back to …`; in colour without the brackets."""
    return "".join(_ink_segment(segment, ink) for segment in segments(pieces, full=full))


def _edit(piece: Piece) -> Iterator[Segment]:
    """What is gone and what has come; character by character where the two look the same."""
    same = text_as_seen(piece.before) == text_as_seen(piece.after)
    spell = text_exactly if same or any(text.isspace() for text in piece) else escape_invisible
    both = zip("-+", map(spell, piece), strict=True)
    yield from (Segment(sign, text) for sign, text in both if text)


def _ink_segment(segment: Segment, ink: Ink) -> str:
    sign, text = segment
    if sign == " ":
        return text
    if ink.on:
        return ink(text, Colour.RED if sign == "-" else Colour.GREEN)
    return f"[-{text}-]" if sign == "-" else f"{{+{text}+}}"


def is_cut(pieces: Sequence[Piece]) -> bool:
    """True if `spell_pieces` leaves something out unless `full`."""
    return spell_pieces(pieces) != spell_pieces(pieces, full=True)


def notes(pieces: Iterable[Piece]) -> Iterator[str]:
    """Which characters differ, where words look the same."""
    return filter(None, (name_differences(*piece) for piece in pieces))


def _shorten_text(text: str, first: bool, last: bool) -> str:  # noqa: FBT001 - private
    """The words at those ends of an unchanged text where a difference is."""
    head = "" if first else text[:_AROUND].rpartition(" ")[0] or text[:_AROUND]
    tail = "" if last else text[-_AROUND:].partition(" ")[2] or text[-_AROUND:]
    if len(text) <= (_AROUND if first or last else 2 * _AROUND):
        return text
    return f"{head}{' ' * bool(head)}…{' ' * bool(tail)}{tail}"
