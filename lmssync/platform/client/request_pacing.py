"""The waits of a run, by one clock for all of its threads; `Throttle` says how long they are."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ...errors import Stopped

_WORTH_A_WORD = 5.0
"""Seconds; a shorter wait is not reported."""
_LOOK = 0.5
"""Seconds between two checks whether the run should stop."""


class RequestPacer:
    """Waits that apply to all threads, are reported, and end when the run should stop."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        nap: Callable[[float], object] | None = None,
    ) -> None:
        self._clock = clock
        self._broken_off = Event()
        self._nap = nap or self._broken_off.wait
        self._lock = Lock()
        self._held_until = self._reported = 0.0
        self.tell: Callable[[str], None] = lambda _text: None
        """Called with a line for each wait that is long enough to report."""
        self.stops: Callable[[], bool] = lambda: False
        """True once the run has been asked to stop."""

    def hold_all(self, seconds: float) -> None:
        """Pause all threads until that time, because the platform asked for it."""
        with self._lock:
            until = self._clock() + seconds
            later = until - max(self._held_until, self._clock())
            self._held_until = max(self._held_until, until)
        if later > 1:  # else another thread has been told the same, and has said so
            self._report_wait(seconds, "the platform asked for it")

    @property
    def seconds_held(self) -> float:
        """Seconds for which the platform has asked to wait."""
        return max(0.0, self._held_until - self._clock())

    def now(self) -> float:
        """Seconds, by the clock of all waits."""
        return self._clock()

    def wait_for_turn(self) -> None:
        """Returns when a request may be sent; raises `Stopped`."""
        while (left := self._held_until - self._clock()) > 0:
            self._sleep_in_pieces(left)

    def sleep(self, seconds: float, why: str = "") -> None:
        """Waits for a reason of our own; raises `Stopped`."""
        if seconds > 0:
            self._report_wait(seconds, why)
            self._sleep_in_pieces(seconds)

    def look_again(self, seconds: float, why: str, *, is_new: bool = False) -> None:
        """Waits so long, or for a moment if that is shorter; raises `Stopped`.

        Threads that wait for the same report it once, unless something `is_new` about it.
        """
        with self._lock:
            until = self._clock() + seconds
            later, self._reported = until - self._reported, max(until, self._reported)
        if later > _WORTH_A_WORD or is_new:
            self._report_wait(seconds, why)
        self._sleep_in_pieces(min(seconds, _LOOK))

    def raise_if_stopped(self) -> None:
        """Raises `Stopped` if nobody should wait any more."""
        if self.stops() or self._broken_off.is_set():
            raise stopped_error()

    @contextmanager
    def broken_off(self) -> Iterator[None]:
        """Within this block no thread waits, so that the threads of a failed step can end."""
        self._broken_off.set()
        try:
            yield
        finally:
            self._broken_off.clear()

    def _report_wait(self, seconds: float, why: str) -> None:
        if seconds >= _WORTH_A_WORD and why:
            self.tell(f"waiting {seconds:,.0f} s: {why}")

    def _sleep_in_pieces(self, seconds: float) -> None:
        """Waits in short pieces: a second Ctrl-C ends it at once, the first within a moment."""
        end = self._clock() + seconds
        try:
            while (left := end - self._clock()) > 0:
                self.raise_if_stopped()
                self._nap(min(left, _LOOK))
        except KeyboardInterrupt:
            raise stopped_error() from None


def stopped_error() -> Stopped:
    return Stopped(
        "stopped while waiting for the platform", "run the same command again: nothing is lost"
    )
