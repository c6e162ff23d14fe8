"""Signals that end a run, Ctrl-C and SIGTERM: each is noted, since its exception may be lost."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

# No lock: a second signal may come while the first is noted, and would wait for it for ever.
_INTERRUPTS: list[int] = []
"""The signals, Ctrl-C or SIGTERM, that have come, whatever became of the exception."""


@contextmanager
def heed_sigterm() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does, so that it gives back what it holds; only a main thread
    can hear it, and a handler of whoever runs us stays."""
    _INTERRUPTS.clear()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    # Ctrl-C is noted as well, unless somebody who runs us has a handler of their own.
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGTERM, _note_interrupt)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _note_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, before)


def _note_interrupt(number: int, frame: FrameType | None) -> NoReturn:
    _INTERRUPTS.append(number)
    signal.default_int_handler(number, frame)


def was_interrupted() -> bool:
    """Whether a signal has come since the run began."""
    return bool(_INTERRUPTS)


def raise_noted_interrupt() -> None:
    """Raises `KeyboardInterrupt` if a signal has come and Python has dropped the exception, as it
    does where a callback of its own is interrupted: each import has one."""
    if was_interrupted():
        raise KeyboardInterrupt
