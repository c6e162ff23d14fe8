"""`lmssync plan`."""

import sys
from pathlib import Path

import click

from . import options
from .exits import Exit


@click.command("plan")
@options.catalog
@options.environment
@options.as_json
@options.allow
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Save the plan.")
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2 if there are changes.")
def command(
    *,
    root: Path,
    environment: str | None,
    json_: bool,
    allow: tuple[str, ...],
    out: Path | None,
    detailed_exitcode: bool,
) -> int:
    """Show what would change on the platform. Nothing is written there."""
    from .. import pipeline, plan
    from ..report.plan_text import plan_text
    from .terminal import ink

    place = options.place(root, environment)
    if allow:
        place = place._replace(allow=frozenset(map(options.address, allow)))
    catalog = pipeline.load(place)
    with place.store() as store, place.reader() as reader:
        made = pipeline.make_plan(place, catalog, store, reader)
    if out:
        plan.save(made, out)
        click.echo(f"saved to {out}: `lmssync apply {out}` does exactly this", err=True)
    if json_:
        options.echo_json(plan.document(made))
    else:
        click.echo(plan_text(made, ink(sys.stdout)), nl=False)
    return Exit.CHANGES if detailed_exitcode and made.has_changes else Exit.DONE
