"""Reads YAML 1.2 with libyaml, ten times as fast as ruamel.yaml, and maps parser events to values.

Only what means the same to ruamel.yaml with certainty is read here. An error, a tag, a merge key, a
number that is not plain decimal, or bytes on which the two parsers differ raise
`UnsupportedSyntax`, and `exact_reader` reads the file.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import repeat
from typing import Any, TypeVar

from ruamel.yaml import events as types

from ....resource import Path
from ..catalog_files import VALUES
from .line_reader import DEPTH, UnsupportedSyntax, parse_plain
from .yaml_mistakes import too_many

try:
    from _ruamel_yaml_clibz import (
        AliasEvent,
        CParser,
        DocumentStartEvent,
        MappingEndEvent,
        MappingStartEvent,
        ScalarEvent,
        SequenceEndEvent,
        SequenceStartEvent,
        YAMLError,
    )

    HAS_C_PARSER = True
except ImportError:  # not CPython: `exact_reader` reads these files
    HAS_C_PARSER = False

_SPECIAL = frozenset(["", *"0123456789+-.~tTfFnN<="])
"""With what a text without quotes begins that may be something else."""
_CONTROL = bytes([*range(0x0A), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_WIDE = tuple(char.encode() for char in "\x85\u2028\u2029\ufeff")
"""Line ends, and an invisible mark, to the one parser; letters to the other."""
_HEADER_ENDS = frozenset(b"|>-+123456789")
_HEADER = re.compile(rb"(?<!\S)[|>][-+1-9]*#")
"""A comment that touches the header of a block."""
_LONG_NAME = re.compile(r"[&*][0-9A-Za-z_-]+[^\s0-9A-Za-z_,\]}-]")
"""An anchor that goes on with other letters: the one parser stops at them, the other does not."""
_EVENTS = 4 * VALUES
"""More of them than so many values can make."""
_ITEM, _KEY = object(), object()
"""In place of a key: the holder is a list, or a mapping whose next key is to come."""
_BLOCK = frozenset("|>")
_BLANK = frozenset(("", "\n"))

T = TypeVar("T")
ValueOf = Callable[[Any, Any], T | None]
"""Gets the mark of a key, or of the value itself in a list, and the event that begins the value."""
_STARTS = frozenset({types.MappingStartEvent, types.SequenceStartEvent})
_ENDS = frozenset({types.MappingEndEvent, types.SequenceEndEvent})
_PIECES = frozenset({types.ScalarEvent, types.AliasEvent})


def load_fast(data: bytes) -> list[Any]:
    """Returns the documents of a file; raises `UnsupportedSyntax` if ruamel.yaml has to decide."""
    _require_quick(data)
    try:
        return _build_documents(data, data.decode())
    except (YAMLError, UnicodeDecodeError) as error:
        raise UnsupportedSyntax from error


def libyaml_events(data: bytes) -> Iterator[Any]:
    """Yields libyaml's events; raises `UnsupportedSyntax` where ruamel.yaml may count otherwise."""
    _require_quick(data)
    try:
        parser = CParser(data)
        while parser.check_event():
            yield parser.get_event()
    except (YAMLError, UnicodeDecodeError) as error:
        raise UnsupportedSyntax from error


def is_quick(data: bytes) -> bool:
    """True if libyaml reads the bytes as ruamel.yaml does."""
    return HAS_C_PARSER and not _may_differ(data)


def _require_quick(data: bytes) -> None:
    if not is_quick(data):
        raise UnsupportedSyntax


def _may_differ(data: bytes) -> bool:
    """True for bytes that the two parsers may read differently.

    Several quick searches follow each other: a single expression takes twenty times as long.
    """
    return (
        len(data.translate(None, _CONTROL)) != len(data)
        or data.startswith((b"%", b"..."))
        or (b"%" in data and b"\n%" in data)
        or b"\n..." in data
        or (_ends_before_comment(data) and _HEADER.search(data) is not None)
        or (not data.isascii() and any(char in data for char in _WIDE))
    )


def _ends_before_comment(data: bytes) -> bool:
    """True if what might be the header of a block stands right before a `#`."""
    at = data.find(b"#", 1)
    while at > 0:
        if data[at - 1] in _HEADER_ENDS:
            return True
        at = data.find(b"#", at + 1)
    return False


def _build_documents(data: bytes, text: str) -> list[Any]:
    parser = CParser(data)
    has_long_names = cache(lambda: _LONG_NAME.search(text) is not None)
    documents: list[Any] = []
    while parser.check_event():
        if isinstance(parser.get_event(), DocumentStartEvent):
            documents.append(_build_document(parser, text, has_long_names))
    return documents


def _build_document(parser: Any, text: str, has_long_names: Callable[[], bool]) -> Any:  # noqa: C901, PLR0912 - one loop over the events
    """Builds one document; a stack of open collections in place of recursion.

    `has_long_names` looks at the text once, and only where there are anchors.
    """
    anchors: dict[str, Any] = {}
    stack: list[tuple[Any, Any]] = []
    holder: Any = None
    key: Any = _ITEM  # of a mapping: the key that waits for its value
    next_event = parser.get_event
    # Aliases are not counted here but by their events: a file of a few lines may stand for millions
    # of values, all of which would be walked later.
    for _ in repeat(None, _EVENTS):
        event = next_event()
        kind = event.__class__
        if kind is ScalarEvent:
            if event.tag is not None:
                raise UnsupportedSyntax
            value = event.value
            # A text without quotes: only such a one can be a number, a date or a word such as
            # `null`.
            if event.implicit[0]:
                if value[:1] in _SPECIAL:
                    value = parse_plain(value)
            elif event.style in _BLOCK and (value[:1] in _BLANK or holder is None):
                raise UnsupportedSyntax  # how far in do its lines begin?
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            value = holder
            holder, key = stack.pop()
            if holder is None:
                return value
            continue
        elif kind is AliasEvent:
            if event.anchor not in anchors:
                raise UnsupportedSyntax
            value = anchors[event.anchor]
        else:
            value = _open_collection(event, text)
        if kind is not AliasEvent and event.anchor is not None:
            # An anchor on a key, or one with letters at which one of the two parsers stops.
            if key is _KEY or has_long_names():
                raise UnsupportedSyntax
            anchors[event.anchor] = value
        if key is _ITEM:
            if holder is not None:
                holder.append(value)
        elif key is _KEY:
            if value.__class__ is not str or value in holder:
                raise UnsupportedSyntax  # a key that is no plain string, or is there already
            key = value
            continue
        else:
            holder[key] = value
            key = _KEY
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            if len(stack) == DEPTH:
                raise UnsupportedSyntax
            stack.append((holder, key))
            holder, key = value, (_KEY if kind is MappingStartEvent else _ITEM)
        elif holder is None:
            return value
    raise too_many()


def _open_collection(event: Any, text: str) -> Any:
    if event.__class__ is MappingStartEvent and event.tag is None:
        if event.flow_style and text[event.start_mark.index] != "{":
            raise UnsupportedSyntax  # a pair in a list, `[a: b]`: where does its key end?
        return {}
    if event.__class__ is SequenceStartEvent and event.tag is None:
        return []
    raise UnsupportedSyntax


def map_events(events: Iterable[Any], value_of: ValueOf[T]) -> list[dict[Path, T]]:
    """Returns for each document what `value_of` makes of its values, by their paths.

    Values inside a key that is no text, and the value of such a key, get a path that leads nowhere.
    """
    documents: list[dict[Path, T]] = []
    holders: list[_Holder] = []
    names: dict[str, str] = {}
    for event in events:
        kind = event.__class__
        if kind in _ENDS:
            holders.pop()
        elif kind is types.DocumentStartEvent:
            documents.append({})
        elif kind in _PIECES or kind in _STARTS:
            if kind is types.ScalarEvent and event.anchor:
                names[event.anchor] = event.value
            path, mark = (
                holders[-1].place_event(event, names) if holders else ((), event.start_mark)
            )
            if path is None:
                continue
            value = value_of(mark, event)
            if value is not None:
                documents[-1][path] = value
            if kind in _STARTS:
                holders.append(_Holder(path, is_mapping=kind is types.MappingStartEvent))
    return documents


def is_plain(event: Any) -> bool:
    """Whether an event is a text without quotes."""
    return event.__class__ is types.ScalarEvent and not event.style


class _Holder:
    """A collection whose end is to come."""

    __slots__ = ("_count", "_is_mapping", "_key", "_path")

    def __init__(self, path: Path, *, is_mapping: bool) -> None:
        self._path, self._is_mapping = path, is_mapping
        self._key: Any = None
        self._count = -1

    def place_event(self, event: Any, names: Mapping[str, str]) -> tuple[Path | None, Any]:
        """Path and mark of what an event begins; no path for a key of one piece."""
        key, mark = self._key, event.start_mark
        if not self._is_mapping:
            self._count += 1
            return (*self._path, self._count), mark
        if key is None:
            self._key = event
            return None if event.__class__ in _PIECES else (*self._path, -1), mark
        self._key = None
        name = key.value if key.__class__ is types.ScalarEvent else names.get(key.anchor, "")
        return (*self._path, name), key.start_mark
