"""How long the platform may still carry out a call after its sender stopped or gave up."""

import math
from datetime import UTC, datetime

from ...platform import client
from ...state import JournaledCall
from ...vocabulary.iso_dates import parse_moment
from .session import ApplySession

LAG, MARGIN = client.LAG, client.MARGIN
SKEW = 120.0
"""Seconds by which the clocks of two machines that share a state may differ."""


def seconds_since_sent(session: ApplySession, call: JournaledCall) -> float:
    """Seconds since the call was announced, at least; it was sent at once, or not at all.

    Another machine may have announced it, by its own clock: what this one has waited is certain.
    """
    started = parse_moment(call.started_at)
    by_clocks = max(0.0, (datetime.now(UTC) - started).total_seconds())
    # Clocks of two machines cannot be compared exactly. That this run has held the lease for so
    # long is certain: the other one has sent nothing since.
    held = session.store.held_for
    return by_clocks if held is None else max(min(held, by_clocks), by_clocks - SKEW)


def seconds_left(session: ApplySession, call: JournaledCall) -> float:
    """Seconds until reads show whatever the call has done; zero or less once that is certain."""
    return session.prompt + session.timeout + MARGIN + LAG - seconds_since_sent(session, call)


def announce_wait(session: ApplySession, seconds: float) -> None:
    left = math.ceil(seconds)
    session.note(f"waiting up to {left} s: the platform may still be working on what was sent")
