"""`lmssync resolve`."""

from pathlib import Path
from typing import Unpack

import click

from ..errors import WrongUse
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, options, printing, resolving
from .command_help import PLATFORM_EXITS, DocumentedCommand
from .exits import Exit
from .resolving import PersonAnswer


@click.command(
    "resolve",
    cls=DocumentedCommand,
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    examples=(
        ("lmssync resolve", "show what waits for a decision, and the answers to copy"),
        ("lmssync resolve course.safety-101 --done", "its manual steps have been done"),
        ("lmssync resolve course.safety-101 --not-created", "it is not on the platform"),
        ("lmssync resolve --from answers.csv", "an answer in each line of a file"),
    ),
)
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@options.writes
@click.option("--adopt", metavar="ID", help="It is there, under this id; it is read back first.")
@click.option("--unverified", is_flag=True, help="Adopt an id that no route can check.")
@click.option("--not-created", is_flag=True, help="It is not there; the next plan creates it.")
@click.option("--done", is_flag=True, help="All its manual steps have been done by hand.")
@click.option(
    "--from",
    "listed",
    type=options.EXISTING_FILE,
    metavar="FILE",
    help="A CSV file: an address and `adopt ID`, `not-created` or `done` in each line.",
)
@options.as_json
def command(
    *,
    addresses: tuple[str, ...],
    adopt: str | None,
    unverified: bool,
    not_created: bool,
    done: bool,
    listed: Path | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Decide about ADDRESS where lmssync cannot know the outcome; --done takes several.

    Without an answer, shows what waits for a decision: what to search for in the admin interface,
    and where, and the answers as commands. Then it exits with 4 while anything waits.
    """
    said = (adopt is not None) + not_created + done
    if unverified and adopt is None and not listed:
        raise WrongUse("--unverified goes with --adopt ID or --from FILE", "see `resolve --help`")
    if listed and not (addresses or said or json_):
        answers = list(resolving.answers(listed, unverified=unverified))
        return resolving.settle_all(meanings.asking(**given), answers)
    named = dict.fromkeys(map(meanings.address, addresses))
    if not said and not listed:
        return resolving.show_undecided(named, json_=json_, **given)
    if listed or json_:
        option = "--from FILE" if listed else "--json"
        raise WrongUse(f"{option} is not for one answer", "see `resolve --help`")
    if not addresses:
        raise WrongUse("say which ADDRESS it is about", "`lmssync resolve` shows what waits")
    if said != 1:
        raise WrongUse("give one of --adopt ID, --not-created, --done", "see `resolve --help`")
    if len(addresses) > 1 and not done:
        raise WrongUse(
            "a call is resolved one address at a time", "only --done takes several addresses"
        )
    answers = [PersonAnswer(address, adopt, not_created, unverified) for address in named]
    for address, outcome in resolving.settle_together(meanings.asking(**given), answers):
        printing.echo(escape_invisible(f"{address}: {outcome}") + "\n")
    return Exit.DONE
