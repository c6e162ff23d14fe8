"""Numbers, names and values as people read them, and exactly, so that no two look the same."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from ..support.invisible_characters import UNSEEN, escape_invisible, in_json, spell_character
from ..support.persons import code_in, spell_person
from ..vocabulary.iso_dates import parse_as_written

T = TypeVar("T")

SHORT = 72
_OPENING, _CLOSING = "\u2018", "\u2019"
"""The marks of a title inside a title."""
_ITEMS = 8
"""Items of a list that are shown."""
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?"
)


class SpelledValue(str):  # noqa: SLOT000 - it has an attribute
    """A value in the words of people, such as a price: it is shown without quotes."""

    exact: Any = None
    """The value itself."""

    @classmethod
    def of(cls, words: str, exact: Any) -> "SpelledValue":
        made = cls(words)
        made.exact = exact
        return made


def count_noun(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def count_kinds(numbers: Mapping[str, int]) -> str:
    """`1 client, 20 courses, 26 criteria`, for a number by the name of each kind."""
    counts = (count_noun(number, kind).replace("rions", "ria") for kind, number in numbers.items())
    return ", ".join(counts)


def join_words(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def join_some(items: Sequence[object], most: int) -> str:
    """`a, b and 7 more`: all of a list on one line, or the first of it and how many are left."""
    shown = ", ".join(map(str, items[:most]))
    return f"{shown} and {len(items) - most:,} more" if len(items) > most else shown


def shorten_list(items: Sequence[T], most: int, *, full: bool) -> Sequence[T]:
    """All items, or unless `full` the first of them; a single further one is not left out."""
    return items if full or len(items) <= most + 1 else items[:most]


def spell_value(of: Any, *, full: bool = False) -> str:
    """A value of a form on one line: text in quotes, references by name; cut unless `full`."""
    if isinstance(of, SpelledValue):
        return str(of)
    if isinstance(of, str):
        return f"“{_line(of, full=full)}”"
    if isinstance(of, list):
        shown = [spell_value(item, full=full) for item in shorten_list(of, _ITEMS, full=full)]
        more = [f"… {len(of) - len(shown):,} more"] if len(shown) < len(of) else []
        return f"[{', '.join([*shown, *more])}]"
    if isinstance(of, dict):
        return _mapping(of, full=full)
    return "(not set)" if of is None else orjson.dumps(of).decode()


def _mapping(node: dict[str, Any], *, full: bool) -> str:
    if "$ref" in node:
        part = f"/{node['part']}" if "part" in node else ""
        return escape_invisible(str(node["$ref"]).partition(".")[2] + part)
    # A person, or the one entry that says how the platform knows them.
    if len(node) == 1 and (code := code_in(node) or code_in(next(iter(node.values())))):
        return spell_person(code)
    name = node.get("$markdown") or ("" if full or "id" not in node else node.get("title"))
    if isinstance(name, str) and name:
        return f"“{_line(name, full=full)}”"
    return _cut(escape_invisible(_json(node)), full=full)


def _line(text: str, *, full: bool) -> str:
    return escape_invisible(text) if full else _cut(escape_invisible(" ".join(text.split())))


def _cut(line: str, *, full: bool = False) -> str:
    """The beginning of a long line; a title in it that is cut has its closing mark."""
    if full or len(line) <= SHORT:
        return line
    begun = line[: SHORT - 1]
    return f"{begun}…{_CLOSING * (begun.count(_OPENING) > begun.count(_CLOSING))}"


def spell_exactly(of: Any) -> str:
    """The exact value, for two values that look the same in the usual form."""
    of = of.exact if isinstance(of, SpelledValue) else of
    return f"“{text_exactly(of)}”" if isinstance(of, str) else text_exactly(_json(of))


def _json(of: Any) -> str:
    return orjson.dumps(of, option=orjson.OPT_SORT_KEYS).decode()


def name_with_title(title: str | None, address: object) -> str:
    """`“Fire safety” (course.fire)`; the address alone of what has no title."""
    return f"“{title}” ({address})" if title else str(address)


def find_text(body: Any) -> str | None:
    """The text of a body, or of any other field that holds one."""
    text = body.get("$markdown") if isinstance(body, dict) else body
    return text if isinstance(text, str) else None


def long_text(body: Any) -> str | None:
    """The text of a body, if it is long enough to be shown as a difference of lines."""
    text = find_text(body)
    return text if text is not None and ("\n" in text or len(text) > SHORT) else None


def json_document(document: Any) -> str:
    """A JSON document as it is printed."""
    return in_json(_indent_json(document, 0).decode()) + "\n"


def spell_document(document: Any) -> Iterator[bytes]:
    """A JSON document as `json_document` spells it, a piece at a time: in a mapping, an iterator
    stands for a list that would fill the memory. No piece ends inside a text."""
    if not (isinstance(document, dict) and any(map(_is_lazy, document.values()))):
        yield _indent_json(document, 0) + b"\n"
        return
    for number, (key, value) in enumerate(document.items()):
        yield (b",\n  " if number else b"{\n  ") + orjson.dumps(key) + b": "
        if _is_lazy(value):
            yield from _spell_items(value)
        else:
            yield _indent_json(value, 2)
    yield b"\n}\n"


def _is_lazy(value: Any) -> bool:
    return isinstance(value, Iterator)


def _spell_items(items: Iterator[Any]) -> Iterator[bytes]:
    begun = False
    for item in items:
        yield (b",\n    " if begun else b"[\n    ") + _indent_json(item, 4)
        begun = True
    yield b"\n  ]" if begun else b"[]"


def _indent_json(value: Any, depth: int) -> bytes:
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    return text.replace(b"\n", b"\n" + b" " * depth) if depth else text


def markdown_cell(text: str) -> str:
    """A text as it stands in a cell of a Markdown table."""
    return escape_invisible(text).replace("|", "\\|")


def spell_moment(text: str) -> str:
    """`31 January 2027, 18:30 UTC`; what is no moment stays as it is."""
    found = _MOMENT.fullmatch(text)
    try:
        day = parse_as_written(found[1]) if found else None
    except ValueError:
        return text
    if found is None or day is None:
        return text
    spelled = f"{day.day} {day:%B %Y}"
    if found[2] is None:
        return spelled
    seconds = f":{found[3]}" if found[3] not in {None, "00"} else ""
    zone = "" if found[4] in {None, "Z"} else found[4]  # one without a zone is in UTC (spec 4)
    return f"{spelled}, {found[2]}{seconds} UTC{zone}"


def spell_seconds(number: float) -> str:
    """`0.4 s`, `12 s`, `3 min`."""
    if number >= 60:  # noqa: PLR2004 - a minute
        return spell_minutes(number / 60)
    return f"{number:.0f} s" if number >= 10 else f"{number:.1f} s"  # noqa: PLR2004 - two digits


def spell_minutes(minutes: float) -> str:
    if minutes < 1:
        return "under a minute"
    if minutes < 90:  # noqa: PLR2004 - where people start to count in hours
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"


def text_as_seen(text: str) -> str:
    """A text as people see it: one spelling for all texts that look the same."""
    return " ".join(unicodedata.normalize("NFC", escape_invisible(text)).split())


def text_exactly(text: str) -> str:
    r"""A text exactly, no two alike: odd blanks, blanks at an edge and accents are written out."""
    inner = text.strip(" ")
    before, _, after = text.partition(inner) if inner else (text, "", "")
    shown = "".join(spell_character(c) if _is_odd(c) else c for c in inner.replace("\\", "\\\\"))
    return before.replace(" ", r"\x20") + shown + after.replace(" ", r"\x20")


def _is_odd(character: str) -> bool:
    odd_blank = character.isspace() and character != " "
    return odd_blank or bool(unicodedata.combining(character) or UNSEEN.match(character))
