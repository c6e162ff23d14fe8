"""`lmssync validate`."""

import sys
from pathlib import Path

import click

from . import options
from .exits import Exit

FORMATS = ("text", "json", "sarif", "github", "junit")


@click.command("validate")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.catalog
@click.option("-e", "--environment", help="Check what one environment wants; default: each.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How to tell.")
@click.option("--json", "json_", is_flag=True, help="The same as --format json.")
@click.option("--changed-since", "since", metavar="REV", help="Tell only of files changed since.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def command(
    *,
    files: tuple[str, ...],
    root: Path,
    environment: str | None,
    form: str,
    json_: bool,
    since: str | None,
    watch: bool,
) -> int:
    """Check every manifest of the catalog, offline; all mistakes are shown at once.

    With FILE, a manifest, body, table or folder, the whole catalog is read all the same, and only
    what is wrong there is shown.
    """
    root = root.absolute()
    environment = environment or options.given("environment")
    form = "json" if json_ else form

    def look() -> int:
        return _once(root, environment, form, since, files)

    if not watch:
        return look()
    from .watching import look_again

    look_again(root, look)
    return Exit.DONE


def _once(
    root: Path, environment: str | None, form: str, since: str | None, files: tuple[str, ...]
) -> int:
    from .. import checking
    from ..errors import InvalidCatalog
    from ..manifests.git import prefix
    from ..manifests.stock.outcome import Outcome
    from ..problems import errors
    from ..report import Checked, problems_in
    from .asked import asked_about
    from .terminal import ink

    try:
        found = checking.validate(root, environment)
        told = asked_about(root, found.problems, since, files)
    except InvalidCatalog as error:  # nothing else could be looked at
        found, told = Outcome(0, 0, error.problems), error.problems
    checked = Checked(found.files, found.resources, len(found.problems) - len(told))
    folder = prefix(root) if form in {"sarif", "github", "junit"} else ""
    text = problems_in(form, told, checked, prefix=folder, ink=ink(sys.stdout))
    click.echo(text if form == "text" else text.encode(), nl=False)
    return Exit.INVALID if errors(told) else Exit.DONE
