"""A text in the pieces that are compared: what lays it out, and says nothing, is no difference.

Markdown is compared by paragraphs, items and headings, HTML by its blocks, other text by lines.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Any, NamedTuple


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


def markup(before: Any, after: Any) -> Markup:
    """How two bodies are written, if both are written the same way."""
    if isinstance(before, dict) and isinstance(after, dict):
        return Markup.MARKDOWN
    texts = (before, after)
    are_html = all(isinstance(text, str) and _TAG.search(text) for text in texts)
    return Markup.HTML if are_html else Markup.PLAIN


def passages(text: str, written: Markup) -> list[Passage]:
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
            fence = "" if fence == mark[1] else fence or mark[1]
        ended = exact or blank or bool(_ALONE.match(line))
    if passage:
        yield "".join(passage), False
