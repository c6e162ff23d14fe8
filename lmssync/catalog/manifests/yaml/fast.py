"""YAML 1.2 in a tenth of the time: values straight from libyaml's events, for what `lines` leaves.

Only what is certain to mean the same to ruamel.yaml is read here. Whatever is not (an error, a
tag, a merge key, a number that is not plain decimal, bytes on which the two parsers differ)
raises `Exotic`, and the file goes the slow way.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import repeat
from typing import Any

from ..files import VALUES
from .mistake import too_many
from .plain import DEPTH, Exotic, parse_plain

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
except ImportError:  # a platform without wheels: everything goes the slow way
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


def load_fast(data: bytes) -> list[Any]:
    """The documents of a file; raises `Exotic` where ruamel.yaml has to decide."""
    _require_quick(data)
    try:
        return _build_documents(data, data.decode())
    except (YAMLError, UnicodeDecodeError) as error:
        raise Exotic from error


def libyaml_events(data: bytes) -> Iterator[Any]:
    """What libyaml says of a file; raises `Exotic` where ruamel.yaml counts otherwise, or fails."""
    _require_quick(data)
    try:
        parser = CParser(data)
        while parser.check_event():
            yield parser.get_event()
    except (YAMLError, UnicodeDecodeError) as error:
        raise Exotic from error


def is_quick(data: bytes) -> bool:
    """True if libyaml reads the bytes as ruamel.yaml does."""
    return HAS_C_PARSER and not may_differ(data)


def _require_quick(data: bytes) -> None:
    if not is_quick(data):
        raise Exotic


def may_differ(data: bytes) -> bool:
    """True for bytes that the two parsers may read differently.

    Quick looks one after the other: a single expression takes twenty times as long.
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
    for _ in repeat(None, _EVENTS):
        event = next_event()
        kind = event.__class__
        if kind is ScalarEvent:
            if event.tag is not None:
                raise Exotic
            value = event.value
            if event.implicit[0]:
                if value[:1] in _SPECIAL:
                    value = parse_plain(value)
            elif event.style in _BLOCK and (value[:1] in _BLANK or holder is None):
                raise Exotic  # how far in do its lines begin?
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            value = holder
            holder, key = stack.pop()
            if holder is None:
                return value
            continue
        elif kind is AliasEvent:
            if event.anchor not in anchors:
                raise Exotic
            value = anchors[event.anchor]
        else:
            value = _open_collection(event, text)
        if kind is not AliasEvent and event.anchor is not None:
            if key is _KEY or has_long_names():
                raise Exotic
            anchors[event.anchor] = value
        if key is _ITEM:
            if holder is not None:
                holder.append(value)
        elif key is _KEY:
            if value.__class__ is not str or value in holder:
                raise Exotic  # a key that is no plain string, or is there already
            key = value
            continue
        else:
            holder[key] = value
            key = _KEY
        if kind is MappingStartEvent or kind is SequenceStartEvent:
            if len(stack) == DEPTH:
                raise Exotic
            stack.append((holder, key))
            holder, key = value, (_KEY if kind is MappingStartEvent else _ITEM)
        elif holder is None:
            return value
    raise too_many()


def _open_collection(event: Any, text: str) -> Any:
    """The collection that an event begins."""
    if event.__class__ is MappingStartEvent and event.tag is None:
        if event.flow_style and text[event.start_mark.index] != "{":
            raise Exotic  # a pair in a list, `[a: b]`: where does its key end?
        return {}
    if event.__class__ is SequenceStartEvent and event.tag is None:
        return []
    raise Exotic
