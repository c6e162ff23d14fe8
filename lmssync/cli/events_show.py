"""`lmssync events show`."""

from typing import Unpack

import click

from . import meanings, options, printing
from .pulling import index_of


@click.command("show")
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
def show(*, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Show how many learners are where, as far as the pulled events say.

    ADDRESS may be a pattern (`course.safety-*`), and shows the topics as well that learners pass or
    hand in. What is not recorded is shown by its id. Needs no network.
    """
    from ..report.learners_report import counted_places, learners_json, learners_text
    from .matching import matches, refuse_unmatched

    place = meanings.place(**given)
    with index_of(place) as index, place.store(read_only=True) as store:
        refuse_unmatched(addresses, store.fingerprints())
        records = [record for record in store.records() if matches(record.address, addresses)]
        shown = counted_places(index, records, others=not addresses)
        as_of = index.as_of
    printing.echo(learners_json(shown, as_of) if json_ else learners_text(shown, as_of))
