"""Says that a home is slow, so that nobody takes a run for dead."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from .homes import StateBackend
from .log import Tell

_QUIET = 10.0
"""Seconds after which somebody wants to know what a run is doing."""


@contextmanager
def warn_if_slow(home: StateBackend, tell: Tell) -> Iterator[None]:
    """Around whatever waits for the home."""
    timer = Timer(_QUIET, tell, (f"waiting for an answer of {home.place}",))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
