"""Where a value stands in block style, found in the text by its path, without another parse.

What the file was read as says which keys, or how many items, there must be at each step. So lines
of a text that only look like keys are noticed, and whatever is not certain has no place here.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

from ...source import Path
from .marks import Spot

_OTHER_ENDS = ("\x85".encode(), "\u2028".encode(), "\u2029".encode(), b"\n...")
"""Of lines and documents: they are not looked for here."""
_SEPARATOR = re.compile(rb"\n---(?!\S)")
_EMPTY = rb"\ *+ (?:\#[^\n]*+)? \r?\n"
_FIRST = re.compile(rb"(?>(?:%b)*) \ *+ (?=[^\s\#])" % _EMPTY, re.VERBOSE)
"""Empty lines and comments, and the margin of the line below them."""
_BELOW = re.compile(rb"(?>(?:%b)+) \ *+ (?=[^\s\#])" % _EMPTY, re.VERBOSE)
"""The same, with the end of the line before them."""
_DASH = re.compile(rb"- (?: \ ++(?=[^\s\#]) | (?>(?:%b)+) \ *+ (?=[^\s\#]) )" % _EMPTY, re.VERBOSE)


_BLOCK = 4096
"""So many bytes are looked through for ends of lines at a time."""


class _Entry(NamedTuple):
    """A key with its value, or an item; `start` is behind the dash of an item."""

    start: int
    end: int
    key: bytes = b""
    """With its colon."""


_Entries = Mapping[str | int, _Entry]
_NONE: _Entries = {}


class BlockPlaces:
    """The places in a file whose documents, by their number, were read as `documents`."""

    def __init__(self, data: bytes, documents: Mapping[int, Any]) -> None:
        self._text, self._documents = data, documents
        self._bounds = [] if _is_odd(data) else _bounds(data)
        counts = (data.count(b"\n", at, at + _BLOCK) for at in range(0, len(data), _BLOCK))
        self._lines_before = [0, *accumulate(counts)]
        self._opened: dict[tuple[int, Path], _Entries] = {}

    def find(self, document: int, path: Path) -> Spot | None:
        """Where a value stands, or the closest one around it that is there; none if unsure."""
        value: Any = self._documents.get(document)
        if not isinstance(value, dict) or document >= len(self._bounds):
            return None
        entry = self._bounds[document]
        for depth, step in enumerate(path):
            if type(value) not in {dict, list}:
                break
            here = document, path[:depth]
            if here not in self._opened:
                self._opened[here] = self._open(value, entry)
            below: Mapping[Any, _Entry] = self._opened[here]
            if not below:
                return None
            if step not in below:
                break
            value, entry = value[step], below[step]
        return self._spot(entry.start)

    def _open(self, value: Any, entry: _Entry) -> _Entries:
        """What stands in a collection; nothing if it is not exactly what `value` holds."""
        start = entry.start
        if entry.key:
            below = _BELOW.match(self._text, start + len(entry.key), entry.end)
            if not below:
                return _NONE
            start = below.end()
        margin = self._text.rfind(b"\n", 0, start) + 1
        first = b"-" if isinstance(value, list) else rb"[^\s#-]"
        lines = _lines(start - margin, first).finditer(self._text, start, entry.end)
        starts = [start, *(line.end() for line in lines)]
        if len(starts) != len(value):
            return _NONE
        ends = [*(at - (start - margin) - 1 for at in starts[1:]), entry.end]
        spans = zip(starts, ends, strict=True)
        return self._items(spans) if isinstance(value, list) else self._keys(value, spans)

    def _keys(self, value: Mapping[Any, Any], spans: Iterable[tuple[int, int]]) -> _Entries:
        entries: dict[str | int, _Entry] = {}
        for key, (start, end) in zip(value, spans, strict=True):
            spelled = f"{key}:".encode() if isinstance(key, str) else b"\n"
            if not self._text.startswith(spelled, start):
                return _NONE
            entries[key] = _Entry(start, end, spelled)
        return entries

    def _items(self, spans: Iterable[tuple[int, int]]) -> _Entries:
        entries: dict[str | int, _Entry] = {}
        for number, (start, end) in enumerate(spans):
            dash = _DASH.match(self._text, start, end)
            if not dash:
                return _NONE
            entries[number] = _Entry(dash.end(), end)
        return entries

    def _spot(self, at: int) -> Spot:
        block = at // _BLOCK
        line = self._lines_before[block] + self._text.count(b"\n", block * _BLOCK, at) + 1
        return line, at - self._text.rfind(b"\n", 0, at)


def _is_odd(text: bytes) -> bool:
    returns = text.count(b"\r")
    alone = returns > 0 and returns != text.count(b"\r\n")
    return alone or text.startswith(b"%") or any(end in text for end in _OTHER_ENDS)


def _bounds(text: bytes) -> list[_Entry]:
    """The documents, each from its first key to its end."""
    headed = text[:4].strip() == b"---"
    between = list(_SEPARATOR.finditer(text))
    begins = [3 if headed else 0, *(separator.end() for separator in between)]
    ends = [*(separator.start() for separator in between), len(text)]
    spans = list(zip(begins, ends, strict=True))
    firsts = [_FIRST.match(text, *span) for span in spans]
    if between and not headed and not firsts[0]:  # only comments stand above the first one
        spans, firsts = spans[1:], firsts[1:]
    pairs = zip(firsts, spans, strict=True)
    return [_Entry(first.end() if first else end, end) for first, (_, end) in pairs]


@cache
def _lines(margin: int, first: bytes) -> re.Pattern[bytes]:
    """The start of a line that begins so, behind a margin of so many spaces."""
    return re.compile(rb"\n {%d}(?=%b)" % (margin, first))
