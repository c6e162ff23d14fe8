"""Tables of text that fit the width of a terminal."""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from ..visible import visible

_GAP = "  "
_LEAST = 10
"""Columns that a cut text takes at least; what is not wider is never cut."""
_ID = 36
"""An id is never cut: it is there to be copied."""


def fitted(
    head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None
) -> tuple[str, Sequence[str]]:
    """Rows below their heading, and the names of those columns at the end that had no room.

    Wide texts are cut until all fits; None is as wide as it takes.
    """
    shown = [[visible(text) for text in row] for row in (head, *rows)]
    natural = [max(map(cells, column)) for column in zip(*shown, strict=True)]
    widths = natural if width is None else _narrowed(natural, width)
    lines = (_line(row, widths) for row in shown)
    return "".join(f"{line}\n" for line in lines), head[len(widths) :]


def _narrowed(natural: Sequence[int], width: int) -> list[int]:
    """The widths of as many columns as have room, the widest ones cut first."""
    least = [size if size <= _LEAST or size == _ID else _LEAST for size in natural]
    count = len(natural)
    while count > 1 and _sum(least[:count]) > width:
        count -= 1
    widths = list(natural[:count])
    while (over := _sum(widths) - width) > 0:
        spare = [size - least for size, least in zip(widths, least, strict=False)]
        widest = max(range(count), key=lambda n: (spare[n] > 0, widths[n]))
        if spare[widest] <= 0:
            break
        second = sorted(widths)[-2] if count > 1 else 0
        widths[widest] -= max(1, min(over, spare[widest], widths[widest] - second))
    return widths


def _sum(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (_padded(text, width) for text, width in zip(row, widths, strict=False))
    return _GAP.join(padded).rstrip()


def _padded(text: str, width: int) -> str:
    if cells(text) > width:
        while cells(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - cells(text))


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)
