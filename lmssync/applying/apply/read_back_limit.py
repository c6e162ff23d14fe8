"""How much of what the calls of a run have made is read back at once (`platform.verify`).

By default that is what makes nothing wait: the calls that are free in the windows of the platform
which the run takes anyway, and no more than fit into one minute by the time that an answer takes. A
small catalog is read back wholly. Of a large one the rest is read when something needs it, so an
apply does not wait for hours.

What has to be read because something is uncertain is read in any case.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...platform.client import Reader

MINUTE = 60.0
"""Seconds that reading back may take in a run, by default."""


@dataclass
class ReadBackLimit:
    """What a run may still read back at once."""

    percent: int | None = None
    """The share of each call; None for what makes nothing wait."""
    needed: Mapping[str, int] = field(default_factory=dict)
    """The calls that the run has to send in any case, by route: since it began."""
    before: Mapping[str, int] = field(default_factory=dict)
    """The calls that had ended before it began."""
    _counted: Counter[str] = field(default_factory=Counter)

    def count_now(self, reader: Reader, route: str, number: int) -> int:
        """Of so many things that a call has made, how many are read back now by a route; they count
        as read."""
        if self.percent is not None:
            return -(-number * self.percent // 100)
        # What is counted here and not read yet has its place in the windows as well, as has what
        # is under way.
        ended = reader.count_ended()
        left = Counter(self.needed) + Counter(self.before) + self._counted - ended
        fits = reader.calls_within(MINUTE) - self._counted.total()
        waiting = left.pop(route, 0)
        free = reader.calls_beside(route, left) - waiting
        now = max(0, int(min(number, fits, free)))
        self._counted[route] += now
        return now
