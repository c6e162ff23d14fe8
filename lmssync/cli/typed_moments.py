"""Moments as people type them: a date, a time, how long ago, or one to come."""

import re
import time
from datetime import datetime, time as time_of_day, timedelta

from ..errors import WrongUse

_AGO = re.compile(r"(\d{1,6})([mhd])")
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400}


def milliseconds(text: str | None) -> int | None:
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
    return moment


def to_come(text: str | None, now: datetime | None = None) -> datetime | None:
    """The next `18:30` by this machine's clock, or `2027-01-31T18:30` in its zone or another.

    Raises `WrongUse` for what is no moment, or over.
    """
    if text is None:
        return None
    now = now or datetime.now().astimezone()
    try:
        meant = datetime.fromisoformat(text) if len(text) > len("18:30:00") else _next(text, now)
    except ValueError:
        raise WrongUse(
            f"--finish-by: `{text}` is not a time",
            "write a time of day (18:30) or a moment (2027-01-31T18:30+01:00)",
        ) from None
    meant = meant if meant.tzinfo else meant.astimezone()
    if meant <= now:
        raise WrongUse(f"--finish-by: {text} is over", "name a moment that is to come")
    return meant


def _next(text: str, now: datetime) -> datetime:
    today = datetime.combine(now.date(), time_of_day.fromisoformat(text), now.tzinfo)
    return today if today > now else today + timedelta(days=1)
