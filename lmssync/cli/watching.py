"""Looks at a catalog again whenever a file of it changes, and says so."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Never

import click

_PAUSE = 0.5
"""Seconds between two looks at the files."""


def look_again(root: Path, look: Callable[[], object]) -> None:
    """Ends quietly when it is interrupted."""
    with suppress(KeyboardInterrupt):
        _look_again(root, look)


def _look_again(root: Path, look: Callable[[], object]) -> Never:
    """Looks until somebody interrupts it; a catalog that cannot be read at all is waited for.

    A terminal is cleared before each look. What it is doing goes to stderr.
    """
    from ..errors import LmssyncError
    from ..manifests.stock.walk import walk
    from ..visible import visible
    from .exits import say_error

    seen = None
    while True:
        there = walk(root)
        if there != seen:
            seen = there
            click.clear()
            click.echo(f"Checking {visible(str(root))} ...", err=True)
            try:
                look()
            except LmssyncError as error:
                say_error(error)
            sys.stdout.flush()
            now = time.strftime("%H:%M:%S")
            click.echo(f"Checked at {now}. Waiting for changes; Ctrl-C ends this.", err=True)
        time.sleep(_PAUSE)
