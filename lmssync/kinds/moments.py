"""moments: which of two dates comes first, as an author means them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time
from typing import Any

_DAY = len("2027-01-31")


def begins(date: str) -> datetime:
    """The first moment of a date; without a zone it is UTC (spec 4)."""
    moment = datetime.fromisoformat(date)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def ends(date: str) -> datetime:
    """The last moment of a date: of a day, its midnight, so that a window may last one day."""
    if len(date) == _DAY:
        return datetime.combine(begins(date).date(), time.max, UTC)
    return begins(date)


def after(start: str | None, end: str | None) -> bool:
    """Whether something begins after something else has ended; False if a date is not given."""
    return bool(start and end and begins(start) > ends(end))


def latest(holder: Mapping[str, Any], fields: Iterable[str]) -> str | None:
    """The latest date among some fields."""
    given = [holder[field] for field in fields if holder.get(field)]
    return max(given, key=begins, default=None)
