"""What the headers of an answer say of limits: how long to wait, and what is left (spec 8, O43)."""

import math
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import NamedTuple

_UNSAID = 1.0
_A_DAY = 86_400.0
"""Seconds. No window of the platform is longer than an hour (spec 8): a moment beyond a day is one
in other units."""


class WindowStanding(NamedTuple):
    """How the window stands that a request was counted in."""

    limit: int
    """How many requests the window takes."""
    remaining: int
    left: float | None
    """Seconds until it ends at the latest; None if the answer does not say."""


def read_standing(headers: Mapping[str, str]) -> WindowStanding | None:
    """What the three headers say; None where they are missing, or say nothing that can be."""
    limit = _parse_number(headers.get("x-ratelimit-limit", ""))
    remaining = _parse_number(headers.get("x-ratelimit-remaining", ""))
    if limit is None or remaining is None or not 0 <= remaining <= limit or limit < 1:
        return None
    left = _seconds_until(_parse_number(headers.get("x-ratelimit-reset", "")), headers)
    known = left is not None and 0 <= left <= _A_DAY
    return WindowStanding(int(limit), int(remaining), left if known else None)


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds to wait after a 429: `Retry-After`, else until `X-RateLimit-Reset`, else one."""
    header = headers.get("retry-after", "")
    wait = _parse_number(header)
    if wait is None:
        wait = _seconds_until(_parse_moment(header), headers)
    if wait is None:
        wait = _seconds_until(_parse_number(headers.get("x-ratelimit-reset", "")), {})
        wait = None if wait is not None and wait > _A_DAY else wait
    return _UNSAID if wait is None else max(0.0, wait)


def answered_at(headers: Mapping[str, str]) -> float | None:
    """When an answer was made, by the platform's clock, in Unix seconds."""
    return _parse_moment(headers.get("date", ""))


def _parse_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _parse_moment(text: str) -> float | None:
    """An HTTP date in Unix seconds (RFC 9110, 10.2.3)."""
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _seconds_until(moment: float | None, headers: Mapping[str, str]) -> float | None:
    """Seconds to a moment: by the platform's own clock if the answer has its time."""
    if moment is None:
        return None
    now = answered_at(headers)
    return moment - (time.time() if now is None else now)
