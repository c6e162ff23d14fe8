"""How a run ends: its error message and its exit code. Nothing else in the package exits."""

import errno
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import NoReturn

import click

from .. import __version__, errors
from ..errors import WrongUse
from ..problems import suggest_near
from ..support import redaction
from ..support.invisible_characters import escape_invisible
from .interrupts import was_interrupted


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
    (WrongUse, Exit.USAGE),
    (errors.InvalidCatalog, Exit.INVALID),
    (errors.StateLocked, Exit.LOCKED),
    (errors.Unreachable, Exit.UNREACHABLE),
    (errors.KeyRefused, Exit.UNREACHABLE),
    (errors.Stopped, Exit.INTERRUPTED),
    (errors.StalePlan, Exit.STALE),
    (errors.Forbidden, Exit.INVALID),
)


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
        if was_interrupted():  # compiled libraries put an interrupt into an error of their own
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


def _end_interrupted() -> NoReturn:
    click.echo("interrupted; the journal is intact", err=True)
    sys.exit(Exit.INTERRUPTED)


def _silence_output() -> None:
    """Discards what is still in the buffer of stdout, so that the end of the run does not fail."""
    # Python flushes stdout at its end, and would complain about the pipe once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def exit_code_of(error: errors.LmssyncError) -> Exit:
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
    _print_notice("error", error.message, error.hint)


def print_warning(text: str, hint: str = "") -> None:
    """Says on stderr what could not be done, and what to do about it."""
    _print_notice("warning", text, hint)


def _print_notice(word: str, text: str, hint: str) -> None:
    click.echo(f"{word}: {escape_invisible(text)}", err=True)
    if hint:
        click.echo(f"    {escape_invisible(hint)}", err=True)


_HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Older versions of click print the help themselves and raise nothing."""


def _print_wrong_use(error: click.UsageError) -> None:
    """Shows it like every other error; a group that is called without a command shows its help."""
    if isinstance(error, _HELP):
        error.show()
    else:
        print_message(_word_usage_error(error))


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


class UnknownCommand(click.UsageError):
    """The group has no command of that name."""

    def __init__(self, name: str, known: Sequence[str], ctx: click.Context) -> None:
        super().__init__(f"there is no command `{name}`", ctx)
        self.name, self.known = name, known


def _word_usage_error(error: click.UsageError) -> WrongUse:
    """The error as one of ours, with a suggestion or a command that shows more."""
    where = error.ctx.command_path if error.ctx else "lmssync"
    if isinstance(error, UnknownCommand):
        hint = suggest_near(error.name, error.known) or f"`{where} --help` lists the commands"
        return WrongUse(f"{where} has no command `{error.name}`", hint)
    if isinstance(error, click.NoSuchOption):
        return WrongUse(f"{where} has no option `{error.option_name}`", _option_hint(error, where))
    if isinstance(error, click.MissingParameter):
        name = _name_of_param(error.param) if error.param else "another argument"
        return WrongUse(f"{where} needs {name}", _example_hint(error))
    if isinstance(error, click.BadParameter) and error.param:
        return WrongUse(
            f"{_name_of_param(error.param)}: {error.message.rstrip('.')}", _help_hint(where)
        )
    message = error.format_message().rstrip(".")
    message = f"{message[:1].lower()}{message[1:]}"
    return WrongUse(f"{where}: {message}", _help_hint(where)) if error.ctx else WrongUse(message)


def _help_hint(where: str) -> str:
    return f"`{where} --help` shows how it is used"


def _option_hint(error: click.NoSuchOption, where: str) -> str:
    params = error.ctx.command.get_params(error.ctx) if error.ctx else []
    known = [name for param in params for name in (*param.opts, *param.secondary_opts)]
    return suggest_near(
        error.option_name, [name for name in known if name[:1] == "-"]
    ) or _help_hint(where)


def _name_of_param(param: click.Parameter) -> str:
    """An argument by the name that the help gives it, or the long form of an option."""
    if isinstance(param, click.Argument):
        return param.metavar or str(param.name).upper()
    return max(param.opts, key=len)


def _example_hint(error: click.UsageError) -> str:
    """The first example of the command, which says more than a form of it."""
    examples = getattr(error.ctx.command, "examples", ()) if error.ctx else ()
    if examples:
        return f"for example: {examples[0][0]}"
    return _help_hint(error.ctx.command_path if error.ctx else "lmssync")
