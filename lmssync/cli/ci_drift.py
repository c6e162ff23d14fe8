"""`lmssync ci drift`."""

from pathlib import Path
from typing import Unpack

import click

from . import chosen_workspace as meanings, options
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit


@click.command(
    "drift",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS | {Exit.CHANGES},
    examples=(("lmssync ci drift", "look for drift, and keep one issue about it up to date"),),
)
@options.where
@options.budget
@options.summary
def drift(
    *, budget: int | None, summary: Path | None, **given: Unpack[options.WhereOptions]
) -> int:
    """Look for drift, and keep one issue about it up to date.

    The issue is opened when something differs, and closed when a look at everything finds nothing.
    Exits as `lmssync drift` does: with 2 if something differs.
    """
    from .. import code_hosts
    from ..report.drift_report import drift_markdown, drift_text
    from ..support.git import prefix
    from .drifting import code, keep_look, look_for_drift_at
    from .publishing import Publisher

    publisher = Publisher(summary)
    place = meanings.asking(**given)
    look = look_for_drift_at(place, (), budget, **given)
    keep_look(place, look)
    click.echo(drift_text(look), nl=False)
    mark = code_hosts.marker("drift", place.name, prefix(place.root))
    if look.findings or look.is_whole:  # a look at a part that finds nothing shows nothing new
        text = drift_markdown(look)
        publisher.issue(mark, place.name, text, ends=not look.findings)
    return code(look)
