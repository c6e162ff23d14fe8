"""Appends to a backend until it is known whether what was appended is kept."""

import time

from ..errors import StateError
from .backends import StateBackend

_PAUSES = (0.0, 0.5, 2.0)
"""Seconds before each attempt."""
_ENOUGH = 60.0
"""Seconds after which a backend that gives no answer is not asked once more."""


def append_durably(
    backend: StateBackend, number: int, segment: bytes, about: str, *, otherwise: str
) -> bool:
    """True once the backend keeps the segment, False if it keeps another one under that number.

    Raises `StateError` if neither can be found out; `otherwise` says what that means for the run.
    """
    began, error = time.monotonic(), StateError("")
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            return (
                backend.append(number, segment, about)
                or read_segment_at(backend, number) == segment
            )
        except StateError as refused:
            error = refused
        if time.monotonic() - began > _ENOUGH:
            break
        try:
            there = read_segment_at(backend, number)
        except StateError:
            continue
        if there is not None:
            return there == segment
    raise StateError(error.message, f"{error.hint}; {otherwise}") from error


def read_segment_at(backend: StateBackend, number: int) -> bytes | None:
    """The segment that is kept under a number, if any."""
    return next(iter(backend.read(number - 1)), None)
