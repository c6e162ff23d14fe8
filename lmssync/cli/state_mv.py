"""`lmssync state mv`."""

from typing import Unpack

import click

from . import meanings, options


@click.command("mv")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.writes
def mv(*, old: str, new: str, **given: Unpack[options.WhereOptions]) -> None:
    """Give what is recorded as OLD the address NEW, with its ids and with what is inside it.

    For repairs: where a manifest gets another key, `moved` in it says the same, and reviewers see
    it. Whatever refers to OLD refers to NEW afterwards. The platform is not asked.
    """
    from .. import repairs

    place = meanings.place(**given)
    before, after = meanings.address(old), meanings.address(new)
    with place.existing_store() as store, store.locked():
        pairs = repairs.move(store, before, after)
    for was, now in pairs.items():
        click.echo(f"{was} is now {now}")
