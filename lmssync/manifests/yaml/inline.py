"""A value that stands on one line: text with and without quotes, numbers, collections in brackets.

`lines` has looked at its characters before: here is read what the whole stands for.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from .plain import WORDS, Exotic, parse_plain

_MOST = 20
"""Collections that may stand on one line."""
_WORD = r"""(?:[^\s,\[\]{}'"\\:]|:(?![\s,\[\]{}'":]))+"""
_PIECE = re.compile(
    rf"""
    \ *+
    (?: ([^\W\d][\w.-]{{0,99}}+) :\ ++              # key
    | ( (?=[^\W_]) {_WORD} (?:\ ++{_WORD})*         # scalar
      | '[^']*+ (?>(?: '' [^']*+ )*)'
      | "[^"\\]*+ (?>(?: \\["\\/bfnrt] [^"\\]*+ )*)"
      ) (?= \ *+ [,\]}}] )
    | ([\[\]{{}},] | .++)                           # a mark, or what is not read here
    )
    """,
    re.VERBOSE,
)
_END = ("", "", "")


def _unquote_single(text: str) -> str:
    return text[1:-1].replace("''", "'")


def _unquote_double(text: str) -> str:
    value: str = orjson.loads(text) if "\\" in text else text[1:-1]
    return value


def _parse_word(text: str) -> Any:
    text = text.rstrip(" ")
    return WORDS.get(text, text)


def _parse_number(text: str) -> Any:
    return parse_plain(text.rstrip(" "))


def _parse_flow(text: str) -> Any:
    """A collection on one line."""
    if text.count("[") + text.count("{") > _MOST:
        raise Exotic
    pieces = iter(_PIECE.findall(text))
    value = _parse_collection(pieces, next(pieces)[2])
    if any(pieces):
        raise Exotic
    return value


def _parse_collection(pieces: Iterator[tuple[str, str, str]], opening: str) -> Any:
    """What stands behind a bracket, with the other one."""
    made: Any = [] if opening == "[" else {}
    closing = "]" if opening == "[" else "}"
    key, scalar, mark = next(pieces, _END)
    if mark == closing:
        return made
    while True:
        name = key
        if opening == "{":
            if not name or name in made or name in WORDS:
                raise Exotic
            key, scalar, mark = next(pieces, _END)
        if key:
            raise Exotic  # a pair in a list
        value = _parse_collection(pieces, mark) if mark in ("[", "{") else _parse_scalar(scalar)
        if opening == "{":
            made[name] = value
        else:
            made.append(value)
        mark = next(pieces, _END)[2]
        if mark == closing:
            return made
        if mark != ",":
            raise Exotic
        key, scalar, mark = next(pieces, _END)


def _parse_scalar(text: str) -> Any:
    if not text:
        raise Exotic
    read = READ.get(text[0])
    return read(text) if read else text


READ: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys("0123456789+-.<", _parse_number),
    **dict.fromkeys("~tTfFnN", _parse_word),
    **dict.fromkeys("[{", _parse_flow),
    "'": _unquote_single,
    '"': _unquote_double,
}
"""How a value is read, by the character that it begins with; any other is a text as it stands."""
