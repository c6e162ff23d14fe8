"""How much of what the calls of a run have made is read back at once (`platform.verify`).

By default that is what fits into one minute at the pace that the instance shows: by the limits that
its answers have told of, and by the time that they take. A small catalog is read back wholly. Of a
large one the rest is read when something needs it, so an apply does not wait for hours.

What has to be read because something is uncertain is read in any case.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

MINUTE = 60.0
"""Seconds that reading back may take in a run, by default."""


def count_any(_route: str, _seconds: float) -> float:
    """The calls that fit into some seconds where nothing limits them."""
    return math.inf


@dataclass
class ReadBackLimit:
    """What a run may still read back at once."""

    percent: int | None = None
    """The share of each call; None for what fits into a minute."""
    calls_within: Callable[[str, float], float] = count_any
    """How many calls of a route fit into so many seconds, as far as is known by now."""
    _counted: int = 0

    def count_now(self, route: str, number: int) -> int:
        """Of so many things that a call has made, how many are read back now by a route; they count
        as read."""
        if self.percent is not None:
            return -(-number * self.percent // 100)
        left = self.calls_within(route, MINUTE) - self._counted
        now = max(0, int(min(number, left)))
        self._counted += now
        return now
