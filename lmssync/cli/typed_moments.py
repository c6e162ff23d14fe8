"""Moments and durations as people type them: a date, a time, `30d` ago, `15m`."""

import re
import time
from datetime import datetime, time as time_of_day, timedelta

import click

from ..errors import WrongUse
from ..vocabulary.iso_dates import parse_as_written, parse_moment

_AGO = re.compile(r"(\d{1,6})([mhd])")
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400}


def parse_milliseconds(text: str | None) -> int | None:
    """`2026-03-01`, `2026-03-01T10:00Z` or `30d` as milliseconds since 1970; raises `WrongUse`."""
    from ..learners.events import moment_of

    if text is None:
        return None
    ago = _AGO.fullmatch(text)
    if ago:
        return max(0, round((time.time() - int(ago[1]) * _SECONDS[ago[2]]) * 1000))
    moment = moment_of(text)
    if moment is None or moment < 0:
        raise WrongUse(
            f"--since: `{text}` is not a time",
            "write a date (2026-03-01), a time (2026-03-01T10:00Z), or how long ago (30d, 12h)",
        )
    # A date is read as UTC: where it is later, today has begun before it has there.
    if moment > (time.time() + 86_400) * 1000:
        raise WrongUse(f"--since: `{text}` is in the future", "name a time in the past")
    return moment


def parse_coming_moment(text: str | None, now: datetime | None = None) -> datetime | None:
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
            f"--finish-by: `{text}` is not a time",
            "write a time of day (18:30) or a moment (2027-01-31T18:30+01:00)",
        ) from None
    meant = meant if meant.tzinfo else meant.astimezone()
    if meant <= now:
        raise WrongUse(f"--finish-by: {text} is in the past", "name a time in the future")
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


def parse_since(_ctx: click.Context, _option: click.Parameter, text: str | None) -> datetime | None:
    """A date or a time as people write it; without a zone it is in UTC, as the history is."""
    try:
        return None if text is None else parse_moment(text)
    except ValueError:
        raise WrongUse(
            f"`--since {text}` is not a date", "write 2027-01-31, or 2027-01-31T08:00"
        ) from None


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def parse_seconds(_ctx: click.Context, option: click.Parameter, text: str) -> float:
    """A duration as people write it: `90`, `90s`, `15m`, `1h`."""
    number = text.rstrip("smh")
    unit = text[len(number) :]
    if not number.isdecimal() or unit not in _UNITS:
        raise WrongUse(f"`{option.opts[0]} {text}` is not a duration", "write 90s, 15m or 1h")
    return float(number) * _UNITS[unit]
