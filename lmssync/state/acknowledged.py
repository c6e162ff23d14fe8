"""Appends to a home until it is known whether what was appended is kept."""

import time

from ..errors import StateError
from ..homes import Home

_PAUSES = (0.0, 0.5, 2.0)
"""Seconds before each attempt."""


def kept(home: Home, number: int, segment: bytes) -> bool:
    """True once the home keeps the segment, False if it keeps another one under that number.

    Raises `StateError` if neither can be found out.
    """
    error = StateError("")
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            return home.append(number, segment) or _there(home, number) == segment
        except StateError as refused:
            error = refused
        try:
            there = _there(home, number)
        except StateError:
            continue
        if there is not None:
            return there == segment
    raise StateError(
        f"the log of the state could not be written: {error.message}",
        "nothing was sent after this; run again once it can be reached. "
        f"What was done before is recorded. {error.hint}".rstrip(),
    ) from error


def _there(home: Home, number: int) -> bytes | None:
    """The segment that is kept under a number, if any."""
    return next(iter(home.read(number - 1)), None)
