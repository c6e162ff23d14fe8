"""What the platform makes of values before it keeps them: equal ones come to the same here."""

from datetime import UTC
from typing import Any

from .moments import begins


def instant(value: Any) -> Any:
    """A date as the moment that it means; anything else as it is."""
    try:
        return begins(value).astimezone(UTC).isoformat()
    except (TypeError, ValueError):
        return value


def unordered(value: Any) -> Any:
    """A list whose order means nothing, as the platform may return it in any."""
    if not isinstance(value, list):
        return value or []
    return sorted(value, key=str)


def page(value: Any) -> Any:
    """HTML as what learners see of it: editors write blanks, entities and attributes anew."""
    from ..from_html import read_page_layout  # only where two bodies differ

    return read_page_layout(value) if isinstance(value, str) else value or ""


def rows(value: Any) -> Any:
    """A list of mappings, each without what is empty in it; their bodies are pages."""
    return [_row(given(row)) for row in value] if isinstance(value, list) else value or []


def _row(row: Any) -> Any:
    return {**row, "body": page(row["body"])} if "body" in row else row


def given(value: Any) -> Any:
    """A mapping without what is empty: a custom field that nobody has set, an unused target."""
    if not isinstance(value, dict):
        return value or {}
    return {key: inner for key, inner in value.items() if inner not in (None, "", [], {})}
