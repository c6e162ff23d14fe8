"""`lmssync show`."""

from pathlib import Path

import click

from . import options


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@options.as_json
@options.full
def command(*, file: Path, json_: bool, full: bool) -> None:
    """Show a plan that `plan --out` saved; with --json, its calls as well."""
    from .. import plan
    from .terminal import show_plan

    saved = plan.restore(file, options.plan_secret())
    if json_:
        options.echo_pieces(plan.printed(saved, calls=True))
    else:
        show_plan(saved, full=full)
