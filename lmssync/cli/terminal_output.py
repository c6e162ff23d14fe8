"""What the terminal can show: colours, lines of a width, and questions."""

import os
import select
import shutil
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, AnyStr

import click

from ..errors import WrongUse
from ..report.terminal_style import TextStyle, wrap_text
from ..support.invisible_characters import in_json
from .interrupts import raise_noted_interrupt
from .safe_output import exact_output, with_run_options

if TYPE_CHECKING:
    from ..planning.plan import Plan
    from ..report.problems import Display, SourceLines


_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "": False}


def choose_text_style(stream: IO[str] | None) -> TextStyle:
    """Colour on a terminal, unless NO_COLOR asks for none."""
    shown = stream is not None and stream.isatty()  # a closed stdout is None
    return TextStyle(on=shown and "NO_COLOR" not in os.environ)


def can_ask() -> bool:
    """True if a person at a terminal can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def terminal_width(stream: IO[str] | None) -> int | None:
    """How wide the terminal is; None for a file or a pipe, where lines may be of any length."""
    shown = stream is not None and stream.isatty()
    return shutil.get_terminal_size().columns if shown else None


def choose_display(stream: IO[str] | None, lines: "SourceLines | None") -> "Display":
    """How problems are shown on a stream, with the lines of files where these are given."""
    from ..report.problems import Display

    return Display(choose_text_style(stream), terminal_width(stream), lines)


def show_plan(plan: "Plan", *, full: bool, err: bool = False, next_step: str = "") -> str:
    """Prints a plan, as wide and in the colours that the stream can show; `next_step` is what
    applies it. Returns what it has printed."""
    from ..report.changes import plan_text
    from ..report.evidence_text import describe_age

    stream = sys.stderr if err else sys.stdout
    paint, width = choose_text_style(stream), terminal_width(stream)
    text = plan_text(plan, paint, full=full, columns=width, say=describe_age, next_step=next_step)
    shown = with_run_options(text)
    click.echo(shown, nl=False, err=err)
    return shown


def ask_yes_or_no(question: str) -> bool:
    """Asks until the answer is yes or no; an empty answer is no."""
    while True:
        click.echo(f"{question} [y/N]: ", nl=False, err=True)
        answer = _ANSWERS.get(_read_typed_line().strip().lower())
        if answer is not None:
            return answer
        click.echo("answer y or n", err=True)


def _read_typed_line() -> str:
    """The next line of stdin; raises `click.Abort` if whoever was asked has gone away."""
    main = threading.current_thread() is threading.main_thread()  # the one that hears signals
    if sys.platform != "win32" and main and sys.stdin.isatty():
        _wait_for_stdin()
    line = sys.stdin.readline()
    if not line:
        raise click.Abort
    return line


def _wait_for_stdin() -> None:
    """Waits until a line is typed at the terminal; the handler of a signal may raise meanwhile."""
    # A signal that comes just before a read begins does not end that read: its handler would run
    # when the person has answered, which may be never. Here its number in a pipe ends the wait.
    heard, signals = os.pipe()
    if sys.platform != "win32":  # where nobody comes here
        os.set_blocking(signals, False)
    before = signal.set_wakeup_fd(signals, warn_on_full_buffer=False)
    try:
        raise_noted_interrupt()
        while sys.stdin not in select.select([sys.stdin, heard], [], [])[0]:
            os.read(heard, 1)
    finally:
        signal.set_wakeup_fd(before)
        os.close(heard)
        os.close(signals)


def print_json_pieces(pieces: Iterable[bytes]) -> None:
    """Prints a JSON document piece by piece; no piece ends inside a string."""
    for some in _join_pieces(pieces, b""):
        click.echo(in_json(some.decode()).encode(), nl=False)


_AT_ONCE = 65_536
"""Bytes, or letters, that are printed in one go: those of a large document fill the memory."""


def _join_pieces(pieces: Iterable[AnyStr], nothing: AnyStr) -> Iterator[AnyStr]:
    waiting: list[AnyStr] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= _AT_ONCE:
            yield nothing.join(waiting)
            waiting, size = [], 0
    yield nothing.join(waiting)


def print_or_write(pieces: Iterable[bytes], out: Path | None) -> None:
    """Prints the pieces exactly, or writes them whole to a file that only its owner can read."""
    if out is not None:
        write_output_file(out, pieces)
        return
    for piece in pieces:
        print_exactly(piece)


def print_exactly(document: bytes) -> None:
    """Prints a part of a document of which every byte counts, or an order to a build server."""
    with exact_output():
        click.echo(document, nl=False)


def write_output_file(file: Path, pieces: Iterable[bytes], *, private: bool = True) -> None:
    """Writes a file whole, for its owner alone if it is `private`; raises `WrongUse` where that is
    not possible."""
    from ..support.file_writing import write_whole

    try:
        write_whole(file, pieces, private=private)
    except OSError as error:
        raise WrongUse(f"{file} cannot be written: {error.strerror}") from None


def print_report(text: str) -> None:
    """Prints a text as `print_view` does; its lines end where the terminal ends."""
    print_view(wrap_text(text, terminal_width(sys.stdout)))


def print_lines(lines: Iterable[str]) -> None:
    """Prints a report whose lines come one by one."""
    for some in _join_pieces((f"{line}\n" for line in lines), ""):
        print_report(some)


def print_plain_lines(lines: Iterable[str]) -> None:
    """Prints lines as they are, for a program."""
    for some in _join_pieces((f"{line}\n" for line in lines), ""):
        click.echo(some, nl=False)


def print_view(view: Any) -> None:
    """Prints a text, with commands that can be copied, and any other value as a JSON document."""
    from ..report.value_words import spell_document

    if isinstance(view, str):
        click.echo(with_run_options(view), nl=False)
    else:
        print_json_pieces(spell_document(view))
