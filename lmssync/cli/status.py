"""`lmssync status`."""

from pathlib import Path

import click

from . import options
from .exits import Exit


@click.command("status")
@options.catalog
@options.environment
@options.as_json
def command(*, root: Path, environment: str | None, json_: bool) -> int:
    """Show what is managed, what waits for a person, and how old the proofs are, from the state.

    No network is needed: `lmssync drift` asks the platform.
    """
    from ..report import status_report
    from ..status import status

    place = options.place(root, environment)
    with place.store(read_only=True) as store:
        now = status(store, place.project.platform.routes)
    if json_:
        options.echo_json(status_report.status_json(now, place.name))
    else:
        click.echo(status_report.status_text(now, place.name), nl=False)
    return Exit.DONE
