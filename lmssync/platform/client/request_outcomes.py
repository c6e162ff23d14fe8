"""How a request ended, judged by what was sent and received, not by the exception.

The headers of an answer also say how long to wait, and what is left of a window (spec 8, O43).
"""

import math
import time
from collections.abc import Mapping
from datetime import UTC
from enum import StrEnum
from typing import Any, NamedTuple

from ...errors import PlatformError

_UNSAID = 1.0
_A_DAY = 86_400.0
"""Seconds. No window of the platform is longer than an hour (spec 8): a moment beyond a day is one
in other units."""


class WindowStanding(NamedTuple):
    """The window of a rate limit that a request was counted in."""

    limit: int
    """How many requests the window takes."""
    remaining: int
    left: float | None
    """Seconds until it ends at the latest; None if the answer does not say."""
    reset: float | None = None
    """When it ends, by the platform's clock."""


def read_standing(headers: Mapping[str, str]) -> WindowStanding | None:
    """The values of the three headers; None where they are missing or impossible."""
    limit = _parse_number(headers.get("x-ratelimit-limit", ""))
    remaining = _parse_number(headers.get("x-ratelimit-remaining", ""))
    if limit is None or remaining is None or not 0 <= remaining <= limit or limit < 1:
        return None
    reset = _parse_number(headers.get("x-ratelimit-reset", ""))
    left = _seconds_until(reset, headers)
    if left is None or not 0 <= left <= _A_DAY:
        return WindowStanding(int(limit), int(remaining), None)
    return WindowStanding(int(limit), int(remaining), left, reset)


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
    from email.utils import parsedate_to_datetime  # few answers have one

    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _seconds_until(moment: float | None, headers: Mapping[str, str]) -> float | None:
    """Seconds to a moment: by the platform's own clock if the answer has its time."""
    if moment is None:
        return None
    # The end of a window is a moment of the platform's clock. Compared with ours, a clock that is
    # five minutes off would make us wait five minutes too long, or not at all.
    now = answered_at(headers)
    return moment - (time.time() if now is None else now)


REDIRECTS = frozenset({301, 307, 308})
"""Statuses that name another address. 302 is missing: the platform answers an activity with it."""


class DeliveryStatus(StrEnum):
    """The outcome of a request, as far as it is known."""

    UNSENT = "unsent"
    """Not a byte was written: it may be sent again."""
    REJECTED = "rejected"
    """A 429, or a 4xx in a known envelope: the platform did not do it."""
    ACKNOWLEDGED = "acknowledged"
    """A 2xx with a body that can be read: done."""
    UNKNOWN = "unknown"
    """Anything else. A create that ended like this is never repeated."""


class Outcome(NamedTuple):
    """The end of one request."""

    fate: DeliveryStatus
    status: int | None = None
    answer: Any = None
    """The body as JSON, where there was one."""
    message: str = ""
    """The message of the platform, or of what broke."""
    retry_after: float | None = None
    """Seconds to wait after a 429 (O43), or after a 503 that names them; 0 where the run was
    stopped before anything could be sent."""
    size: int = 0
    """Bytes of the body, as it was before it was packed."""
    location: str = ""
    """Where a 302 leads: the platform answers an activity with one (spec 7)."""
    late: bool = False
    """Nothing was done, and what had announced the request is too old to send it now."""
    again: bool = True
    """Whether a read may end better if it is repeated."""
    date: float | None = None
    """When it was answered, by the platform's clock, in seconds since 1970."""
    hint: str = ""
    """The advice about what broke, where there is any."""
    by_token: bool = False
    """Whether it was sent with an access token in the place of an API key."""
    cause: PlatformError | None = None
    """Why it was not sent at all, where no access token could be had for it."""
    standing: WindowStanding | None = None
    """The window that it was counted in, by the headers of its answer."""
