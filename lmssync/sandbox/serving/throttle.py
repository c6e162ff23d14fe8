"""Throttling: fixed windows, counted by tier or route, told in headers (spec 8)."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from lmssync.vocabulary import limits
from lmssync.vocabulary.envelopes import RATE_LIMIT_EXCEEDED
from lmssync.vocabulary.limits import LimitScope, Tier, Window
from lmssync.vocabulary.routes import Route

from ..http import Refusal

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
        self.answering = 0
        """Requests under way at this moment."""

    @contextmanager
    def under_way(self) -> Iterator[None]:
        self.answering += 1
        try:
            yield
        finally:
            self.answering -= 1

    def take_request(self, counted: list[Counted], *, peer: str, now: float) -> Headers:
        """Count one request; the headers of its answer, which tell the tightest limit.

        Raises 429 where a window is full; then the request counts nowhere, and the wait is
        that of the window that lasts longest.
        """
        windows = [(limit, *self._current_window(limit, peer=peer, now=now)) for limit in counted]
        full = [start + one.window.seconds for one, start, taken in windows if taken >= one.most]
        if full:
            raise too_many_requests(math.ceil(max(full) - now), reset=math.ceil(max(full)))
        for limit, start, taken in windows:
            self._open[_window_key(limit, peer)] = (start, taken + 1)
        return self.peek_limits(counted, peer=peer, now=now)

    def peek_limits(self, counted: list[Counted], *, peer: str, now: float) -> Headers:
        """The headers as the limits stand, without counting."""
        windows = [(limit, *self._current_window(limit, peer=peer, now=now)) for limit in counted]
        if not windows:
            return ()
        limit, start, taken = min(windows, key=lambda one: one[0].most - one[2])
        return (
            ("X-RateLimit-Limit", str(limit.most)),
            ("X-RateLimit-Remaining", str(max(limit.most - taken, 0))),
            ("X-RateLimit-Reset", str(math.ceil(start + limit.window.seconds))),
        )

    def _current_window(self, limit: Counted, *, peer: str, now: float) -> tuple[float, int]:
        """When the window of a limit began, and what it has taken; a new one begins now."""
        start, taken = self._open.get(_window_key(limit, peer), (now, 0))
        return (now, 0) if now >= start + limit.window.seconds else (start, taken)

    def clear_windows(self) -> None:
        self._open.clear()


def _window_key(limit: Counted, peer: str) -> tuple[str, str]:
    return limit.name, peer if limit.window.scope is LimitScope.REQUEST_IP else ""


def too_many_requests(seconds: int, *, reset: int) -> Refusal:
    """The 429 and its two headers."""
    return Refusal(
        429,
        RATE_LIMIT_EXCEEDED.format(seconds=seconds),
        headers=(("X-RateLimit-Reset", str(reset)), ("Retry-After", str(seconds))),
    )


def limits_of(
    route: Route, *, increased: bool, overrides: Mapping[str, int], user_tier_on_reads: bool
) -> Iterator[Counted]:
    """The limits of its own and of its tier that a request on `route` counts against.

    The increased limit of a tier holds where the flag is on or a custom override exists; the
    override then says how many (spec 8).
    """
    if route.limit:
        yield Counted(route.name, route.limit, route.limit.requests)
    reads_users = route.reads and route.name.startswith("user.")
    tier = route.tier or (Tier.USER if user_tier_on_reads and reads_users else None)
    if tier:
        window = tier.window
        most = window.increased if increased and window.increased else window.requests
        yield Counted(tier, window, overrides.get(tier, most))


def account_limits(account: str) -> Iterator[Counted]:
    """The account-wide figures, which every request counts against (switch `accountFigures`)."""
    if account in _ACCOUNT:
        figures = _ACCOUNT[account]
        yield Counted("account.minute", Window(figures.per_minute, 60), figures.per_minute)
        yield Counted("account.hour", Window(figures.per_hour, 3600), figures.per_hour)


def require_connection(account: str, *, answering: int, now: float) -> None:
    """429 where more requests are answered at once than the account may have connections.

    An idle connection is not counted, so that a client may keep its own open.
    """
    if account in _ACCOUNT and answering > _ACCOUNT[account].connections:
        raise too_many_requests(1, reset=math.ceil(now) + 1)
