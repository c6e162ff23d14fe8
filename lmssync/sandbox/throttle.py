"""Throttling: fixed windows, counted by tier or route, told in headers (spec 8)."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from lmssync.vocabulary import limits
from lmssync.vocabulary.envelopes import RATE_LIMIT_EXCEEDED
from lmssync.vocabulary.limits import Scope, Tier, Window
from lmssync.vocabulary.routes import Route

from .refusals import Refusal

Headers = tuple[tuple[str, str], ...]

_ACCOUNT = {"standard": limits.STANDARD, "enterprise": limits.ENTERPRISE}


class Counted(NamedTuple):
    """One limit that a request counts against: whose counter, and how many it may take."""

    name: str
    window: Window
    most: int


class Throttle:
    """Counters in memory. A window opens with its first request and lasts its full time."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], tuple[float, int]] = {}

    def take(self, counted: list[Counted], *, peer: str, now: float) -> Headers:
        """Count one request; the headers of its answer. Raises 429 where a window is full."""
        tightest: tuple[int, Headers] | None = None
        for limit in counted:
            left, headers = self._count(limit, peer=peer, now=now)
            if tightest is None or left < tightest[0]:
                tightest = (left, headers)
        return tightest[1] if tightest else ()

    def _count(self, limit: Counted, *, peer: str, now: float) -> tuple[int, Headers]:
        whose = (limit.name, peer if limit.window.scope is Scope.REQUEST_IP else "")
        start, taken = self._open.get(whose, (now, 0))
        if now >= start + limit.window.seconds:
            start, taken = now, 0
        end = start + limit.window.seconds
        if taken >= limit.most:
            raise exceeded(math.ceil(end - now), reset=math.ceil(end))
        self._open[whose] = (start, taken + 1)
        left = limit.most - taken - 1
        return left, (
            ("X-RateLimit-Limit", str(limit.most)),
            ("X-RateLimit-Remaining", str(left)),
            ("X-RateLimit-Reset", str(math.ceil(end))),
        )

    def clear(self) -> None:
        self._open.clear()


def exceeded(seconds: int, *, reset: int) -> Refusal:
    """The 429 and its two headers."""
    return Refusal(
        429,
        RATE_LIMIT_EXCEEDED.format(seconds=seconds),
        headers=(("X-RateLimit-Reset", str(reset)), ("Retry-After", str(seconds))),
    )


def limits_of(
    route: Route, *, increased: bool, user_tier_on_reads: bool, account: str
) -> Iterator[Counted]:
    """Every limit that a request on `route` counts against."""
    if route.limit:
        yield Counted(route.name, route.limit, route.limit.requests)
    tier = route.tier or (Tier.USER if user_tier_on_reads and _reads_users(route) else None)
    if tier:
        window = tier.window
        most = window.increased if increased and window.increased else window.requests
        yield Counted(tier, window, most)
    if account in _ACCOUNT:
        figures = _ACCOUNT[account]
        yield Counted("account.minute", Window(figures.per_minute, 60), figures.per_minute)
        yield Counted("account.hour", Window(figures.per_hour, 3600), figures.per_hour)


def _reads_users(route: Route) -> bool:
    return route.reads and route.name.startswith("user.")
