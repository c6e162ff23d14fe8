"""What the platform makes of values before it keeps them: equal ones come to the same here."""

from datetime import UTC
from typing import Any

from .moments import moment_of_begin


def as_instant(value: Any) -> Any:
    """A date as the moment that it means; anything else as it is."""
    try:
        return moment_of_begin(value).astimezone(UTC).isoformat()
    except (TypeError, ValueError):
        return value


def as_unordered(value: Any) -> Any:
    """A list whose order means nothing, as the platform may return it in any."""
    if not isinstance(value, list):
        return value or []
    return sorted(value, key=str)


def as_page(value: Any) -> Any:
    """HTML as what learners see of it: editors write blanks, entities and attributes anew."""
    from ..texts.from_html import read_page_layout  # only where two bodies differ

    return read_page_layout(value) if isinstance(value, str) else value or ""


def as_rows(value: Any) -> Any:
    """A list of mappings, each without what is empty in it; their bodies are pages."""
    return (
        [_as_row(drop_empty_values(row)) for row in value]
        if isinstance(value, list)
        else value or []
    )


def _as_row(row: Any) -> Any:
    paged = isinstance(row, dict) and "body" in row
    return {**row, "body": as_page(row["body"])} if paged else row


def drop_empty_values(value: Any) -> Any:
    """A mapping without what is empty: a custom field that nobody has set, an unused target."""
    if not isinstance(value, dict):
        return value or {}
    return {key: inner for key, inner in value.items() if inner not in (None, "", [], {})}
