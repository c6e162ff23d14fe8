"""Says that a backend is slow, so that nobody takes a run for dead."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from .backends import StateBackend
from .log import Tell

_QUIET = 10.0
"""Seconds after which somebody wants to know what a run is doing."""


@contextmanager
def warn_if_slow(backend: StateBackend, tell: Tell) -> Iterator[None]:
    """Around whatever waits for the backend."""
    timer = Timer(_QUIET, tell, (f"waiting for an answer of {backend.place}",))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
