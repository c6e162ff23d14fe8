"""A write that the journal announces: it is sent at once, or announced again.

Whoever finds an announced write without an outcome waits until it can no longer take effect, and
counts from when it was announced. A process may have been paused in between, and have been taken
over from, so it may not send then. How long that is says this module alone: until reads show all
that a call has done, `send_within`, the time-out, `MARGIN` and `LAG` pass at most. What takes
longer is found by the look before the next call.
"""

import time

from ...errors import StateError

PROMPT = 1.0
"""Seconds from the announcement to the first byte, where the log is a file."""
PROMPT_SHARED = 20.0
"""Seconds for a state with a backend: a push to a code host may take some of them."""
MARGIN = 5.0
"""Seconds beyond our own time-out: connecting, sending, and the platform's last write."""
LAG = 3.0
"""Seconds after which a read is taken to show every write (O31)."""
_MISSED_MOST = 3
"""Announcements one after the other that took too long: then the next ones will as well."""


def send_within(*, shared: bool) -> float:
    """Seconds from the announcement of a write to its first byte, at most."""
    return PROMPT_SHARED if shared else PROMPT


class SendDeadline:
    """When a write was announced, from before the entry was written."""

    def __init__(self, within: float = PROMPT) -> None:
        self.within = within
        """Seconds in which it is sent, if it is sent."""
        self._at = _read_clocks()
        self._missed = 0
        self.waited = 0.0
        """Seconds that the platform has made it wait, over all announcements."""

    def announce_again(self) -> None:
        """Notes that the write is announced once more."""
        self._at = _read_clocks()

    @property
    def age(self) -> float:
        """Seconds since it was announced, by whichever clock has gone further."""
        return max(now - then for now, then in zip(_read_clocks(), self._at, strict=True))

    @property
    def is_late(self) -> bool:
        """True once it may not be sent any more."""
        return self.age > self.within

    def count_missed(self, *, late: bool) -> None:
        """Counts the announcements in a row that came too late to be followed by a byte.

        Raises `StateError` once there is no hope that the next one is quicker.
        """
        self._missed = self._missed + 1 if late else 0
        if self._missed == _MISSED_MOST:
            raise StateError(
                f"recording a call before it is sent took longer than {self.within:.0f} s, "
                f"{_MISSED_MOST} times in a row, so it was not sent",
                "find out why the storage of the state is slow; then run the same command again",
            )


def _read_clocks() -> tuple[float, float]:
    """The monotonic clock stops while a machine sleeps, the other one may be set."""
    return time.monotonic(), time.time()
