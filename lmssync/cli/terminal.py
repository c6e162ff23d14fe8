"""What the terminal can show: colours, progress, questions."""

import os
import sys
from typing import IO

import click

from ..report import Ink
from ..visible import visible


def ink(stream: IO[str] | None) -> Ink:
    """Colour on a terminal, unless NO_COLOR asks for none."""
    shown = stream is not None and stream.isatty()  # a closed stdout is None
    return Ink(on=shown and "NO_COLOR" not in os.environ)


class Lines:
    """Progress as quiet lines on stderr; on a terminal, one line that is written over."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._steps = 0

    def begin(self, steps: int) -> None:
        self._steps = steps

    def step(self, number: int, route: str, shares: int) -> None:
        self._show(f"[{number}/{self._steps}] {route}: {shares}")

    def reading(self, done: int, total: int) -> None:
        if self._live or (done == total and total > 1):
            self._show(f"      read back {done} of {total}")

    def note(self, text: str) -> None:
        click.echo(visible(text), err=True)

    def end(self) -> None:
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _show(self, text: str) -> None:
        if self._live:
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)
        else:
            click.echo(text, err=True)


def can_ask() -> bool:
    """True if there is somebody to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()
