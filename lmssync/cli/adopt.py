"""`lmssync adopt`."""

from typing import Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import options


@click.command("adopt")
@click.argument("pairs", metavar="ADDRESS=ID...", nargs=-1, required=True)
@options.where
@click.option("--unverified", is_flag=True, help="Accept an id that no route can check.")
@click.option("--new-state", is_flag=True, help="The state is new, or older than the platform.")
def command(*, pairs: tuple[str, ...], unverified: bool, **given: Unpack[options.Decided]) -> None:
    """Take over what is on the platform under ID as ADDRESS of the catalog.

    lmssync reads it first; it must match the manifest. Fields that no read shows are sent by the
    next apply, or listed as manual steps.
    """
    from .. import pipeline
    from .progress import Lines

    wanted = [_pair(text) for text in pairs]
    place = options.asking(**given)
    with place.store() as store, Lines() as progress:
        for address, id_ in wanted:
            checked = pipeline.adopt(
                place, store, progress, options.address(address), id_, unverified=unverified
            )
            click.echo(visible(f"{address}: {checked}"))
    click.echo("`lmssync plan` shows what is left to do")


def _pair(text: str) -> tuple[str, str]:
    address, sign, id_ = text.partition("=")
    if not sign or not id_:
        raise WrongUse(f"`{text}` is not ADDRESS=ID", "write `lmssync adopt course.safety-101=ID`")
    return address, id_.strip()
