"""`lmssync show`."""

import sys
from pathlib import Path

import click

from . import options
from .exits import Exit


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@options.as_json
@options.full
def command(*, file: Path, json_: bool, full: bool) -> int:
    """Show a plan that `plan --out` saved; with --json, its calls as well."""
    from .. import plan
    from ..report.changes import plan_text
    from .terminal import columns, ink

    saved = plan.restore(file, options.plan_secret())
    if json_:
        options.echo_pieces(plan.printed(saved, calls=True))
    else:
        click.echo(
            plan_text(saved, ink(sys.stdout), full=full, columns=columns(sys.stdout)), nl=False
        )
    return Exit.DONE
