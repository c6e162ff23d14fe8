"""How one window of the platform stands, by what answers tell and what this run has sent."""

from collections.abc import Mapping, Set
from enum import IntEnum
from typing import NamedTuple

from ...vocabulary.limits import Window
from .request_outcomes import WindowStanding

_WINDOW_MARGIN = 1.0
"""Seconds after which a window counts as over whose end no answer has told: it begins for the
platform when our request arrives, which is later than we send it."""
_ROUNDED = 2.0
"""Seconds by which the end of a window may seem later than it is: it is told in whole seconds, by a
clock that tells whole seconds as well."""
_ALONE = 2.0
"""Seconds for which the others wait until the first answer tells how a window stands."""


class Urgency(IntEnum):
    """Which runs go first where the limits are not enough for all of them."""

    APPLY = 0
    PLAN = 1
    LOOK = 2


class RunNeeds(NamedTuple):
    """The requests that a run still sends, by the keys of windows."""

    calls: Mapping[str, int]
    is_guess: bool
    """Whether it does not know them yet."""


class WindowUse(NamedTuple):
    """How a run uses a window, and what answers have told it about it."""

    key: str
    limit: int
    seconds: float
    sent: int = 0
    """Requests that it has sent without having taken them from what all runs share."""
    counted: int | None = None
    """What the platform has counted, by the latest answer; None: no answer has told."""
    ends: float | None = None
    routes: Set[str] = frozenset()
    """The routes whose answers have told of it, where nobody declares it."""


class WindowCount:
    """The requests of a window that the platform has counted, or may have.

    Answers tell how many it has counted, those of others included. What is under way, or has ended
    without a word, may or may not be among these; it counts here until a later answer tells.
    """

    def __init__(self, window: Window, key: str = "") -> None:
        """Other runs know it by its `key`."""
        self.limit, self.seconds, self.key = window.requests, float(window.seconds), key
        self.routes: set[str] = set()
        """The routes whose answers have told of it, where nobody declares it."""
        self._began = self._ends = -1.0
        self._told = self._is_standing_told = False
        self.told_at = -1.0
        """When an answer has told of it last."""
        self._granted = 0
        self.granted_until = -1.0
        """Until when the requests count that the run has taken beside others."""
        self._is_end_told = False
        self._reset: float | None = None
        self._began_again = -1.0
        self._counted = 0
        self._under_way = 0
        self._silent: list[float] = []

    def seconds_to_wait(self, now: float) -> float | None:
        """Seconds until a request may be sent; None: an answer that is under way tells more."""
        if now >= self._ends:
            self._told = self._is_standing_told = False
            self._counted, self._silent, self._reset = 0, [], None
        # What is under way is left out here: it may yet turn out not to have counted, and its
        # answer says so.
        if self._counted + len(self._silent) >= self.limit:
            return self._ends - now
        # The first goes alone, unless it takes long: others may have left nothing of this window.
        first = not self._told and now < self._began + _ALONE
        if self._under_way and (first or self._count_used >= self.limit):
            return None
        return 0.0

    def count_sent(self, now: float) -> None:
        """A request is being sent."""
        if now >= self._ends:
            self._began, self._ends = now, now + self.seconds + _WINDOW_MARGIN
        self._under_way += 1
        self._granted = self.granted_left(now) - 1

    def granted_left(self, now: float) -> int:
        """The requests that this run has taken and not sent; below zero, what it has sent without
        having taken it."""
        return 0 if 0 <= self.granted_until <= now else self._granted

    def take_granted(self, number: int, until: float, *, is_told: bool) -> None:
        """This run has taken so many requests of the window."""
        self._granted, self.granted_until, self._is_end_told = number, until, is_told

    def describe_use(self, now: float, moment: float) -> WindowUse:
        """What other runs are told of it; `moment` is now by the clock of the platform."""
        told = self._is_standing_told
        ends = moment + self._ends - now if self._reset is None else self._reset
        counted, reset = (self._counted, ends) if told else (None, None)
        sent = max(0, -self.granted_left(now))
        return WindowUse(self.key, self.limit, self.seconds, sent, counted, reset, self.routes)

    def _note_granted_end(self, ends: float, sent: float, now: float) -> None:
        """An answer tells when the window ends; it counts in the one that was granted, or not."""
        if sent < self._began_again:
            self._granted -= 1
        elif self.granted_until < 0 or ends <= now:
            return
        elif self._is_end_told and ends > self.granted_until + _ROUNDED:
            self._granted, self.granted_until, self._began_again = -1, -1.0, now
        elif not self._is_end_told:
            self.granted_until, self._is_end_told = ends, True

    def note_standing(self, sent: float, standing: WindowStanding, now: float) -> None:
        """The answer of a request that was sent then tells how the window stands."""
        self._under_way -= 1
        self.limit, self.told_at = standing.limit, now
        most = now + self.seconds  # it began before this answer was made
        ends = most if standing.left is None else min(now + standing.left, most)
        # A later end means that a new window has begun since the last answer. A difference of a
        # second or two is only the rounding of the header (`_ROUNDED`).
        if not self._told or ends > self._ends + _ROUNDED:
            self._counted, self._ends = 0, ends
        self._note_granted_end(ends, sent, now)
        self._reset = max(self._reset or 0.0, standing.reset or 0.0) or None
        self._told = self._is_standing_told = True
        self._ends = min(self._ends, ends)
        self._counted = max(self._counted, standing.limit - standing.remaining)
        # The answer counts all that came before its own request. Only what ended without a word
        # after that request was sent may be missing in it.
        self._silent = [moment for moment in self._silent if moment > sent]

    def note_silence(self, sent: float, now: float, *, answered: bool) -> None:
        """A request has ended, and nothing tells whether it was counted.

        Where even an answer tells nothing, there is nothing to wait for.
        """
        self._under_way -= 1
        self._silent.append(now)
        if not self._told:
            self._told = answered
            # The request that opened the window was answered without headers: the window may have
            # begun as late as now.
            if sent <= self._began:
                self._ends = now + self.seconds

    def note_refusal(self, wait: float, now: float) -> None:
        """The platform has refused a request (429), and takes none for so many seconds."""
        self._under_way -= 1
        self._told = self._is_standing_told = True
        self.told_at = now
        self._counted, self._silent = self.limit, []
        self._ends = now + wait

    def count_told(self, now: float) -> int:
        """The requests that the platform has counted, by its answers about the current window."""
        return self._counted if self._is_standing_told and now < self._ends else 0

    def count_earlier(self, ages: list[float], now: float) -> None:
        """Counts what other runs have sent, so many seconds ago."""
        within = [age for age in ages if age < self.seconds]
        if within:
            self._began = now - max(within)
            self._ends = self._began + self.seconds + _WINDOW_MARGIN
            self._silent += [now - age for age in within]

    def seconds_ahead(self, calls: int, now: float, taken: int = 0) -> float:
        """Seconds until the last of so many requests may be sent, if nobody else sends any but
        those that are `taken` of this window."""
        # The end of a window in which this run has sent nothing yet is known by the other runs.
        ends = max(self._ends, self.granted_until)
        room = self.limit - max(taken, self._under_way if now >= self._ends else self._count_used)
        if calls <= room:
            return 0.0
        # A division that rounds up.
        windows = -(-(calls - room) // self.limit)
        left = self.seconds + _WINDOW_MARGIN if now >= ends else ends - now
        return left + (windows - 1) * (self.seconds + _WINDOW_MARGIN)

    def calls_beside(self, needed: int, now: float) -> int:
        """The requests that may be sent besides so many that are needed, without making one of
        these wait: what is free in the windows that they take anyway. What is under way is among
        the needed ones."""
        used = 0 if now >= self._ends else self._counted + len(self._silent)
        free = max(0, self.limit - used) - needed
        # An answer may have counted what is under way: then so much more is free. As long as nobody
        # knows whether the needed ones end in this window or in the next, nothing counts as free.
        if free < 0 and free // self.limit < (free + self._under_way) // self.limit:
            return 0
        return free if free >= 0 else free % self.limit

    @property
    def _count_used(self) -> int:
        return self._counted + self._under_way + len(self._silent)
