"""`lmssync events pull`."""

from typing import Unpack

import click

from . import meanings, options, printing
from .exits import Exit
from .pulling import kinds, kinds_of, puller, since as since_option, telling


@click.command("pull")
@options.where
@kinds
@since_option(
    "Begin here if nothing was pulled yet, else read again from here: a date, a time, or 30d, 12h, "
    "45m."
)
@options.as_json
def pull(
    *,
    kind: tuple[str, ...],
    since: str | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Bring the index of learners up to date with the event feeds.

    Follows each feed to its end. A run that was stopped goes on where it was; an event that comes
    again is not counted again.
    """
    from ..report import events_report
    from .moments import milliseconds
    from .progress import Lines

    place, back = meanings.asking(**given), milliseconds(since)
    with puller(place) as index, place.reader() as reader, Lines() as progress:
        reader.pace.tell = progress.note
        pulled = list(index.pull_feeds(reader, kinds_of(kind), telling(progress), since=back))
    report = events_report.PulledFeeds(place.name, place.learners, pulled)
    printing.echo(report.as_json() if json_ else report.as_text())
    return Exit.PARTIAL if any(feed.refused for feed in pulled) else Exit.DONE
