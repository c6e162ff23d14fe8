"""`lmssync validate`."""

import time
from pathlib import Path
from typing import Any

import click

from . import options
from .exits import Exit
from .validating import Wish, once

FORMATS = ("text", "json", "sarif", "github", "junit")
_PAUSE = 0.5
"""Seconds between two looks at the files."""


@click.command("validate")
@options.catalog
@click.option("-e", "--environment", help="Check what one environment wants; default: each.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How to tell.")
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option("--changed-since", "since", metavar="REV", help="Tell only of files changed since.")
@click.option(
    "--limit", type=click.IntRange(min=0), help="Show at most so many problems; 0 shows all."
)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option(
    "--baseline/--no-baseline", default=True, help="Leave out known warnings, or show them."
)
@click.option(
    "--write-baseline", "write", is_flag=True, help="Write down all warnings as known ones."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def command(*, root: Path, environment: str | None, json_: bool, watch: bool, **wishes: Any) -> int:
    """Check every manifest of the catalog, offline; all mistakes are shown at once."""
    from ..errors import WrongUse

    root = root.absolute()
    environment = environment or options.given("environment")
    wish = Wish(**wishes)
    wish = wish._replace(form="json") if json_ else wish
    if wish.write and (wish.since or watch or not wish.baseline):
        raise WrongUse("--write-baseline is about the whole catalog", "give it alone")
    if not watch:
        return once(root, environment, wish)
    try:
        return _again_and_again(root, environment, wish)
    except KeyboardInterrupt:
        return Exit.DONE


def _again_and_again(root: Path, environment: str | None, wish: Wish) -> int:
    """Ends when somebody interrupts it; a catalog that cannot be read at all is told and waited
    for."""
    from ..errors import LmssyncError
    from ..manifests.stock.walk import walk
    from .exits import say_error

    seen = None
    while True:
        there = walk(root)
        if there != seen:
            seen = there
            click.clear()
            try:
                once(root, environment, wish)
            except LmssyncError as error:
                say_error(error)
        time.sleep(_PAUSE)
