"""Small words and values as people read them."""

import difflib
from collections.abc import Iterator
from typing import Any

import orjson

from ..visible import visible

_SHORT = 72
_LINES = 12


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def by_hand(steps: int) -> str:
    return f"{counted(steps, 'step')} for a person to do"


def value(found: Any) -> str:
    """A value of a form on one line: text in quotes, references by name."""
    if isinstance(found, str):
        return _quoted(found)
    if isinstance(found, list):
        return f"[{', '.join(value(item) for item in found)}]"
    if isinstance(found, dict):
        return _mapping(found)
    return "(not set)" if found is None else orjson.dumps(found).decode()


def _mapping(found: dict[str, Any]) -> str:
    if "$ref" in found:
        part = f"/{found['part']}" if "part" in found else ""
        return str(found["$ref"]).partition(".")[2] + part
    for key in ("$markdown", "title"):
        if isinstance(found.get(key), str):
            return _quoted(found[key])
    return orjson.dumps(found).decode()


def _quoted(text: str) -> str:
    line = visible(" ".join(text.split()))
    return f"“{line if len(line) <= _SHORT else line[: _SHORT - 1] + '…'}”"


def prose(found: Any) -> str | None:
    """The text of a body, if it is long enough to be shown as a difference of lines."""
    text = found.get("$markdown") if isinstance(found, dict) else found
    return text if isinstance(text, str) and ("\n" in text or len(text) > _SHORT) else None


def line_changes(before: str, after: str) -> Iterator[str]:
    """The lines that differ, `-` and `+`, cut after a dozen."""
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    lines = [line for line in diff if not line.startswith(("---", "+++", "@@"))]
    yield from lines[:_LINES]
    if len(lines) > _LINES:
        yield f"… {len(lines) - _LINES} more lines"


def duration(minutes: float) -> str:
    if minutes < 1:
        return "under a minute"
    if minutes < 90:  # noqa: PLR2004 - where people start to count in hours
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"
