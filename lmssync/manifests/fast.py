"""YAML 1.2 in a tenth of the time: values straight from libyaml's events.

Only what is certain to mean the same to ruamel.yaml is read here. Whatever is not (an error, a
tag, a merge key, a number that is not plain decimal, bytes on which the two parsers differ)
raises `Exotic`, and the file goes the slow way.
"""

import re
from typing import Any

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

WORDS = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_SPECIAL = frozenset("0123456789+-.~tTfFnN<=")
_INT = re.compile(r"^-?(0|[1-9][0-9]{0,17})$")
_NUMBER_OR_OTHER = re.compile(r"^([-+]?[0-9.][0-9_.eExXobBaA-fF+:-]*|[-+.].*|<<|=)$")
_UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_DATE = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?$")
_CONTROL = bytes([*range(0x0A), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_WIDE = re.compile(rb"\xc2\x85|\xe2\x80\xa8|\xe2\x80\xa9|\xef\xbb\xbf")
"""U+0085, U+2028, U+2029 and U+FEFF: line ends to the one parser, letters to the other."""
_HEADER = re.compile(rb"(^| )[|>][-+1-9]*#", re.MULTILINE)


class Exotic(Exception):
    """The file must be read the slow way."""


def load(data: bytes) -> list[Any]:
    """The documents of a file; raises `Exotic` where ruamel.yaml has to decide."""
    if not HAS_C_PARSER or _differ(data):
        raise Exotic
    try:
        return _documents(CParser(data))
    except YAMLError as error:
        raise Exotic from error
    except UnicodeDecodeError as error:
        raise Exotic from error


def _differ(data: bytes) -> bool:
    """True for bytes that the two parsers may read differently.

    Four quick looks: one expression for all of them takes twenty times as long.
    """
    return (
        len(data.translate(None, _CONTROL)) != len(data)
        or data.startswith(b"%")
        or b"\n%" in data
        or (b"#" in data and _HEADER.search(data) is not None)
        or (not data.isascii() and _WIDE.search(data) is not None)
    )


def _documents(parser: Any) -> list[Any]:
    documents: list[Any] = []
    while parser.check_event():
        if isinstance(parser.get_event(), DocumentStartEvent):
            documents.append(_document(parser))
    return documents


def _document(parser: Any) -> Any:  # noqa: C901, PLR0912 - one loop over the event stream
    """Builds one document; a stack of open collections in place of recursion."""
    anchors: dict[str, Any] = {}
    stack: list[tuple[Any, list[Any] | None]] = []
    holder: Any = None
    keys: list[Any] | None = None  # of a mapping: the key that waits for its value
    while True:
        event = parser.get_event()
        kind = event.__class__
        if kind is ScalarEvent:
            value = _scalar(event)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            if not stack:
                raise Exotic
            value = holder
            holder, keys = stack.pop()
            if holder is None:
                return value
            continue
        elif kind is AliasEvent:
            value = _alias(event, anchors)
        elif kind is MappingStartEvent:
            value = {}
        elif kind is SequenceStartEvent:
            value = []
        else:
            raise Exotic
        opens = kind is MappingStartEvent or kind is SequenceStartEvent
        if opens and event.tag is not None:
            raise Exotic
        if kind is not AliasEvent and event.anchor is not None:
            if keys == []:
                raise Exotic
            anchors[event.anchor] = value
        _put(holder, keys, value, opens=opens)
        if opens:
            stack.append((holder, keys))
            holder, keys = value, ([] if kind is MappingStartEvent else None)
        elif holder is None:
            return value


def _put(holder: Any, keys: list[Any] | None, value: Any, *, opens: bool) -> None:
    """Puts a value where the innermost open collection waits for one."""
    if keys is None:
        if holder is not None:
            holder.append(value)
    elif keys:
        holder[keys.pop()] = value
    elif opens or value.__class__ is not str or value in holder:
        raise Exotic  # a key that is no plain string, or is there already
    else:
        keys.append(value)


def _alias(event: Any, anchors: dict[str, Any]) -> Any:
    if event.anchor not in anchors:
        raise Exotic
    return anchors[event.anchor]


def _scalar(event: Any) -> Any:
    if event.tag is not None:
        raise Exotic
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _SPECIAL:
        return text
    if _INT.match(text):
        return int(text)
    if _DATE.match(text) or _UUID.match(text):
        return text
    if _NUMBER_OR_OTHER.match(text):
        raise Exotic
    return text
