"""`lmssync events tail`."""

import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import Stopped
from . import meanings, options
from .pulling import kinds, kinds_of, puller, round_, since as since_option, telling

if TYPE_CHECKING:
    from ..events import EventRow


@click.command("tail")
@options.where
@kinds
@since_option("Also print the known events from this time on: a date, a time, or 30d, 12h, 45m.")
@click.option(
    "--every",
    default=15,
    show_default=True,
    type=click.IntRange(1, 3600),
    metavar="SECONDS",
    help="How often to look; never more often than the platform allows.",
)
@click.option("--json", "json_", is_flag=True, help="Print a line of JSON for each event.")
def tail(
    *,
    kind: tuple[str, ...],
    since: str | None,
    every: int,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Print new events as they come, with codes in the place of people, until Ctrl-C.

    First it pulls what has come since the last pull. What it prints is in the index as well.
    """
    from .moments import milliseconds
    from .progress import Lines

    place, start, wanted = meanings.asking(**given), milliseconds(since), kinds_of(kind)
    with puller(place) as index, place.reader() as reader:
        with Lines() as progress:
            reader.pace.tell = progress.note
            list(index.pull_feeds(reader, wanted, telling(progress), since=start))
        if start is not None:
            _print(index.list_events(since=start, kinds=kind), json_=json_)
        reader.pace.tell = lambda text: click.echo(text, err=True)
        with suppress(KeyboardInterrupt, Stopped):
            click.echo("Waiting for events; Ctrl-C ends this.", err=True)
            while True:
                time.sleep(every)
                new = [key for feed in round_(index, reader, wanted) for key in feed.keys]
                _print(index.rows_of(new), json_=json_)


def _print(rows: "Iterable[EventRow]", *, json_: bool) -> None:
    from ..report.events_export import line, sentence

    for row in rows:
        click.echo(line(row) if json_ else sentence(row), nl=not json_)
