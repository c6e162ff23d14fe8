"""What is known of one fixed window of the platform: how much it takes, how much it has counted."""

from ..vocabulary.limits import Window
from .waits import WindowStanding

MARGIN = 1.0
"""Seconds after which a window counts as over whose end no answer has told: it begins for the
platform when our request arrives, which is later than we send it."""
_ROUNDED = 2.0
"""Seconds by which the end of a window may seem later than it is: it is told in whole seconds, by a
clock that tells whole seconds as well."""
_ALONE = 2.0
"""Seconds for which the others wait until the first answer tells how a window stands."""


class WindowCount:
    """The requests of a window that the platform has counted, or may have.

    Answers tell how many it has counted, those of others included. What is under way, or has ended
    without a word, may or may not be among these; it counts here until a later answer tells.
    """

    def __init__(self, window: Window) -> None:
        self.limit, self.seconds = window.requests, float(window.seconds)
        self._began = self._ends = -1.0
        self._told = False
        self._counted = 0
        self._under_way = 0
        self._silent: list[float] = []

    def wait(self, now: float) -> float | None:
        """Seconds until a request may be sent; None: an answer that is under way tells more."""
        if now >= self._ends:
            self._told, self._counted, self._silent = False, 0, []
        if self._counted + len(self._silent) >= self.limit:
            return self._ends - now
        # The first goes alone, unless it takes long: others may have left nothing of this window.
        first = not self._told and now < self._began + _ALONE
        if self._under_way and (first or self._used >= self.limit):
            return None
        return 0.0

    def go(self, now: float) -> None:
        """A request is being sent."""
        if now >= self._ends:
            self._began, self._ends = now, now + self.seconds + MARGIN
        self._under_way += 1

    def told(self, sent: float, standing: WindowStanding, now: float) -> None:
        """The answer of a request that was sent then tells how the window stands."""
        self._under_way -= 1
        self.limit = standing.limit
        most = now + self.seconds  # it began before this answer was made
        ends = most if standing.left is None else min(now + standing.left, most)
        if not self._told or ends > self._ends + _ROUNDED:
            self._counted, self._ends = 0, ends
        self._told, self._ends = True, min(self._ends, ends)
        self._counted = max(self._counted, standing.limit - standing.remaining)
        self._silent = [moment for moment in self._silent if moment > sent]

    def silent(self, sent: float, now: float, *, answered: bool) -> None:
        """A request has ended, and nothing tells whether it was counted.

        Where even an answer tells nothing, there is nothing to wait for.
        """
        self._under_way -= 1
        self._silent.append(now)
        if not self._told:
            self._told = answered
            if sent <= self._began:
                self._ends = now + self.seconds

    def refused(self, wait: float, now: float) -> None:
        """The platform has refused a request (429), and takes none for so many seconds."""
        self._under_way -= 1
        self._told, self._counted, self._silent = True, self.limit, []
        self._ends = now + wait

    def begin(self, ages: list[float], now: float) -> None:
        """Counts what other runs have sent, so many seconds ago."""
        within = [age for age in ages if age < self.seconds]
        if within:
            self._began = now - max(within)
            self._ends = self._began + self.seconds + MARGIN
            self._silent += [now - age for age in within]

    def ahead(self, calls: int, now: float) -> float:
        """Seconds until the last of so many requests may be sent, if nobody else sends any."""
        over = now >= self._ends
        room = self.limit - (self._under_way if over else self._used)
        if calls <= room:
            return 0.0
        windows = -(-(calls - room) // self.limit)
        left = self.seconds + MARGIN if over else self._ends - now
        return left + (windows - 1) * (self.seconds + MARGIN)

    @property
    def _used(self) -> int:
        return self._counted + self._under_way + len(self._silent)
