"""`lmssync events export`."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from . import meanings, options, printing
from .pulling import index_of, kinds, kinds_of, since as since_option

FORMATS = ("ndjson", "csv", "parquet")


@click.command("export")
@options.where
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="ndjson",
    show_default=True,
    help="What to write; Parquet needs the extra `parquet`.",
)
@click.option(
    "--out", type=options.FILE, metavar="FILE", help="Write to this file instead of printing."
)
@kinds
@since_option("Only events from this time on: a date, a time, or 30d, 12h, 45m.")
def export(
    *,
    form: str,
    out: Path | None,
    kind: tuple[str, ...],
    since: str | None,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Write the pulled events, oldest first, with codes in the place of people.

    Needs no network. The same person has the same code in every export of one index.
    """
    from ..report.events_export import FORMATS as WRITERS
    from ..report.words import counted
    from .moments import milliseconds

    if form == "parquet" and out is None:
        raise WrongUse("Parquet cannot be printed", "name a file: --out events.parquet")
    start, wanted = milliseconds(since) or 0, kinds_of(kind) if kind else ()
    with index_of(meanings.place(**given)) as index:
        pieces = WRITERS[form](index.list_events(since=start, kinds=wanted))
        printing.put(pieces, out)
    if out:
        click.echo(f"wrote {counted(out.stat().st_size, 'byte')} to {out}", err=True)
