"""What messages about policies are made of: values in words, mistakes with their remedies."""

from typing import Any

from ....texts import values as texts

_LISTED = 6


class PolicyMistake(Exception):
    """What is wrong with a part of a policy, and the remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def cut_to_line(value: Any) -> str:
    """On one line, of no more than 60 characters."""
    return texts.show_text(str(value).lower() if isinstance(value, bool) else str(value))


def show_value(value: Any) -> str:
    """In backticks; of a list the first few."""
    if isinstance(value, list):
        return ", ".join(show_value(item) for item in value[:_LISTED])
    return "a mapping" if isinstance(value, dict) else f"`{cut_to_line(value)}`"


def any_of(words: list[str]) -> str:
    """`a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def count_of(number: int, noun: str) -> str:
    """`1 item`, `12 characters`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
