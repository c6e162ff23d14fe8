"""Limits that the system keeps: of memory, of time, of what may be written or begun."""

import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from . import template_mistakes as mistakes

assert sys.platform != "win32"  # there is no `resource`

_AGAIN = 0.25
"""Seconds until the time is up once more, where an expression has caught the first call."""


def shut_in(memory: int) -> None:
    """Limits memory, and prevents writing files and starting processes if the sandbox has a hole.

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
def limit_time(seconds: int) -> Iterator[None]:
    """Raises TooLong once that much processor time has passed.

    That is heard between two steps of Python only. A single step may take longer, such as the
    product of two enormous numbers: a second later the system ends the process.
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
