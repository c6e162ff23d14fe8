"""`lmssync resolve`."""

from pathlib import Path

import click

from ..errors import WrongUse
from . import options
from .exits import Exit


@click.command("resolve")
@click.argument("address")
@options.catalog
@options.environment
@click.option("--adopt", metavar="ID", help="It is there, under this id; it is read back first.")
@click.option("--not-created", is_flag=True, help="It is not there; the next plan creates it.")
@click.option("--done", is_flag=True, help="Its manual steps have been done by hand.")
def command(
    *,
    address: str,
    root: Path,
    environment: str | None,
    adopt: str | None,
    not_created: bool,
    done: bool,
) -> int:
    """Decide about ADDRESS, where only a person can know."""
    from .. import apply, pipeline
    from .progress import Lines

    if (adopt is not None) + not_created + done != 1:
        raise WrongUse("say one of --adopt ID, --not-created, --done", "see `resolve --help`")
    place = options.place(root, environment)
    target = options.address(address)
    with place.store() as store:
        if done:
            pipeline.confirm_manual(place, store, target)
        else:
            with Lines() as progress, pipeline.session(place, store, progress) as session:
                if adopt is not None:
                    apply.adopt(session, target, adopt)
                else:
                    apply.not_created(session, target)
    click.echo(f"{address}: recorded; `lmssync plan` shows what is left to do")
    return Exit.DONE
