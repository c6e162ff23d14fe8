"""ISBNs: whether the check digit fits the others."""

import re
from collections.abc import Iterator

from ...problems import Finding, warning_rule
from ...resource import Path
from .refusal import show_text

NOT_AN_ISBN = warning_rule(
    "isbn",
    "The value is not an ISBN, or its check digit is wrong.",
    "Compare it with the book.",
    wrong="isbn: 978-3-16-148410-1",
    right="isbn: 978-3-16-148410-0",
)

_FORM = re.compile(r"\d{9}[\dX]|\d{13}", re.ASCII)
_BETWEEN = str.maketrans("", "", "- ")


def of_isbn(path: Path, text: str) -> Iterator[Finding]:
    """The specification takes any text; a book is found by a right one only."""
    digits = text.upper().removeprefix("ISBN").lstrip(": ").translate(_BETWEEN)
    if not _FORM.fullmatch(digits):
        wrong, hint = "is not an ISBN: an ISBN has 10 or 13 digits", "copy it from the book"
    elif not _fits_check_digit(digits):
        wrong, hint = "has a wrong check digit", "compare it with the book: a digit is mistyped"
    else:
        return
    yield NOT_AN_ISBN.at(path, f"`{show_text(text)}` {wrong}", hint)


def _fits_check_digit(digits: str) -> bool:
    values = [10 if digit == "X" else int(digit) for digit in digits]
    if len(values) == len("9780000000002"):
        return sum(value * (3 if n % 2 else 1) for n, value in enumerate(values)) % 10 == 0
    return sum(value * (10 - n) for n, value in enumerate(values)) % 11 == 0
