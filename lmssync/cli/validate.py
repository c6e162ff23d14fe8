"""`lmssync validate`."""

import sys
import time
from pathlib import Path

import click

from . import options
from .exits import Exit

FORMATS = ("text", "json", "sarif", "github", "junit")
_PAUSE = 0.5
"""Seconds between two looks at the files."""


@click.command("validate")
@options.catalog
@click.option("-e", "--environment", help="Check what one environment wants; default: each.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How to tell.")
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option("--changed-since", "since", metavar="REV", help="Tell only of files changed since.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def command(
    *,
    root: Path,
    environment: str | None,
    form: str,
    json_: bool,
    since: str | None,
    watch: bool,
) -> int:
    """Check every manifest of the catalog, offline; all mistakes are shown at once."""
    root = root.absolute()
    environment = environment or options.given("environment")
    form = "json" if json_ else form
    if not watch:
        return _once(root, environment, form, since)
    try:
        return _again_and_again(root, environment, form, since)
    except KeyboardInterrupt:
        return Exit.DONE


def _once(root: Path, environment: str | None, form: str, since: str | None) -> int:
    from .. import checking
    from ..errors import InvalidCatalog
    from ..manifests.git import changed, prefix
    from ..manifests.stock.outcome import Outcome
    from ..problems import errors
    from ..report import Checked, problems_in
    from .terminal import ink

    try:
        found = checking.validate(root, environment)
    except InvalidCatalog as error:
        found = Outcome(0, 0, error.problems)
    if since:
        files = changed(root, since, (problem.where.file for problem in found.problems))
        told = [p for p in found.problems if p.across or p.where.file in files]
        found = found._replace(problems=told)
    checked = Checked(found.files, found.resources)
    folder = prefix(root) if form in {"sarif", "github", "junit"} else ""
    text = problems_in(form, found.problems, checked, prefix=folder, ink=ink(sys.stdout))
    click.echo(text if form == "text" else text.encode(), nl=False)
    return Exit.INVALID if errors(found.problems) else Exit.DONE


def _again_and_again(root: Path, environment: str | None, form: str, since: str | None) -> int:
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
                _once(root, environment, form, since)
            except LmssyncError as error:
                say_error(error)
        time.sleep(_PAUSE)
