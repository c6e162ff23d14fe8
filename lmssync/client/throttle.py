"""Keeps to the platform's fixed windows, so that a 429 is the exception (spec 8)."""

import time
from collections.abc import Callable
from threading import Lock

from ..vocabulary.limits import Window
from ..vocabulary.routes import Route

Sleep = Callable[[float], None]


class Throttle:
    """Counts requests by tier, and by route where a route has a limit of its own.

    The platform's windows start when it likes; ours start with our first request in them, which
    can only be later. So we never end a window before the platform does, apart from the margin.
    """

    MARGIN = 1.0

    def __init__(
        self, sleep: Sleep = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sleep = sleep
        self._clock = clock
        self._used: dict[str, tuple[float, int]] = {}
        self._lock = Lock()

    def wait(self, route: Route) -> None:
        """Returns when a request of this route may be sent."""
        for name, window in self._windows(route):
            self._sleep(self._take(name, window))

    def _windows(self, route: Route) -> list[tuple[str, Window]]:
        own = [(route.name, route.limit)] if route.limit else []
        return [*own, (route.tier, route.tier.window)] if route.tier else own

    def _take(self, name: str, window: Window) -> float:
        """Books one request; the seconds until it may be sent."""
        with self._lock:
            now = self._clock()
            start, used = self._used.get(name, (now, 0))
            if now >= start + window.seconds + self.MARGIN:
                start, used = now, 0
            if used >= window.requests:
                start, used = start + window.seconds + self.MARGIN, 0
            self._used[name] = (start, used + 1)
            return max(0.0, start - now)
