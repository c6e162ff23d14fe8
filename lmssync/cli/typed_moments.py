"""Moments and durations as people type them: a date, a time, `30d` ago, `15m`."""

import re
from datetime import UTC, datetime, time as time_of_day, timedelta

import click

from ..errors import WrongUse
from ..vocabulary.iso_dates import parse_as_written, parse_moment

_AGO = re.compile(r"(\d{1,6})([mhd])")
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400}
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST = 100 * 366 * 86_400
"""No feed is older, and Python counts no years before the first."""


def parse_past_moment(
    _ctx: click.Context, option: click.Parameter, text: str | None
) -> datetime | None:
    """`2026-03-01`, `2026-03-01T10:00Z` or `30d` ago; without a zone it is in UTC.

    Raises `WrongUse` for what is no moment, or to come.
    """
    if text is None:
        return None
    name, now = option.opts[0], datetime.now(UTC)
    if ago := _AGO.fullmatch(text):
        return max(_FIRST, now - timedelta(seconds=min(int(ago[1]) * _SECONDS[ago[2]], _LONGEST)))
    try:
        moment = parse_moment(text)
        if moment < _FIRST:
            raise ValueError(text)
    except ValueError:
        raise WrongUse(
            f"{name}: `{text}` is not a time",
            "write a date (2026-03-01), a time (2026-03-01T10:00Z), or how long ago (30d, 12h)",
        ) from None
    # A date is read as UTC: where it is later, today has begun before it has there.
    if moment > now + timedelta(days=1):
        raise WrongUse(f"{name}: `{text}` is in the future", "name a time in the past")
    return moment


def parse_past_milliseconds(
    ctx: click.Context, option: click.Parameter, text: str | None
) -> int | None:
    """Reads a past moment as milliseconds since 1970, by which events are ordered."""
    moment = parse_past_moment(ctx, option, text)
    return None if moment is None else round(moment.timestamp() * 1000)


def parse_coming_moment(
    text: str | None, now: datetime | None = None, option: str = "--finish-by"
) -> datetime | None:
    """The next `18:30` by this machine's clock, or `2027-01-31T18:30` in its zone or another.

    Raises `WrongUse` for what is no moment, or over.
    """
    if text is None:
        return None
    now = now or datetime.now().astimezone()
    try:
        meant = (
            parse_as_written(text) if len(text) > len("18:30:00") else _next_time_of_day(text, now)
        )
    except ValueError:
        raise WrongUse(
            f"{option}: `{text}` is not a time",
            "write a time of day (18:30) or a moment (2027-01-31T18:30+01:00)",
        ) from None
    meant = meant if meant.tzinfo else meant.astimezone()
    if meant <= now:
        raise WrongUse(f"{option}: {text} is in the past", "name a time in the future")
    return meant


def _next_time_of_day(text: str, now: datetime) -> datetime:
    today = datetime.combine(now.date(), time_of_day.fromisoformat(text), now.tzinfo)
    return today if today > now else today + timedelta(days=1)


def parse_moment_or_serial(text: str) -> datetime | int:
    """A serial, or a date or time as people write it; without a zone it is in UTC."""
    try:
        if text.isdecimal():
            return int(text)  # which Python refuses for some thousand digits
        return parse_moment(text)
    except ValueError:
        raise WrongUse(
            f"`{text}` is neither a time nor a serial", "write 2027-01-31T08:00, or 42"
        ) from None


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def parse_seconds(_ctx: click.Context, option: click.Parameter, text: str) -> float:
    """A duration as people write it: `90`, `90s`, `15m`, `1h`."""
    number = text.rstrip("smh")
    unit = text[len(number) :]
    if not number.isdecimal() or unit not in _UNITS:
        raise WrongUse(f"`{option.opts[0]} {text}` is not a duration", "write 90s, 15m or 1h")
    return float(number) * _UNITS[unit]
