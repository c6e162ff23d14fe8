"""How long runs of the tests wait for an answer, and a clock for those that should not wait."""

import time

PATIENCE = 60
"""Seconds that an answer may take on however slow a machine."""


class PausedTime:
    """A clock that a pause puts forward."""

    time = staticmethod(time.time)

    def __init__(self) -> None:
        self._ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def sleep(self, seconds: float) -> None:
        self._ahead += seconds
