"""A run whose state fails at its end still tells what it has done."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from ...errors import StateError
from .result import Report
from .session import ApplySession


@contextmanager
def note_state_failure(report: Report) -> Iterator[None]:
    """A state that cannot be written any more is what has stopped the run."""
    try:
        yield
    except StateError as error:
        report.stop_with(error)


@contextmanager
def report_state_failure(session: AbstractContextManager[ApplySession]) -> Iterator[ApplySession]:
    """A session that may fail at its very end: if the state cannot be given back, its report says
    so, and shows what was done all the same."""
    ended = False
    try:
        with session as opened:
            yield opened
            ended = True
    except StateError as error:
        if not ended:
            raise
        opened.report.stop_with(error)
