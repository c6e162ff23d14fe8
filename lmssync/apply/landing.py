"""How long the platform may still carry out a call after its sender stopped or gave up."""

from datetime import UTC, datetime

from ..state import JournaledCall
from .session import Session

LAG = 3.0
"""Seconds after which a read is taken to show every write (O31)."""
MARGIN = 2.0
"""Seconds beyond our own time-out: connecting, sending, and the platform's last write."""


def age(call: JournaledCall) -> float:
    """Seconds since the call was written down; it was sent right after."""
    started = datetime.fromisoformat(call.started_at)
    return max(0.0, (datetime.now(UTC) - started).total_seconds())


def seconds_left(session: Session, call: JournaledCall) -> float:
    """Seconds until the call can no longer take effect; zero or less once that is certain."""
    return session.timeout + MARGIN - age(call)


def tell(session: Session, seconds: float) -> None:
    session.progress.note(
        f"waiting up to {seconds:.0f} s: the platform may still be working on what was sent"
    )
