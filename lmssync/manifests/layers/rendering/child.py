"""Renders templates for the process that started this one, until that closes the pipe."""

import json
import marshal
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from . import jinja, mistakes
from .wire import ANSWER, LINES, MISTAKE, READY, REQUEST, SPENT, TEXT, exactly

_AGAIN = 0.25
"""Seconds until the time is up once more, where an expression has caught the first call."""


def main(seconds: int, memory: int) -> None:
    """Answers requests; `seconds` of processor time for each, `memory` bytes for all that is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks is interrupted, and ends this one
    signal.signal(signal.SIGPROF, partial(_time_is_up, seconds))
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - what was said was about the start
        os.dup2(nowhere.fileno(), sys.stderr.fileno())
    _shut_in(memory)
    sys.stdout.buffer.write(READY)
    sys.stdout.buffer.flush()
    with suppress(EOFError, BrokenPipeError):
        while True:
            _answer(seconds)


def _shut_in(memory: int) -> None:
    """No memory without end; no file written and no process begun, should the sandbox have a hole.

    What the system does not let us set is left out: the time is limited in any case.
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


def _time_is_up(seconds: int, _number: int, _frame: object) -> None:
    raise mistakes.TooLong(f"it takes longer than {seconds} seconds")


def _answer(seconds: int) -> None:
    ask, give = sys.stdin.buffer, sys.stdout.buffer
    wanted, size, given = REQUEST.unpack(exactly(ask, REQUEST.size))
    source = exactly(ask, size).decode()
    variables = marshal.loads(exactly(ask, given))  # noqa: S302 - it comes from who started us
    try:
        with _time(seconds):
            kind, told = _outcome(wanted, source, variables)
    except mistakes.TooLong as error:
        kind, told = _told(error, mistakes.of_rendering(error))
    give.write(ANSWER.pack(kind, len(told)) + told)
    give.flush()


def _outcome(wanted: int, source: str, variables: dict[str, Any]) -> tuple[int, bytes]:
    try:
        template = jinja.compiled(source, numbered=wanted == LINES)
    except Exception as error:  # noqa: BLE001 - whatever a template brings about is its author's
        return _told(error, mistakes.of_source(error))
    try:
        if wanted == LINES:
            last = source.count("\n") + 1
            return LINES, jinja.lines(template, variables, last).tobytes()
        return TEXT, jinja.text(template, variables)
    except Exception as error:  # noqa: BLE001 - the same
        return _told(error, mistakes.of_rendering(error))


def _told(error: Exception, mistake: mistakes.Mistake) -> tuple[int, bytes]:
    kind = SPENT if isinstance(error, mistakes.TooLong | MemoryError) else MISTAKE
    return kind, json.dumps(mistake).encode()


@contextmanager
def _time(seconds: int) -> Iterator[None]:
    """Raises TooLong once that much processor time has passed.

    That is heard between two steps of Python only. A single step may take longer, such as the
    product of two enormous numbers: a second later the system ends the process.
    """
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
