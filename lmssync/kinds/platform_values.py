"""Values as the platform keeps them and as authors write them: equal ones come to the same."""

from collections.abc import Iterable, Mapping
from datetime import UTC
from typing import Any

from ..vocabulary.iso_dates import parse_last_moment, parse_moment

_MIDNIGHT = "T00:00:00.000Z"


def as_written_date(moment: str) -> str:
    """A moment without what says nothing: a day for its midnight, no thousandths of none."""
    return moment.removesuffix(_MIDNIGHT).replace(".000Z", "Z")


def drop_unset_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have a value: neither null nor empty."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def begins_after(start: str | None, end: str | None) -> bool:
    """Whether something begins after something else has ended; False if a date is not given."""
    return bool(start and end and parse_moment(start) > parse_last_moment(end))


def latest_date(holder: Mapping[str, Any], fields: Iterable[str]) -> str | None:
    given = [holder[field] for field in fields if holder.get(field)]
    return max(given, key=parse_moment, default=None)


def as_instant(value: Any) -> Any:
    """A date as the moment that it means; anything else as it is."""
    try:
        return parse_moment(value).astimezone(UTC).isoformat()
    except (TypeError, ValueError):
        return value


def as_unordered(value: Any) -> Any:
    """A list whose order means nothing, as the platform may return it in any."""
    return sorted(value, key=str) if isinstance(value, list) else value or []


def as_page(value: Any) -> Any:
    """HTML as what learners see of it: editors write blanks, entities and attributes anew."""
    from ..texts.html_layout import read_page_layout  # only where two bodies differ

    return read_page_layout(value) if isinstance(value, str) else value or ""


def as_rows(value: Any) -> Any:
    """A list of mappings, each without what is empty in it; their bodies are pages."""
    if not isinstance(value, list):
        return value or []
    rows = map(drop_empty_values, value)
    return [
        {**row, "body": as_page(row["body"])} if isinstance(row, dict) and "body" in row else row
        for row in rows
    ]


def drop_empty_values(value: Any) -> Any:
    """A mapping without what is empty: a custom field that nobody has set, an unused target."""
    return drop_unset_fields(value) if isinstance(value, dict) else value or {}
