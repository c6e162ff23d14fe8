"""`lmssync status`."""

from typing import Unpack

import click

from . import chosen_workspace as meanings, options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand


@click.command(
    "status",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(("lmssync status", "show where things stand; needs no network"),),
)
@options.where
@options.as_json
def command(*, json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Show what is managed, what waits for a person, and how old the proofs are, from the state.

    No network is needed: `lmssync drift` asks the platform, and what it has found is shown.
    """
    from ..report import status_report
    from ..sync.status import read_status

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        now = read_status(store, place.project.platform.routes)
    view = status_report.status_json if json_ else status_report.status_text
    printing.echo(view(now, place.name))
