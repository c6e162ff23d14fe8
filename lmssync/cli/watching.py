"""Checks a catalog again whenever one of its files changes."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

_PAUSE = 0.5
"""Seconds between two checks of the files."""


def look_again(root: Path, look: Callable[[], object]) -> None:
    """Checks until it is interrupted; if the catalog cannot be read, waits until it can.

    It clears the terminal before each check, and prints what it is doing to stderr.
    """
    from ..errors import LmssyncError
    from ..manifests.files import walk
    from ..visible import visible
    from .exits import say_error

    seen = None
    with suppress(KeyboardInterrupt):
        while True:
            files = walk(root)
            if files != seen:
                seen = files
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
