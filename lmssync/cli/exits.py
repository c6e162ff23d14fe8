"""How a run ends: its error message and its exit code. Nothing else in the package exits."""

import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from .. import __version__, errors
from ..support import redaction
from ..support.invisible_characters import escape_invisible


class Exit(IntEnum):
    """Exit codes; a number never changes its meaning."""

    DONE = 0
    ERROR = 1
    CHANGES = 2
    INVALID = 3
    UNKNOWN = 4
    STALE = 5
    LOCKED = 6
    PARTIAL = 7
    UNREACHABLE = 8
    USAGE = 64
    BUG = 70
    INTERRUPTED = 130


_CODES: tuple[tuple[type[errors.LmssyncError], Exit], ...] = (
    (errors.WrongUse, Exit.USAGE),
    (errors.InvalidCatalog, Exit.INVALID),
    (errors.StateLocked, Exit.LOCKED),
    (errors.Unreachable, Exit.UNREACHABLE),
    (errors.KeyRefused, Exit.UNREACHABLE),
    (errors.Stopped, Exit.INTERRUPTED),
    (errors.StalePlan, Exit.STALE),
    (errors.Forbidden, Exit.INVALID),
)


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


@contextmanager
def end_with_code(*, debug: bool = False) -> Iterator[None]:
    """Turns whatever a command raises into a message on stderr and an exit code."""
    try:
        yield
    except errors.LmssyncError as error:
        print_error(error)
        sys.exit(exit_code_of(error))
    except click.UsageError as error:
        _print_wrong_use(error)
        sys.exit(Exit.USAGE)
    except click.ClickException as error:
        print_message(errors.LmssyncError(error.format_message()))
        sys.exit(Exit.ERROR)
    except (click.Abort, KeyboardInterrupt):
        _end_interrupted()
    except BrokenPipeError:
        # The reader of our output has closed the pipe, so there is nothing to report.
        _silence_output()
        sys.exit(Exit.ERROR)
    except Exception as error:
        if _INTERRUPTS:  # compiled libraries put an interrupt into an error of their own
            _end_interrupted()
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _silence_output()
            print_message(
                errors.LmssyncError(f"the disk is full: {error.strerror}", "free some space")
            )
            sys.exit(Exit.ERROR)
        if debug:
            raise
        report_bug(error)
        sys.exit(Exit.BUG)


# No lock: a second signal may come while the first is noted, and would wait for it for ever.
_INTERRUPTS: list[int] = []
"""The signals, Ctrl-C or SIGTERM, that have come, whatever became of the exception."""


def _note_interrupt(number: int, frame: FrameType | None) -> NoReturn:
    _INTERRUPTS.append(number)
    signal.default_int_handler(number, frame)


def _end_interrupted() -> NoReturn:
    click.echo("interrupted; the journal is intact", err=True)
    sys.exit(Exit.INTERRUPTED)


def _silence_output() -> None:
    """Discards what is still in the buffer of stdout, so that the end of the run does not fail."""
    # Python flushes stdout at its end, and would complain about the pipe once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def exit_code_of(error: errors.LmssyncError) -> Exit:
    """The exit code of an error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), Exit.ERROR)


def print_error(error: errors.LmssyncError) -> None:
    """Shows an error, or all problems of a catalog, on stderr."""
    if not isinstance(error, errors.InvalidCatalog):
        print_message(error)
        return
    from ..report.problems import SourceLines, problems_text
    from .terminal_output import choose_display

    lines = SourceLines(error.root) if error.root else None
    click.echo(problems_text(error.problems, choose_display(sys.stderr, lines)), err=True, nl=False)


def print_message(error: errors.LmssyncError) -> None:
    """Shows message and hint on stderr; file names in them may hold any characters."""
    click.echo(f"error: {escape_invisible(error.message)}", err=True)
    if error.hint:
        click.echo(f"    {escape_invisible(error.hint)}", err=True)


def _print_wrong_use(error: click.UsageError) -> None:
    """Shows it like every other error; a group that is called without a command shows its help."""
    from .usage_errors import asks_for_help, word_usage_error

    if asks_for_help(error):
        error.show()
    else:
        print_message(word_usage_error(error))


def report_bug(error: Exception) -> None:
    """A file fit for an issue: versions, platform, command, trace."""
    import platform  # these two take 6 ms, which each run would pay for
    import tempfile

    lines = [
        f"lmssync {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {' '.join(sys.argv)}",
        "",
        "".join(traceback.format_exception(error)),
    ]
    with tempfile.NamedTemporaryFile(
        "w", prefix="lmssync-bug-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        # The trace may have a key in an argument, and the file is meant to be shown to others.
        file.write(redaction.redact_secrets("\n".join(lines)))
    click.echo(
        f"a bug in lmssync: {type(error).__name__}: {escape_invisible(str(error))}", err=True
    )
    click.echo(
        f"    report it with {Path(file.name)}; the journal of the state is intact", err=True
    )
