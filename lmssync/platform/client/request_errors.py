"""Failed requests as the errors that people should see."""

import time
from collections.abc import Iterator

from ...errors import KeyRefused, PlatformError, Refused, ServerFailed, Unreachable, Unreadable
from ...vocabulary.routes import Route
from .request_outcomes import REDIRECTS, DeliveryStatus, Outcome
from .request_pacing import stopped_error

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
