"""`lmssync state verify` and `state unlock`."""

import sys
from typing import Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import meanings, options


@click.command("verify")
@options.where
def verify(**given: Unpack[options.WhereOptions]) -> None:
    """Prove that the log of the state is whole, and that what is recorded follows from it.

    Every entry is compared with its digest and with the entry before, the log is played again from
    its beginning, and the result is compared with what is recorded. Where the log is kept
    elsewhere, all of it is read from there. Ends with 1 and names the entry if something is wrong.
    """
    from ..report import words
    from ..state import verify

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        if not store.lineage:
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        found = verify(store)
        home = store.shared.home.place if store.shared else ""
    kept = f" in {words.counted(found.segments, 'segment')} at {home}" if home else ""
    click.echo(visible(f"{found.entries:,} entries{kept}: all as they were written"))
    if found.waiting:
        click.echo(f"{found.waiting} of them wait for the next run, which hands them in")


@click.command("unlock")
@options.where
@click.option("--yes", is_flag=True, help="Do not ask.")
def unlock(*, yes: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Take the state from a run that is gone, before its lease is over.

    Shows which run holds it. If that run goes on all the same, whatever it wants to write is
    refused, so it sends nothing more; what it has sent last may be open, and the next run looks
    for it.
    """
    place = meanings.place(**given)
    with place.existing_store() as store:
        held = store.holder
        if held is None:
            click.echo("nobody holds the state")
            return
        ends = f"; its lease is over at {held.until[:19]}Z" if held.until else ""
        click.echo(visible(f"held by {held.words}{ends}"))
        if not yes:
            _ask()
        store.unlock(held)
    click.echo("nobody holds it any more")


def _ask() -> None:
    if not sys.stdin.isatty():
        raise WrongUse("there is no terminal to ask whether that run is gone", "use --yes")
    click.confirm("Is that run gone, and may another one go on?", abort=True)
