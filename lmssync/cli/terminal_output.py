"""What the terminal can show: colours, lines of a width, and questions."""

import os
import shutil
import sys
from typing import IO, TYPE_CHECKING

import click

from ..report.terminal_style import Ink

if TYPE_CHECKING:
    from ..planning.plan import Plan

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "": False}


def ink(stream: IO[str] | None) -> Ink:
    """Colour on a terminal, unless NO_COLOR asks for none."""
    shown = stream is not None and stream.isatty()  # a closed stdout is None
    return Ink(on=shown and "NO_COLOR" not in os.environ)


def can_ask() -> bool:
    """True if a person at a terminal can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def columns(stream: IO[str] | None) -> int | None:
    """How wide the terminal is; None for a file or a pipe, where lines may be of any length."""
    shown = stream is not None and stream.isatty()
    return shutil.get_terminal_size().columns if shown else None


def show_plan(plan: "Plan", *, full: bool, err: bool = False, next_step: str = "") -> None:
    """Prints a plan, as wide and in the colours that the stream can show; `next_step` is what
    applies it."""
    from ..report.changes import plan_text
    from ..report.evidence_text import ago
    from .safe_output import copyable

    stream = sys.stderr if err else sys.stdout
    text = plan_text(
        plan, ink(stream), full=full, columns=columns(stream), say=ago, next_step=next_step
    )
    click.echo(copyable(text), nl=False, err=err)


def ask_yes_or_no(question: str) -> bool:
    """Asks until the answer is yes or no; an empty answer is no."""
    while True:
        typed = click.prompt(f"{question} [y/N]", default="", show_default=False, err=True)
        answer = _ANSWERS.get(typed.strip().lower())
        if answer is not None:
            return answer
        click.echo("answer y or n", err=True)
