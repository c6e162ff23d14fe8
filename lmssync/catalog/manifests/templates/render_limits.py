"""Limits of a process that renders templates: of memory, of time, of what it may write or begin.

Systems such as Windows limit nothing: there, a thread watches the time, and that is all.
"""

import signal
import sys
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from threading import Event, Thread

from . import template_mistakes as mistakes

_AGAIN = 0.25
"""Seconds until the time is up once more, where an expression has caught the first call; and until
the thread looks again."""


@contextmanager
def limit_time_by_thread(seconds: int) -> Iterator[None]:
    """Raises `RenderTimeout` once that much processor time has passed.

    That is noticed between two steps of Python only. A single step that takes longer goes on until
    the process that started this one has lost its patience.
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
            # No signal is sent: the handler is called in the main thread, and nothing else happens.
            interrupt_main(signal.SIGTERM)


def _shut_in_nothing(memory: int) -> None:
    """Does nothing: this system has no limits to set."""


shut_in: Callable[[int], None] = _shut_in_nothing
"""Limits memory, and what a process may write and start."""
limit_time: Callable[[int], AbstractContextManager[None]] = limit_time_by_thread
"""Limits the processor time of what is done within it."""

if sys.platform != "win32" and find_spec("resource"):
    import resource

    def _shut_in_by_system(memory: int) -> None:
        """Limits memory, and prevents writing files and starting processes if the sandbox leaks.

        A limit that the system does not let us set is left out: the time is limited in any case.
        """
        for what, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_NPROC, 0),
        ):
            _, hard = resource.getrlimit(what)
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with suppress(OSError, ValueError):  # macOS refuses RLIMIT_AS
                resource.setrlimit(what, (least, least))

    @contextmanager
    def _limit_time_by_system(seconds: int) -> Iterator[None]:
        """Raises `RenderTimeout` once that much processor time has passed.

        That is noticed between two steps of Python only. A single step may take longer, such as
        the product of two enormous numbers: a second later the system ends the process.
        """
        signal.signal(signal.SIGPROF, partial(mistakes.time_is_up, seconds))
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = int(used.ru_utime + used.ru_stime) + seconds + 2
        if hard == resource.RLIM_INFINITY or soft < hard:
            resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    shut_in, limit_time = _shut_in_by_system, _limit_time_by_system
