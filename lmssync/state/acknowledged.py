"""Appends to a home until it is known whether what was appended is kept."""

import time

from ..errors import StateError
from .homes import StateBackend

_PAUSES = (0.0, 0.5, 2.0)
"""Seconds before each attempt."""
_ENOUGH = 60.0
"""Seconds after which a home that gives no answer is not asked once more."""


def append_durably(
    home: StateBackend, number: int, segment: bytes, about: str, *, otherwise: str
) -> bool:
    """True once the home keeps the segment, False if it keeps another one under that number.

    Raises `StateError` if neither can be found out; `otherwise` says what that means for the run.
    """
    began, error = time.monotonic(), StateError("")
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            return home.append(number, segment, about) or read_segment_at(home, number) == segment
        except StateError as refused:
            error = refused
        if time.monotonic() - began > _ENOUGH:
            break
        try:
            there = read_segment_at(home, number)
        except StateError:
            continue
        if there is not None:
            return there == segment
    raise StateError(error.message, f"{error.hint}; {otherwise}") from error


def read_segment_at(home: StateBackend, number: int) -> bytes | None:
    """The segment that is kept under a number, if any."""
    return next(iter(home.read(number - 1)), None)
