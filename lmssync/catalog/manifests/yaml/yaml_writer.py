"""Plain values to YAML that people like to read, and that every reader reads the same.

Block style, text as bare as can be, prose of several lines as a literal block. Whatever the
values hold, reading gives them back: what a literal block would change, quotes keep.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

STEP = 2
_KEY_MOST = 120
"""A longer key is written after a `?`: parsers stop looking for its colon."""
_LONG = 80
"""The least length of a text of one line that is written as a block because it needs quotes."""

# Many readers still follow YAML 1.1, where `no` is false, `1:30` is 90 and `012` is 10. lmssync
# reads YAML 1.2, but what it writes is read by others too.
_OTHERWISE = re.compile(
    r"""(?xi)                                # all that some reader takes for something else
    | ~ | null | true | false | yes | no | on | off | y | n | <<
    | [-+]? [0-9.] [0-9_,.:]* (e [-+]? [0-9]*)?   # numbers, also octal, 1:30 and 1_000
    | [-+]? 0 [xob] [0-9a-f_]*
    | [-+]? \.(inf | nan)
    | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} .*       # dates
    """
)
_BARE = re.compile(r"[^\x00-\x7f]|[A-Za-z0-9_/$^\\;(<]")
"""What a bare text may begin with."""
_BREAKS_BARE = re.compile(r":(\s|$)|\s#|\s$")
_BREAKS_FLOW = re.compile(r"[][{},]|:$")
"""What a bare text may hold on a line of its own, but not between brackets."""
_NEVER_RAW = (
    "[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""What parsers refuse, take for the end of a line, or drop; compiled when something is written,
since that takes a twentieth of a start."""
_JOINERS = frozenset("\u200c\u200d")
"""Invisible, and part of the spelling: of Persian words, of many emoji."""
_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\0": "\\0",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    "\x1b": "\\e",
    "\x85": "\\N",
    "\xa0": "\\_",
    "\u2028": "\\L",
    "\u2029": "\\P",
}

_NO_NUMBERS = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}
_SIZES = (("x", 2), ("u", 4), ("U", 8))
"""Escapes by number, and how many digits each takes."""


def write_stream(documents: Iterable[Any]) -> Iterator[str]:
    """Documents as one YAML stream, piece by piece."""
    for number, value in enumerate(documents):
        yield f"---\n{write_yaml_document(value)}" if number else write_yaml_document(value)


def write_yaml_document(value: Any) -> str:
    """One document: values as JSON has them, the keys of mappings are text."""
    if isinstance(value, str):
        return f"{_write_inline(value)}\n"
    return "".join(_write_value([], value, 0))


def write_yaml_below(value: Any, column: int) -> str:
    """What stands after the colon of a key, for a key at `column`: with a blank or a line end."""
    return "".join(_write_beside_key([], value, column)).removesuffix("\n")


def write_items(values: list[Any], column: int) -> str:
    """The lines of items of a block list whose dashes stand at `column`, without the last end."""
    return " " * column + "".join(_write_value([], values, column)).removesuffix("\n")


def write_flow(value: Any) -> str:
    """A value on one line, in the form for between brackets."""
    if isinstance(value, dict):
        pairs = (f"{write_flow(key)}: {write_flow(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_flow, value))}]"
    if isinstance(value, str) and _is_bare(value) and _BREAKS_FLOW.search(value):
        return f'"{"".join(map(_escape_char, value))}"'
    return _write_inline(value) if isinstance(value, str) else _write_scalar(value, 0)


def _write_value(text: list[str], value: Any, column: int) -> list[str]:
    """Adds a value from the place on where it may begin, its last line ended, to the pieces."""
    if isinstance(value, dict) and value:
        _write_mapping(text, value, column)
    elif isinstance(value, list) and value:
        _write_sequence(text, value, column)
    else:
        text.append(f"{_write_scalar(value, column)}\n")
    return text


def _write_mapping(text: list[str], value: dict[str, Any], column: int) -> None:
    for position, (key, item) in enumerate(value.items()):
        margin = " " * column if position else ""
        name = _write_name(key)
        if len(name) > _KEY_MOST:
            name = f"? {name}\n{' ' * column}"
        text.append(f"{margin}{name}:")
        _write_beside_key(text, item, column)


def _write_beside_key(text: list[str], item: Any, column: int) -> list[str]:
    """Adds what belongs to a key: on its line, or below it and further in."""
    if isinstance(item, dict | list) and item:
        text.append(f"\n{' ' * (column + STEP)}")
        return _write_value(text, item, column + STEP)
    text.append(f" {_write_scalar(item, column + STEP)}\n")
    return text


def _write_sequence(text: list[str], value: list[Any], column: int) -> None:
    for position, item in enumerate(value):
        text.append(f"{' ' * column if position else ''}- ")
        _write_value(text, item, column + STEP)


def _write_scalar(value: Any, column: int) -> str:
    """A value of one piece; the lines of a literal block begin at `column`, and it ends bare."""
    if isinstance(value, str):
        return (
            _write_block_scalar(value, column)
            if column and _suits_block(value)
            else _write_inline(value)
        )
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _NO_NUMBERS.get(repr(value), repr(value))
    return str(value) if isinstance(value, int) else "{}" if isinstance(value, dict) else "[]"


def _suits_block(text: str) -> bool:
    """True for text that reads better as a literal block, and can be one."""
    wants = "\n" in text.rstrip("\n") or (len(text) > _LONG and not _is_bare(text))
    return wants and not text.isspace() and not re.search(_NEVER_RAW, text)


def _write_block_scalar(text: str, column: int) -> str:
    """The header says how far in the lines begin where their own blanks would hide it."""
    kept = text.rstrip("\n")
    ends = len(text) - len(kept)
    # A parser takes the margin of the first line for that of the block, so where this line begins
    # with blanks or is empty, the header has to name the margin.
    indent = str(STEP) if text[0] in " \t\n" else ""
    margin = " " * column
    lines = (f"{margin}{line}" if line else "" for line in text.split("\n")[: -1 if ends else None])
    # `-` drops the last line end, no mark keeps one, `+` keeps all of them.
    return f"|{indent}{('-', '', '+')[min(ends, 2)]}\n" + "\n".join(lines)


@lru_cache(maxsize=256)
def _write_name(key: str) -> str:
    """The name of a field: there are few, and each stands in many mappings."""
    return _write_inline(key)


def _write_inline(text: str) -> str:
    """Text on one line: bare, else in the quotes that change least."""
    if _is_bare(text):
        return text
    if ('"' in text or "\\" in text) and "'" not in text and _is_visible(text):
        return f"'{text}'"
    return f'"{"".join(map(_escape_char, text))}"'


def _is_bare(text: str) -> bool:
    return (
        _BARE.match(text) is not None
        and not _BREAKS_BARE.search(text)
        and not _OTHERWISE.fullmatch(text)
        and _is_visible(text)
    )


def _is_visible(text: str) -> bool:
    """True if a reader sees every character: no bidi controls, no blanks of another width."""
    return text.isprintable() or all(char.isprintable() or char in _JOINERS for char in text)


def _escape_char(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable() or char in _JOINERS:
        return char
    code = f"{ord(char):x}"
    mark, digits = next(size for size in _SIZES if len(code) <= size[1])
    return f"\\{mark}{code:0>{digits}}"
