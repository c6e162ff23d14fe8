"""Where a value stands in a file: in block style without another parse, else by events of a parser.

`BlockPlaces` looks in the text for the path of a value. The document that was read says which keys,
or how many items, there must be at each step. So lines of a text that only look like keys are
noticed, and for whatever is not certain it names no place. The parsers are imported when needed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ....resource import Path
from .line_reader import UnsupportedSyntax
from .yaml_loading import is_quick

if TYPE_CHECKING:
    from .libyaml_reader import ValueOf


class Strange(Exception):
    """Tokens that are not understood here."""


class Token(NamedTuple):
    """One token; the ends of blocks, and the starts of some, are zero characters wide."""

    kind: str
    """Name of the token's class in ruamel.yaml: `ScalarToken`."""
    start: int
    end: int
    column: int
    """Of its first character, from 0."""
    value: str = ""
    style: str = ""
    """Of a scalar: a quote, `|`, `>`, or nothing when it is plain."""

    @property
    def is_prose(self) -> bool:
        """True for a block scalar: its end is the start of the line below it."""
        return self.style in {"|", ">"}


Scan = Callable[[str], list[Token]]


def list_scanners(text: str) -> Iterator[Scan]:
    """Yields the scanners to try on a text, libyaml before ruamel.yaml.

    libyaml finds the same tokens if there are no tabs and no other ends of lines than newlines.
    """
    if is_quick(text.encode()):
        yield _scan_quickly
    yield _scan_exactly


def _scan_quickly(text: str) -> list[Token]:
    from _ruamel_yaml_clibz import CParser, YAMLError  # there where `is_quick` says so

    tokens = []
    scanner = CParser(text)
    try:
        while scanner.check_token():
            tokens.append(_make_token(scanner.get_token()))
    except YAMLError as error:
        raise Strange from error
    return tokens


def _scan_exactly(text: str) -> list[Token]:
    from ruamel.yaml.error import YAMLError

    from .exact_reader import make_parser, silence_warnings

    try:
        with silence_warnings():
            return [_make_token(token) for token in make_parser().scan(text)]
    except YAMLError as error:
        raise Strange from error


def _make_token(token: Any) -> Token:
    kind = type(token).__name__
    start, end = token.start_mark, token.end_mark
    if kind == "ScalarToken":
        return Token(kind, start.index, end.index, start.column, token.value, token.style or "")
    return Token(kind, start.index, end.index, start.column)


Spot = tuple[int, int]
"""Line and column, from 1."""
Places = dict[Path, Spot]
T = TypeVar("T")

QUOTE = "put it in quotes ("
"""How the remedies begin that show a value. What the file has takes its place."""


def find_marks(data: bytes) -> list[Places]:
    """Returns the place of each key and item of each document; nothing if nothing is found."""
    return map_values(data, lambda mark, _: (mark.line + 1, mark.column + 1))


def find_scalars(data: bytes) -> list[dict[Path, str]]:
    """Returns what is written for each value without quotes: `00123`, where the value is 123."""
    from .libyaml_reader import is_plain

    return map_values(data, lambda _, event: event.value if is_plain(event) else None)


def map_values(data: bytes, value_of: "ValueOf[T]") -> list[dict[Path, T]]:
    """Returns what `value_of` makes of each document's values; nothing if the file is no YAML."""
    from .libyaml_reader import libyaml_events, map_events

    try:
        return map_events(libyaml_events(data), value_of)
    except UnsupportedSyntax:
        from .exact_reader import parser_events

        return map_events(parser_events(data), value_of)


_OTHER_ENDS = ("\x85".encode(), "\u2028".encode(), "\u2029".encode())
"""Of lines: they are not looked for here."""
_SEPARATOR = re.compile(rb"\n---(?!\S)")
# The patterns give nothing back (`++`, `*+`, `(?>...)`): where they do not match, they are through
# after one pass, however many blank lines and comments there are.
_EMPTY = rb"\ *+ (?:\#[^\n]*+)? \r?\n"
_FIRST = re.compile(rb"(?>(?:%b)*) \ *+ (?=[^\s\#])" % _EMPTY, re.VERBOSE)
"""Empty lines and comments, and the margin of the line below them."""
_BELOW = re.compile(rb"(?>(?:%b)+) \ *+ (?=[^\s\#])" % _EMPTY, re.VERBOSE)
"""Empty lines and comments, with the end of the line before them and the margin below."""
_DASH = re.compile(rb"- (?: \ ++(?=[^\s\#]) | (?>(?:%b)+) \ *+ (?=[^\s\#]) )" % _EMPTY, re.VERBOSE)
_KEY = rb"[^ \t\n\r\v\f#-]"
"""The first character of a key. Spelled out, it is one set of bits for the engine."""
_BLOCK = 4096
"""So many bytes are looked through for ends of lines at a time."""


_Span = tuple[int, int]
"""Where a key with its value begins and ends, or an item, which begins behind its dash."""
_Entries = Mapping[str | int, _Span]
_NONE: _Entries = {}


@dataclass(slots=True)
class _Line:
    """A value of a document and where it begins, with its key if it has one; and the collection in
    it: where that begins, and what stands before each further entry."""

    step: str | int | None
    value: Any
    start: int
    inner: int = 0
    margin: bytes = b""


class BlockPlaces:
    """The places in a file whose documents, by their number, were read as `documents`.

    `by_lines`: each key and each dash of a list in block style begins a line of its own, and no
    line of a text looks as if it did. Then a line is found without a look at those beside it.
    """

    def __init__(self, data: bytes, documents: Mapping[int, Any], *, by_lines: bool) -> None:
        self._text, self._documents, self._by_lines = data, documents, by_lines
        certain = by_lines or not _is_odd(data)
        several = not by_lines or len(documents) > 1
        self._bounds = _document_bounds(data, several=several) if certain else []
        self._lines_before = [0]
        self._opened: dict[tuple[int, Path], _Entries] = {}
        self._trails: dict[int, list[_Line]] = {}

    def find_spot(self, document: int, path: Path) -> Spot | None:
        """The place of a value, or of the closest one around it that is there; None if unsure."""
        value: Any = self._documents.get(document)
        if not isinstance(value, dict) or document >= len(self._bounds):
            return None
        if self._by_lines:
            at = self._find_line(document, path)
            return None if at is None else self._spot_at(at)
        (start, end), key = self._bounds[document], b""
        for depth, step in enumerate(path):
            if type(value) not in {dict, list}:
                break
            here = document, path[:depth]
            below: Mapping[Any, _Span] | None = self._opened.get(here)
            if below is None:
                below = self._opened[here] = self._open_collection(value, start, end, key)
            if not below:
                return None
            if step not in below:
                break
            value, (start, end) = value[step], below[step]
            key = _spell_key(step)
        return self._spot_at(start)

    def _find_line(self, document: int, path: Path) -> int | None:
        """Where a value begins, or the closest one around it; None if the file does not have it:
        the text of a body file is put into the document later."""
        if document not in self._trails:
            top = _Line(None, self._documents[document], self._bounds[document][0])
            self._trails[document] = [top]
        trail, depth = self._trails[document], 1
        # What this path shares with the one before it need not be found again.
        for line, step in zip(trail[1:], path, strict=False):
            if line.step != step:
                break
            depth += 1
        del trail[depth:]
        for step in path[depth - 1 :]:
            around = trail[-1]
            if type(around.value) not in {dict, list}:
                break
            if not (around.margin or self._look_below(around)):
                return None
            if type(around.value) is list:
                inside = isinstance(step, int) and 0 <= step < len(around.value)
            else:
                inside = isinstance(step, str) and step in around.value
            if not inside:
                break
            at = self._find_entry(around, step)
            if at < 0:
                return None
            trail.append(_Line(step, around.value[step], at))
        return trail[-1].start

    def _look_below(self, line: "_Line") -> bool:
        """Finds where the entries of a collection begin; false if they are beside its key."""
        text, key = self._text, _spell_key(line.step)
        below = _BELOW.match(text, line.start + len(key)) if key else None
        if (key and not below) or text.startswith((b"[", b"{"), line.start):
            return False
        line.inner = below.end() if below else line.start
        line.margin = b"\n" + b" " * (line.inner - text.rfind(b"\n", 0, line.inner) - 1)
        return True

    def _find_entry(self, around: "_Line", step: str | int) -> int:
        """Where an entry begins, behind its dash if it is an item; -1 for a key without a line."""
        text, at, margin = self._text, around.inner, around.margin
        if isinstance(step, str):
            key = _spell_key(step)
            if text.startswith(key, at):
                return at
            found = text.find(margin + key, at)
            return found if found < 0 else found + len(margin)
        for _ in range(step):
            at = text.index(margin + b"- ", at) + len(margin)
        return at + 2

    def _open_collection(self, value: Any, start: int, end: int, key: bytes) -> _Entries:
        """What stands in a collection; nothing if it is not exactly what `value` holds."""
        if key:
            below = _BELOW.match(self._text, start + len(key), end)
            if not below:
                return _NONE
            start = below.end()
        margin = self._text.rfind(b"\n", 0, start) + 1
        first = b"-" if isinstance(value, list) else _KEY
        lines = _line_pattern(start - margin, first).finditer(self._text, start, end)
        ends = [*[line.start() for line in lines], end]
        # A line of a text that only looks like a key, or an entry in brackets, makes another
        # number.
        if len(ends) != len(value):
            return _NONE
        starts = [start, *[before + 1 + start - margin for before in ends[:-1]]]
        spans = list(zip(starts, ends, strict=True))
        return (
            self._spots_of_items(spans)
            if isinstance(value, list)
            else self._spots_of_keys(value, spans)
        )

    def _spots_of_keys(self, value: Mapping[Any, Any], spans: Sequence[_Span]) -> _Entries:
        entries = dict(zip(value, spans, strict=True))
        for key, (start, _) in entries.items():
            if not self._text.startswith(_spell_key(key) or b"\n", start):
                return _NONE
        return entries

    def _spots_of_items(self, spans: Sequence[_Span]) -> _Entries:
        entries: dict[str | int, _Span] = {}
        for number, (start, end) in enumerate(spans):
            dash = _DASH.match(self._text, start, end)
            if not dash:
                return _NONE
            entries[number] = dash.end(), end
        return entries

    def _spot_at(self, at: int) -> Spot:
        block, known = at // _BLOCK, self._lines_before
        while len(known) <= block:
            end = len(known) * _BLOCK
            known.append(known[-1] + self._text.count(b"\n", end - _BLOCK, end))
        line = known[block] + self._text.count(b"\n", block * _BLOCK, at) + 1
        return line, at - self._text.rfind(b"\n", 0, at)


def _is_odd(text: bytes) -> bool:
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        return True
    wide = not text.isascii() and any(end in text for end in _OTHER_ENDS)
    return wide or text.startswith(b"%") or b"\n..." in text


def _spell_key(step: object) -> bytes:
    """A key with its colon; nothing for the number of an item, and what is no text."""
    return f"{step}:".encode() if isinstance(step, str) else b""


def _document_bounds(text: bytes, *, several: bool) -> list[_Span]:
    """The documents, each from its first key to its end."""
    headed = text[:4].strip() == b"---"
    between = list(_SEPARATOR.finditer(text)) if several and b"\n---" in text else []
    begins = [3 if headed else 0, *(separator.end() for separator in between)]
    ends = [*(separator.start() for separator in between), len(text)]
    spans = list(zip(begins, ends, strict=True))
    firsts = [_FIRST.match(text, *span) for span in spans]
    if between and not headed and not firsts[0]:  # only comments stand above the first one
        spans, firsts = spans[1:], firsts[1:]
    pairs = zip(firsts, spans, strict=True)
    return [(first.end() if first else end, end) for first, (_, end) in pairs]


@cache
def _line_pattern(margin: int, first: bytes) -> re.Pattern[bytes]:
    """The start of a line that begins so, behind a margin of so many spaces."""
    return re.compile(b"\n%b%b" % (b" " * margin, first))
