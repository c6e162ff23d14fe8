"""`lmssync resolve`."""

from typing import Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import options


@click.command("resolve")
@click.argument("addresses", metavar="ADDRESS...", nargs=-1, required=True)
@options.where
@click.option("--adopt", metavar="ID", help="It is there, under this id; it is read back first.")
@click.option("--not-created", is_flag=True, help="It is not there; the next plan creates it.")
@click.option("--done", is_flag=True, help="All its manual steps have been done by hand.")
def command(
    *,
    addresses: tuple[str, ...],
    adopt: str | None,
    not_created: bool,
    done: bool,
    **given: Unpack[options.Where],
) -> None:
    """Decide about ADDRESS where lmssync cannot know the outcome; --done takes several."""
    from .. import apply, pipeline
    from .progress import Lines

    if (adopt is not None) + not_created + done != 1:
        raise WrongUse("give one of --adopt ID, --not-created, --done", "see `resolve --help`")
    if len(addresses) > 1 and not done:
        raise WrongUse(
            "a call is resolved one address at a time", "only --done takes several addresses"
        )
    place = options.asking(**given)
    targets = list(dict.fromkeys(map(options.address, addresses)))
    had = targets
    with place.store() as store:
        if done and not store.waiting().issuperset(targets):
            had = list(pipeline.confirm_manual(place, store, targets))
        else:
            with Lines() as progress, pipeline.session(place, store, progress) as session:
                if adopt is not None:
                    apply.adopt(session, targets[0], adopt)
                elif done:
                    for target in targets:
                        apply.done(session, target)
                else:
                    apply.not_created(session, targets[0])
    for target in targets:
        recorded = "recorded; `lmssync plan` shows what is left to do"
        outcome = recorded if target in had else "nothing was left to do by hand"
        click.echo(visible(f"{target}: {outcome}"))
