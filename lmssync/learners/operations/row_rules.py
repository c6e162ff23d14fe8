"""What must hold in a row beyond the form of each field, and between rows (spec 4)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ...problems import Finding, Rule
from ...texts.values import refusal_error, show_text
from ...vocabulary.enums import PathActivityStatus

COMPLETION_STATUS = Rule(
    "completion-date-status",
    "A row has a completion date, but its status is not `completed`.",
    "Write the moment under `timeStampDate`, or correct the status.",
    source="spec 4",
)
TIMESTAMP_STATUS = Rule(
    "time-stamp-date-status",
    "A row has a `timeStampDate`, but its status is `completed`, or is missing and counts as that.",
    "Write the moment under `completionDate`, or correct the status.",
    source="spec 4",
)
ROW_TWICE = Rule(
    "row-twice",
    "Two rows of a list are about the same thing of the same person.",
    "Delete one of the two.",
)
NOT_A_NUMBER = Rule("not-a-number", "The value is not a number.", "Write it as 85 or 85.5.")
NOT_RELATIVE = Rule(
    "return-url",
    "The address does not lead to a page of the platform itself.",
    "Write it without scheme and host: `/learn/courses`.",
    source="spec 4",
)
_COMPLETED = PathActivityStatus.COMPLETED
_COMPLETION, _TIMESTAMP = "completionDate", "timeStampDate"

Rows = Sequence[Mapping[str, str]]
"""The cells of each row by column."""
Together = Callable[[Rows], Iterator[Finding]]
"""Checks of all rows together; the path of a finding begins with the position of a row."""


def check_dates(rows: Rows) -> Iterator[Finding]:
    """Each of the two dates goes with statuses of its own."""
    for position, row in enumerate(rows):
        status = row.get("status") or _COMPLETED
        if status not in set(PathActivityStatus):
            continue
        if _COMPLETION in row and status != _COMPLETED:
            message = f"`{_COMPLETION}` goes with the status `{_COMPLETED}` only, not `{status}`"
            yield COMPLETION_STATUS.at((position, _COMPLETION), message)
        if _TIMESTAMP in row and status == _COMPLETED:
            said = "the status is" if "status" in row else "without a status it is"
            message = f"`{_TIMESTAMP}` does not go with `{_COMPLETED}`, and {said} that"
            yield TIMESTAMP_STATUS.at((position, _TIMESTAMP), message)


def require_unique(*fields: str) -> Together:
    """No two rows have the same values in all of these fields; capitals do not matter."""

    def find_repeats(rows: Rows) -> Iterator[Finding]:
        first: dict[tuple[str, ...], int] = {}
        for position, row in enumerate(rows):
            same = tuple(row.get(field, "").lower() for field in fields)
            before = first.setdefault(same, position)
            if before < position and all(same):
                up = position - before
                message = f"this row is about the same as the one {up:,} further up"
                yield ROW_TWICE.at((position,), message, "delete one of the two")

    return find_repeats


def parse_number(value: Any) -> float | int:
    """A number as it is sent; a table has it as text."""
    try:
        parsed = float(value)
        if not abs(parsed) < float("inf"):
            raise ValueError(value)
    except (TypeError, ValueError):
        raise refusal_error(
            NOT_A_NUMBER, f"is `{show_text(str(value))}`, which is not a number"
        ) from None
    return int(parsed) if parsed.is_integer() else parsed


def check_relative(text: str) -> str:
    """An address of the platform itself; backslashes and spaces lead some browsers elsewhere."""
    odd = text.startswith("//") or "\\" in text or " " in text or not text.isprintable()
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = None
    if odd or parts is None or parts.scheme or parts.netloc:
        raise refusal_error(
            NOT_RELATIVE, f"is `{show_text(text)}`, which is not a relative address"
        )
    return text
