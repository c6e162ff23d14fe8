"""Dates and moments as ISO 8601 writes them; one without a zone is in UTC (spec 4)."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

_DAY = len("2027-01-31")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_as_written(text: str) -> datetime:
    """The first moment of a date, without a zone if none is named; raises `ValueError`."""
    return datetime.fromisoformat(text)


def parse_moment(text: str) -> datetime:
    """The first moment of a date; raises `ValueError` for a text that is no date."""
    moment = parse_as_written(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def parse_last_moment(text: str) -> datetime:
    """The last moment of a date: of a day, its midnight, so that a window may last one day."""
    if len(text) == _DAY:
        return datetime.combine(parse_moment(text).date(), time.max, UTC)
    return parse_moment(text)


def parse_milliseconds(text: Any) -> int | None:
    """A moment as milliseconds since 1970; nothing for what is no time."""
    try:
        return round(parse_moment(text).timestamp() * 1000)
    except (TypeError, ValueError, OverflowError):
        return None


def format_moment(moment: datetime) -> str:
    """`2026-01-31T12:00:00.000Z`, for a moment in UTC; such texts sort as the moments do."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def format_timestamp(seconds: float) -> str:
    """`2026-01-31T12:00:00.000Z`, for seconds since 1970; raises `OverflowError` beyond year 9999.

    A float is a few microseconds off where a moment is far away, and a moment is written without
    its microseconds: only what is rounded first is written as it was read.
    """
    return format_moment(_EPOCH + timedelta(milliseconds=round(seconds * 1000)))
