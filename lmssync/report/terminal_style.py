"""Colours and widths of a terminal: lines that are longer go on below, a little further in."""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from .text_tables import count_columns

_COLOUR = re.compile(r"\x1b\[\d*m")
_PAINTED = re.compile(r"(\x1b\[\d+m)([^\x1b]*)(\x1b\[0m)")
"""A line that is painted as a whole."""
_FURTHER = 2


def wrap_lines(lines: Iterable[str], columns: int | None) -> Iterator[str]:
    """The lines, none longer than `columns` where its words allow that; None leaves them."""
    for line in lines:
        painted = _PAINTED.fullmatch(line)
        text = painted[2] if painted else line
        if columns is None or _columns_of(text) <= columns:
            yield line
            continue
        for piece in _pieces(text, columns):
            yield f"{painted[1]}{piece}{painted[3]}" if painted else piece


def wrap_text(text: str, columns: int | None) -> str:
    """The text with its lines as `wrap_lines` breaks them."""
    return "\n".join(wrap_lines(text.split("\n"), columns))


def _pieces(text: str, columns: int) -> Iterator[str]:
    """Lines of whole words; what paints a word takes no room."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    words = text[len(indent) :].split(" ")
    line, taken = indent + words[0], len(indent) + _columns_of(words[0])
    for word in words[1:]:
        size = _columns_of(word)
        if taken + 1 + size > columns:
            yield line.rstrip(" ")
            line, taken = f"{indent}{' ' * _FURTHER}{word}", len(indent) + _FURTHER + size
        else:
            line, taken = f"{line} {word}", taken + 1 + size
    yield line.rstrip(" ")


def _columns_of(text: str) -> int:
    """How many columns a text takes: what paints it takes none, a wide character takes two."""
    return count_columns(_COLOUR.sub("", text))


class Colour(StrEnum):
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    BLUE = "34"
    DIM = "2"
    BOLD = "1"


class TextStyle(NamedTuple):
    """Paints text, or leaves it as it is."""

    on: bool = False

    def __call__(self, text: str, colour: Colour) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.on else text

    def in_text(self, text: str, part: str, colour: Colour) -> str:
        """The text with the first `part` of it painted."""
        return text.replace(part, self(part, colour), 1)


PLAIN = TextStyle()
