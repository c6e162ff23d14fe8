"""Ctrl-C and SIGTERM: start nothing new, let the current call end, keep the journal intact."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequest:
    """True once somebody has asked the run to stop."""

    def __init__(self) -> None:
        self.asked = False

    def ask(self, _signal: int, _frame: FrameType | None) -> None:
        if self.asked:  # a second time: at once; the journal is already sufficient
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def catch_stop_signals() -> Iterator[StopRequest]:
    """Catches the two signals for the length of a run; only a main thread can.

    In another thread, as in a web service, they belong to the program around the run. A block
    around this one learns at the end of this one that somebody has asked.
    """
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
            # Runs inside runs, as those of `watch`: the inner block has caught the signal that was
            # meant for both.
            around = getattr(handler, "__self__", None)
            if isinstance(around, StopRequest):
                around.asked = around.asked or stop.asked
