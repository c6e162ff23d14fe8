"""Keeps to the platform's fixed windows, so that a 429 is the exception (spec 8)."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
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

    def ahead(self, calls: Mapping[Route, int]) -> float:
        """Seconds until the last of these calls may be sent, if each is made as soon as it may."""
        booked: Counter[str] = Counter()
        windows: dict[str, Window] = {}
        for route, number in calls.items():
            for name, window in self._windows(route):
                booked[name] += number
                windows[name] = window
        with self._lock:
            now = self._clock()
            return max((self._until(n, w, booked[n], now) for n, w in windows.items()), default=0.0)

    def _until(self, name: str, window: Window, calls: int, now: float) -> float:
        start, used = self._used.get(name, (now, 0))
        length = window.seconds + self.MARGIN
        if now >= start + length:
            start, used = now, 0
        full = (used + calls - 1) // window.requests if calls else 0
        return max(0.0, start + full * length - now) if full else 0.0

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
