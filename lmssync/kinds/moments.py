"""moments: which of two dates comes first, as an author means them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time
from typing import Any

_DAY = len("2027-01-31")


def moment_of_begin(date: str) -> datetime:
    """The first moment of a date; without a zone it is UTC (spec 4)."""
    moment = datetime.fromisoformat(date)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def moment_of_end(date: str) -> datetime:
    """The last moment of a date: of a day, its midnight, so that a window may last one day."""
    if len(date) == _DAY:
        return datetime.combine(moment_of_begin(date).date(), time.max, UTC)
    return moment_of_begin(date)


def begins_after(start: str | None, end: str | None) -> bool:
    """Whether something begins after something else has ended; False if a date is not given."""
    return bool(start and end and moment_of_begin(start) > moment_of_end(end))


def latest_date(holder: Mapping[str, Any], fields: Iterable[str]) -> str | None:
    """The latest date among some fields."""
    given = [holder[field] for field in fields if holder.get(field)]
    return max(given, key=moment_of_begin, default=None)
