"""How long the platform may still carry out a call after its sender stopped or gave up."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

from ..state import JournaledCall
from .session import ApplySession

LAG = 3.0
"""Seconds after which a read is taken to show every write (O31)."""
MARGIN = 2.0
"""Seconds beyond our own time-out: connecting, sending, and the platform's last write."""


def age(call: JournaledCall) -> float:
    """Seconds since the call was written down; it was sent right after."""
    started = datetime.fromisoformat(call.started_at)
    return max(0.0, (datetime.now(UTC) - started).total_seconds())


def seconds_left(session: ApplySession, call: JournaledCall) -> float:
    """Seconds until the call can no longer take effect; zero or less once that is certain."""
    return session.timeout + MARGIN - age(call)


def looks(
    session: ApplySession, seconds: float, *, pause: float = 0.1, longest: float = 2.0
) -> Iterator[float]:
    """One turn for each look, after growing pauses, with the seconds that are left.

    The last look begins when the time is up, so what it does not show is not there.
    """
    deadline, left = time.monotonic() + seconds, seconds
    while left > 0:
        yield left
        session.reader.pause(max(0.0, min(pause, deadline - time.monotonic())))
        pause, left = min(2 * pause, longest), deadline - time.monotonic()
    yield 0.0


def tell(session: ApplySession, seconds: float) -> None:
    session.note(
        f"waiting up to {seconds:.0f} s: the platform may still be working on what was sent"
    )
