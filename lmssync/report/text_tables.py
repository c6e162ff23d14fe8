"""Tables for people and for spreadsheet programs: text as wide as a terminal, and lines of CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from unicodedata import combining, east_asian_width

from ..support.invisible_characters import escape_invisible, spell_character

_GAP = "  "
_LEAST = 10
"""Columns that a cut text takes at least; what is not wider is never cut."""
_WHOLE = {36, 17}
"""An id is never cut, because it is there to be copied, and neither is a moment."""
_FORMULA = ("=", "+", "-", "@", "::", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A text that begins so is run by spreadsheet programs, or by build servers."""
_LEADS_AWAY = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|\n(?=[^\S\n]*::)")
"""What would lead a terminal, or begin a line that a build server takes for an order."""


def fit_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None
) -> tuple[str, Sequence[str]]:
    """Rows below their heading, and the names of those columns at the end that had no room.

    Wide texts are cut until all fits; None is as wide as it takes.
    """
    shown = [[escape_invisible(text) for text in row] for row in (head, *rows)]
    natural = [max(map(count_columns, column)) for column in zip(*shown, strict=True)]
    widths = natural if width is None else _narrow_widths(natural, width)
    # `widths` is shorter than a row whose last columns have no room.
    lines = (_GAP.join(map(_pad_text, row, widths)).rstrip() for row in shown)
    return "".join(f"{line}\n" for line in lines), head[len(widths) :]


def list_below_names(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Each text behind the name that it is about; several about the same one are below it."""
    for name, same in groupby(lines, key=itemgetter(0)):
        texts = [text for _, text in same]
        if len(texts) == 1:
            yield f"{name} {texts[0]}"
        else:
            yield f"{name}:"
            yield from (f"  {text}" for text in texts)


def _narrow_widths(natural: Sequence[int], width: int) -> list[int]:
    """The widths of as many columns as have room, the widest ones cut first."""
    least = [size if size <= _LEAST or size in _WHOLE else _LEAST for size in natural]
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


def _pad_text(text: str, width: int) -> str:
    text = cut_end(text, width)
    return text + " " * (width - count_columns(text))


def cut_end(text: str, room: int) -> str:
    """The text, or its beginning and `…`, in so many columns."""
    if count_columns(text) <= room:
        return text
    while text and count_columns(text) > room - 1:
        text = text[:-1]
    return f"{text}…" if room > 0 else ""


_JOINS = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Characters that are part of the letter or picture beside them."""


def count_columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


@lru_cache(maxsize=1_024)
def _width(character: str) -> int:
    if combining(character) or character in _JOINS:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def join_csv_line(cells: Iterable[object]) -> bytes:
    """A line of CSV of which spreadsheet programs and build servers run nothing, and which leads no
    terminal.

    A text that looks like a formula begins with an apostrophe; numbers, also negative ones, stay as
    they are.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(_plain_cell, cells))
    return text.getvalue().encode("utf-8", "replace")


def _plain_cell(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    text = _LEADS_AWAY.sub(lambda found: spell_character(found[0]), cell)
    return f"'{text}" if cell.startswith(_FORMULA) else text
