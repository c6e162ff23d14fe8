"""A write that the journal announces: it is sent at once, or announced again.

Whoever finds an announced write without an outcome waits until it can no longer take effect, and
counts from when it was announced. A process may have been paused in between, and have been taken
over from, so it may not send then.
"""

import time

PROMPT = 1.0
"""Seconds within which the first byte is sent."""


class Announced:
    """When a write was announced, from before the entry was written."""

    def __init__(self) -> None:
        self._at = _clocks()
        self.waited = 0.0
        """Seconds that the platform has made it wait, over all announcements."""

    def again(self) -> None:
        """It is announced once more."""
        self._at = _clocks()

    @property
    def age(self) -> float:
        """Seconds since it was announced, by whichever clock has gone further."""
        return max(now - then for now, then in zip(_clocks(), self._at, strict=True))

    @property
    def late(self) -> bool:
        """True once it may not be sent any more."""
        return self.age > PROMPT


def _clocks() -> tuple[float, float]:
    """The first stands still while a machine sleeps, the second may be set."""
    return time.monotonic(), time.time()
