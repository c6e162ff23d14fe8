"""Small words and values as people read them."""

from collections.abc import Sequence
from typing import Any

import orjson

from ..persons import code_in, told
from ..visible import visible
from .unseen import exact

SHORT = 72
_ITEMS = 8
"""Items of a list that are shown."""


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def value(found: Any, *, full: bool = False) -> str:
    """A value of a form on one line: text in quotes, references by name; cut unless `full`."""
    if isinstance(found, str):
        return f"“{_line(found, full=full)}”"
    if isinstance(found, list):
        return _list(found, full=full)
    if isinstance(found, dict):
        return _mapping(found, full=full)
    return "(not set)" if found is None else orjson.dumps(found).decode()


def _list(found: list[Any], *, full: bool) -> str:
    shown = found if full or len(found) <= _ITEMS + 1 else found[:_ITEMS]
    more = [f"… {len(found) - len(shown):,} more"] if len(shown) < len(found) else []
    return f"[{', '.join([*(value(item, full=full) for item in shown), *more])}]"


def _mapping(found: dict[str, Any], *, full: bool) -> str:
    if "$ref" in found:
        part = f"/{found['part']}" if "part" in found else ""
        return visible(str(found["$ref"]).partition(".")[2] + part)
    if len(found) == 1 and (code := _person(found)):
        return told(code)
    name = found.get("$markdown") or ("" if full or "id" not in found else found.get("title"))
    if isinstance(name, str) and name:
        return f"“{_line(name, full=full)}”"
    return _cut(visible(_json(found)), full=full)


def _person(found: dict[str, Any]) -> str | None:
    """The code of a person, or of the one entry that says how the platform knows them."""
    return code_in(found) or code_in(next(iter(found.values())))


def _line(text: str, *, full: bool) -> str:
    return visible(text) if full else _cut(visible(" ".join(text.split())))


def _cut(line: str, *, full: bool = False) -> str:
    return line if full or len(line) <= SHORT else line[: SHORT - 1] + "…"


def precise(found: Any) -> str:
    """The exact value, for two values that look the same in the usual form."""
    return f"“{exact(found)}”" if isinstance(found, str) else exact(_json(found))


def _json(found: Any) -> str:
    return orjson.dumps(found, option=orjson.OPT_SORT_KEYS).decode()


def text_of(found: Any) -> str | None:
    """The text of a body, or of any other field that holds one."""
    text = found.get("$markdown") if isinstance(found, dict) else found
    return text if isinstance(text, str) else None


def prose(found: Any) -> str | None:
    """The text of a body, if it is long enough to be shown as a difference of lines."""
    text = text_of(found)
    return text if text is not None and ("\n" in text or len(text) > SHORT) else None


def cell(text: str) -> str:
    """A text as it stands in a cell of a Markdown table."""
    return visible(text).replace("|", "\\|")


def duration(minutes: float) -> str:
    if minutes < 1:
        return "under a minute"
    if minutes < 90:  # noqa: PLR2004 - where people start to count in hours
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"
