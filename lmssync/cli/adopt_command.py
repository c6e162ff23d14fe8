"""`lmssync adopt`."""

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import LmssyncError, WrongUse
from ..resource import Address
from . import options
from .chosen_workspace import choose_online_workspace, parse_typed_address
from .command_help import PLATFORM_EXITS, documented_command
from .csv_lists import read_csv_rows
from .exits import Exit
from .safe_output import print_line
from .terminal_output import print_view

_LINE = "an address and an id on each line: `course.safety-101,ID`"
_HEADING = re.compile(r"[^\W\d]+([ _-][^\W\d]+)*")
if TYPE_CHECKING:
    from ..state import Counts


@documented_command(
    "adopt",
    exits=PLATFORM_EXITS | {Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some were taken over, others were refused"},
    examples=(
        (
            "lmssync adopt course.safety-101=7d1c0000-0000-4000-8000-000000000001",
            "manage a course that is on the platform already",
        ),
        ("lmssync adopt --from ids.csv", "manage each course of a file with lines `ADDRESS,ID`"),
    ),
)
@click.argument("pairs", metavar="[ADDRESS=ID]...", nargs=-1)
@options.writes
@options.list_option("CSV file with an address and an id on each line.")
@click.option("--unverified", is_flag=True, help="Accept an id that no route can check.")
@click.option(
    "--send-unread",
    is_flag=True,
    help="Have the next apply send the fields that no read shows: else they count as unverified.",
)
@click.option(
    "--new-state", is_flag=True, help="Go on although the state is new, or older than the platform."
)
def command(
    *,
    pairs: tuple[str, ...],
    listed: Path | None,
    unverified: bool,
    send_unread: bool,
    **given: Unpack[options.Decided],
) -> int:
    """Take over something that is on the platform already: ID becomes ADDRESS of the catalog.

    lmssync reads it first, and refuses it if it does not match the manifest. What differs is sent
    by the next apply, or becomes manual steps. What no read shows is taken to be as the manifest
    says.
    """
    from ..sync import record_edits
    from .progress import ProgressLines

    wanted = [(parse_typed_address(address), id_) for address, id_ in map(_parse_pair, pairs)]
    found, misfits = _read_pairs(listed) if listed else ((), ())
    wanted += found
    for misfit in misfits:
        print_line(f"{misfit.message}; {misfit.hint}", err=True)
    if misfits and not wanted:
        raise WrongUse(f"no line of {listed} has an address and an id", f"write {_LINE}")
    if not wanted:
        raise WrongUse(
            "say what to adopt: ADDRESS=ID, or --from FILE",
            "`lmssync adopt --help` shows how it is used",
        )
    place = choose_online_workspace(**given)
    with place.store() as store, ProgressLines() as progress:
        taken = record_edits.adopt_found(
            place, store, progress, wanted, unverified=unverified, sends_unread=send_unread
        )
        only = len(wanted) == 1 and not misfits
        refused = [_print_adoption(address, outcome, only=only) for address, outcome in taken]
        fields = record_edits.count_adopted_fields(place, store, taken)
    if fields.unverifiable and not send_unread:
        print_view(_describe_unverified(fields))
    print_view("`lmssync plan` shows what is left to do\n")
    if any(refused) or misfits:
        left, of = sum(refused) + len(misfits), len(wanted) + len(misfits)
        click.echo(f"{left:,} of {of:,} were not adopted", err=True)
        return Exit.ERROR if all(refused) else Exit.PARTIAL
    return Exit.DONE


def _describe_unverified(fields: "Counts") -> str:
    return (
        f"no route of this instance shows {fields.unverifiable:,} of {fields.fields:,} fields: "
        "they are recorded as the manifests say, unverified; with `--send-unread`, the next apply "
        "sends them\n"
    )


def _print_adoption(address: "Address", outcome: "str | LmssyncError", *, only: bool) -> bool:
    """Prints how it went; true if it was refused, which is raised if nothing else was asked for."""
    if isinstance(outcome, str):
        print_line(f"{address}: {outcome}")
        return False
    if only:
        raise outcome
    print_line(f"{address}: not adopted: {outcome.message}; {outcome.hint}", err=True)
    return True


def _read_pairs(file: Path) -> "tuple[list[tuple[Address, str]], list[WrongUse]]":
    """The address and the id of each line, in whichever column each is, and lines without them.

    A first line of mere words is a heading.
    """
    pairs: list[tuple[Address, str]] = []
    misfits: list[WrongUse] = []
    for number, row in read_csv_rows(file, "an address and an id: `course.safety-101,ID`"):
        cells = [cell for cell in row if cell]
        if not pairs and not misfits and all(map(_HEADING.fullmatch, cells)):
            continue
        try:
            pairs.append(_parse_line(*cells[:2]))
        except WrongUse as error:
            misfits.append(WrongUse(f"{file}:{number}: {error.message}", error.hint))
    return pairs, misfits


def _parse_line(first: str, second: str = "") -> "tuple[Address, str]":
    """The address and the id of a line; raises `WrongUse`."""
    if not second:
        raise WrongUse(f"there is no id beside `{first}`", f"write {_LINE}")
    try:
        return parse_typed_address(first), second
    except WrongUse:
        with suppress(WrongUse):
            return parse_typed_address(second), first
        raise


def _parse_pair(text: str) -> tuple[str, str]:
    address, sign, id_ = text.partition("=")
    if not sign or not id_:
        raise WrongUse(f"`{text}` is not ADDRESS=ID", "write `lmssync adopt course.safety-101=ID`")
    return address, id_.strip()
