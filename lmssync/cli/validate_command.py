"""`lmssync validate`."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ..report.problems import FORMATS
from . import options
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit
from .validating import Wish, once

_PAUSE = 0.5
"""Seconds between two checks of the files."""


@click.command(
    "validate",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync validate", "check the whole catalog"),
        ("lmssync validate courses/fire-safety.yaml", "show the problems of one file"),
        ("lmssync validate --changed-since main", "show the problems of what has changed"),
        ("lmssync validate --watch", "check again whenever a file changes"),
        ("lmssync validate --online -e sandbox", "ask the sandbox about what manifests name"),
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.catalog
@click.option("-e", "--environment", help="Check only this environment; default: all.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option(
    "--changed-since", "since", metavar="REV", help="Report only files changed since REV."
)
@click.option(
    "--limit", type=click.IntRange(min=0), help="Show at most this many problems; 0 shows all."
)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--baseline/--no-baseline", default=True, help="Hide known warnings, or show them.")
@click.option("--write-baseline", "write", is_flag=True, help="Record all warnings as known ones.")
@click.option("--online", is_flag=True, help="Ask the platform about what is named as well.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def command(*, root: Path, environment: str | None, json_: bool, watch: bool, **wishes: Any) -> int:
    """Check every manifest of the catalog, offline; shows all problems at once.

    With FILE, a manifest, body, table or folder, the whole catalog is still read, but only the
    problems in FILE are shown. With --online, the platform of one environment is asked whether what
    manifests name is there: tags, clients, locations, courses, paths, ribbons, people and the like.
    """
    from ..errors import WrongUse

    root = root.absolute()
    environment = environment or options.given_before("environment")
    wish = Wish(**wishes)
    wish = wish._replace(form="json") if json_ else wish
    if wish.write and (wish.since or wish.files or watch or not wish.baseline):
        raise WrongUse(
            "--write-baseline covers the whole catalog",
            "use it without FILE, --changed-since and --watch",
        )
    if watch and wish.online:
        raise WrongUse("--watch would ask the platform after each change", "leave out --online")
    if not watch:
        return once(root, environment, wish)
    _look_again(root, lambda: once(root, environment, wish))
    return Exit.DONE


def _look_again(root: Path, look: Callable[[], object]) -> None:
    """Checks until it is interrupted; if the catalog cannot be read, waits until it can.

    It clears the terminal before each check, and prints what it is doing to stderr.
    """
    from ..catalog.manifests.files import walk_catalog
    from ..errors import LmssyncError
    from ..support.visible import escape_invisible
    from .exits import say_error

    seen = None
    with suppress(KeyboardInterrupt):
        while True:
            files = walk_catalog(root)
            if files != seen:
                seen = files
                click.clear()
                click.echo(f"Checking {escape_invisible(str(root))} ...", err=True)
                try:
                    look()
                except LmssyncError as error:
                    say_error(error)
                sys.stdout.flush()
                now = time.strftime("%H:%M:%S")
                click.echo(f"Checked at {now}. Waiting for changes; Ctrl-C ends this.", err=True)
            time.sleep(_PAUSE)
