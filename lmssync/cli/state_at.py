"""`lmssync state at`, and what `plan --as-of` shares with it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand

if TYPE_CHECKING:
    from ..planning.workspace import Workspace
    from ..state import PastStore


def parse_then(text: str) -> datetime | int:
    """A serial, or a date or time as people write it; without a zone it is in UTC."""
    try:
        if text.isdecimal():
            return int(text)  # which Python refuses for some thousand digits
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUse(
            f"`{text}` is neither a time nor a serial", "write 2027-01-31T08:00, or 42"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def workspace_then(place: "Workspace", text: str, out: Path | None) -> "Workspace":
    """The place as it was recorded then; raises `WrongUse` where a plan would be saved."""
    if out:
        raise WrongUse(
            "a plan as of an earlier state cannot be saved: it would not be applied to that",
            "leave out `--out`, or `--as-of`",
        )
    from ..state import state_at_moment

    moment = parse_then(text)
    with place.store(read_only=True) as store:
        tell(state_at_moment(store, moment))
    return place._replace(as_of=moment)


def tell(store: "PastStore") -> None:
    """Says which state is shown, on stderr."""
    last = f"{store.last.time[:19]}Z, by run {store.last.run or '?'}"
    note = f"note: this is the state of serial {store.serial}, as it was left at {last}"
    click.echo(escape_invisible(note), err=True)


@click.command(
    "at",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state at 2027-01-31T08:00", "what was recorded then"),
        ("lmssync state at 42 --json", "the state of serial 42 as a document"),
    ),
)
@click.argument("moment", metavar="TIME|SERIAL")
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
def at(
    *, moment: str, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """Show what was recorded at a time (UTC) or at a serial.

    It is made by playing the log again up to there. With --json it is the whole state as `state
    export` would have written it; `state history` shows the times.
    """
    from ..report.state_report import state_list
    from ..state import export_state, state_at_moment
    from .recorded_resources import list_state

    place = meanings.place(**given)
    if json_ and addresses:
        raise WrongUse("with --json the whole state is shown", "leave out the addresses")
    with place.store(read_only=True) as store:
        past = state_at_moment(store, parse_then(moment))
        tell(past)
        view = export_state(past).to_plain() if json_ else state_list(list_state(past, addresses))
    printing.echo(view)
