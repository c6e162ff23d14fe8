"""How a request ended, judged by what was sent and received, not by the exception.

The headers of an answer also say how long to wait, and what is left of a window (spec 8, O43).
What failed becomes the error that people should see.
"""

import math
import time
from collections.abc import Iterator, Mapping
from datetime import UTC
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from ...errors import KeyRefused, PlatformError, Refused, ServerFailed, Unreachable, Unreadable
from ...vocabulary.routes import Route
from .request_pacing import stopped_error

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


@lru_cache(maxsize=8)  # many answers come in one second
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


_REDIRECTED, _UNAUTHENTICATED, _FORBIDDEN, _THROTTLED, _SERVER_FAILED = 300, 401, 403, 429, 500
_KEY_REFUSED = (
    "check the variable, or the other source, that `apiKey` names; keys are revoked and expire"
)
_REFUSED_AGAIN = "a new token was refused too: check that `oauth.tokenUrl` belongs to this platform"
_CLOCKS = 60.0
"""Seconds by which two clocks may differ before somebody should look at them."""
ELSEWHERE = "baseUrl is the address of the instance, without /incoming/v2"


def platform_error(outcome: Outcome, base_url: str, route: Route) -> PlatformError:
    """A failed request as the error that a person should see."""
    waits = outcome.retry_after is not None and outcome.status in {None, _THROTTLED}
    if outcome.cause is not None or waits:
        return outcome.cause or _not_waited_for(outcome)
    if outcome.fate is DeliveryStatus.UNSENT or outcome.status is None:
        return Unreachable(
            f"the platform at {base_url} cannot be reached: {outcome.message}",
            outcome.hint
            or "check baseUrl and the network; for the sandbox: `lmssync sandbox serve`",
        )
    if outcome.status in REDIRECTS and outcome.fate is DeliveryStatus.REJECTED:
        return Unreachable(
            f"the platform at {base_url} {outcome.message}",
            "if that is right, set baseUrl to the new address; the key is not sent to another host",
        )
    if outcome.status in {_UNAUTHENTICATED, _FORBIDDEN}:
        return _key_refused(outcome, base_url, route)
    if outcome.fate is DeliveryStatus.REJECTED:
        return Refused(f"{route.method} {route.path}: {outcome.message}", outcome.status)
    return _unexpected_answer(outcome.status, outcome.message, route)


def _key_refused(outcome: Outcome, base_url: str, route: Route) -> KeyRefused:
    what = "access token" if outcome.by_token else "API key"
    if outcome.status == _UNAUTHENTICATED:
        return KeyRefused(
            f"the platform at {base_url} does not accept the {what}: {outcome.message}",
            _REFUSED_AGAIN + _describe_skew(outcome) if outcome.by_token else _KEY_REFUSED,
        )
    text = f"the {what} may not {route.method} {route.path}: {outcome.message}"
    return KeyRefused(text, "; ".join(_what_is_missing(outcome, route)))


def _what_is_missing(outcome: Outcome, route: Route) -> Iterator[str]:
    """The conditions of a request that is forbidden: the platform may mean any of these."""
    if route.permission and outcome.by_token:
        yield (
            f"it needs the permission {route.permission}: "
            "the client must have it, and `oauth.scopes` ask for it"
        )
    elif route.permission:
        yield f"it needs the permission {route.permission}: give it to the role of the key"
    elif not route.features:
        yield "the key may be limited to some clients, or its role to reading"
    if route.features:
        yield f"the account needs the features {', '.join(route.features)}"


def _describe_skew(outcome: Outcome) -> str:
    """The difference of the clocks in words, if they differ."""
    ahead = 0.0 if outcome.date is None else outcome.date - time.time()
    if abs(ahead) <= _CLOCKS:
        return ""
    word = "ahead of" if ahead > 0 else "behind"
    return f"; the platform's clock is {abs(ahead):,.0f} s {word} this machine's"


def _not_waited_for(outcome: Outcome) -> PlatformError:
    if outcome.status is None:
        return stopped_error()
    return Unreachable(
        f"the platform asks to wait {_spell_duration(outcome.retry_after or 0)} before the next "
        "request",
        "run the same command again after that time; nothing is lost",
    )


def _spell_duration(seconds: float) -> str:
    """`3 hours`, `1.16e+04 days`."""
    for unit, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.3g} {name}"
    return f"{seconds:,.3g} s"


def _unexpected_answer(status: int, message: str, route: Route) -> PlatformError:
    """An answer that is neither a success nor a refusal."""
    if status < _REDIRECTED:
        return unreadable_answer(route, route.path, message)
    text = f"{route.method} {route.path} failed with HTTP {status}: {message}"
    if status >= _SERVER_FAILED:
        return ServerFailed(text, "the platform has a problem; run again later")
    return Unreachable(text, ELSEWHERE)


def missing_list(route: Route) -> Unreadable:
    """The error for a list that the platform does not have: a further route, or one of an owner."""
    return Unreadable(
        f"{route.method} {route.path}: the platform has no such list (404)",
        "`lmssync doctor --probe` finds out which routes the instance has",
    )


def unreadable_answer(route: Route, path: str, wrong: str) -> Unreadable:
    return Unreadable(
        f"{route.method} {path}: the answer does not match the specification: {wrong}",
        "lmssync has not used this answer; show it to the people who run the platform",
    )
