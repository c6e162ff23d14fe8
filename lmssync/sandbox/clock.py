"""The one clock: real time and an offset that the control plane moves forward."""

import time
from datetime import UTC, datetime


class Clock:
    """Seconds since 1970 in UTC; never goes back, so windows and dates keep their order."""

    def __init__(self, offset: float = 0.0) -> None:
        self.offset = offset

    def read_time(self) -> float:
        return time.time() + self.offset

    def format_now(self) -> str:
        """Now as the platform writes moments: ISO 8601, UTC, milliseconds."""
        return stamp_of(self.read_time())

    def advance_clock(self, seconds: float) -> None:
        self.offset += seconds


def stamp_of(seconds: float) -> str:
    """`2026-01-31T12:00:00.000Z`; stamps of this form sort as the moments do."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def seconds_of(stamp: str) -> float:
    """The moment of an ISO 8601 text; raises ValueError. Without a zone it is UTC."""
    moment = datetime.fromisoformat(stamp)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
