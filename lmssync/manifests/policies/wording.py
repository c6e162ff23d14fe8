"""Values as they stand in a message."""

from typing import Any

_SHOWN = 60
_LISTED = 6


def cut(value: Any) -> str:
    """On one line, of no more than 60 characters."""
    if isinstance(value, bool):
        return str(value).lower()
    text = "".join(letter if letter.isprintable() else " " for letter in str(value)[: _SHOWN + 20])
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def shown(value: Any) -> str:
    """In backticks; of a list the first few."""
    if isinstance(value, list):
        return ", ".join(shown(item) for item in value[:_LISTED])
    return "a mapping" if isinstance(value, dict) else f"`{cut(value)}`"


def any_of(told: list[str]) -> str:
    """`a, b or c`."""
    return " or ".join(filter(None, (", ".join(told[:-1]), told[-1])))


def counted(number: int, noun: str) -> str:
    """`1 item`, `12 characters`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
