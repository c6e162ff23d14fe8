"""Limits only the time of a template, for systems such as Windows that limit nothing."""

import signal
import time
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

from . import template_mistakes as mistakes

_AGAIN = 0.25
"""Seconds after which the thread looks again."""


def shut_in(memory: int) -> None:
    """Does nothing: this system has no limits to set."""


@contextmanager
def limit_time(seconds: int) -> Iterator[None]:
    """Raises TooLong once that much processor time has passed.

    That is heard between two steps of Python only. A single step that takes longer goes on until
    the process that started us has lost its patience.
    """
    signal.signal(signal.SIGTERM, partial(mistakes.time_is_up, seconds))
    ended = Event()
    watch = Thread(target=_watch_time, args=(seconds, ended), daemon=True)
    watch.start()
    try:
        yield
    finally:
        ended.set()
        watch.join()


def _watch_time(seconds: int, ended: Event) -> None:
    begun = time.process_time()
    while not ended.wait(_AGAIN):
        if time.process_time() - begun > seconds:
            interrupt_main(signal.SIGTERM)  # nobody sends it: the handler is called, and no more
