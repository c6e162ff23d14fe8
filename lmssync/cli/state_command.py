"""`lmssync state`."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..errors import WrongUse
from ..resource import Address
from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand, DocumentedGroup
from .exits import Exit
from .recorded_resources import matches, refuse_unmatched, require_record
from .state_at import at
from .state_export import export, import_
from .state_forget import forget, rm
from .state_move import key, move

if TYPE_CHECKING:
    from ..state import Event


def _moment(_ctx: click.Context, _option: click.Parameter, text: str | None) -> datetime | None:
    """A date or a time as people write it; without a zone it is in UTC, as the history is."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUse(
            f"`--since {text}` is not a date", "write 2027-01-31, or 2027-01-31T08:00"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command(
    "history",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state history", "all that has happened, newest last"),
        ("lmssync state history course.safety-101", "what has happened to one course"),
        ("lmssync state history --since 2027-01-31 --limit 20", "the last lines since a day"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@click.option("--since", metavar="DATE", callback=_moment, help="Leave out what was before (UTC).")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Show the newest N only.")
@options.as_json
def history(
    *,
    addresses: tuple[str, ...],
    since: datetime | None,
    limit: int | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Show what has happened to what is recorded, newest last.

    ADDRESS may be a pattern (`course.safety-*`). Each line says when and what, of which resources,
    and by which plan and commit.
    """
    from ..report.state_report import history_json, history_text

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        every = store.journal_history()
    known = sorted({Address.parse(name) for event in every for name in _names(event)})
    refuse_unmatched(addresses, known)
    shown = [e for e in every if _is_about(e, addresses) and not _is_before(e, since)]
    shown = shown[-limit:] if limit else shown
    view: Any = history_json(shown) if json_ else history_text(shown, _picks(addresses))
    printing.echo(view)


def _names(event: "Event") -> list[str]:
    return [*event.addresses, *event.moved]


def _is_about(event: "Event", patterns: tuple[str, ...]) -> bool:
    return not patterns or any(map(_picks(patterns), _names(event)))


def _picks(patterns: tuple[str, ...]) -> Any:
    return lambda name: matches(Address.parse(name), patterns)


def _is_before(event: "Event", since: datetime | None) -> bool:
    return since is not None and datetime.fromisoformat(event.time) < since


@click.command(
    "verify",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS,
    examples=(("lmssync state verify", "prove that nothing of the state was changed"),),
)
@options.where
def verify(**given: Unpack[options.WhereOptions]) -> None:
    """Prove that the log of the state is whole, and that what is recorded follows from it.

    Every entry is compared with its digest and with the entry before, the log is played again from
    its beginning, and the result is compared with what is recorded. Where the log is kept
    elsewhere, all of it is read from there. Ends with 1 and names the entry if something is wrong.
    """
    from ..report.value_words import count_noun
    from ..state import verify_log

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        if not store.lineage:
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        found = verify_log(store)
        home = store.shared.home.place if store.shared else ""
    kept = f" in {count_noun(found.segments, 'segment')} at {home}" if home else ""
    click.echo(escape_invisible(f"{found.entries:,} entries{kept}: all as they were written"))
    if found.waiting:
        click.echo(f"{found.waiting} of them wait for the next run, which hands them in")


@click.command(
    "unlock",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state unlock", "show which run holds the state, and ask"),
        ("lmssync state unlock --yes", "take the state from it"),
    ),
)
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
        click.echo(escape_invisible(f"held by {held.describe_holder}{ends}"))
        if not yes:
            _ask()
        store.take_from(held)
    click.echo("nobody holds it any more")


def _ask() -> None:
    if not sys.stdin.isatty():
        raise WrongUse("there is no terminal to ask whether that run is gone", "use --yes")
    click.confirm("Is that run gone, and may another one go on?", abort=True)


@click.command(
    "mv",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state mv course.safety course.safety-101", "another key for what is recorded"),
    ),
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.writes
def mv(*, old: str, new: str, **given: Unpack[options.WhereOptions]) -> None:
    """Give what is recorded as OLD the address NEW, with its ids and with what is inside it.

    For repairs: where a manifest gets another key, `moved` in it says the same, and reviewers see
    it. Whatever refers to OLD refers to NEW afterwards. The platform is not asked.
    """
    from ..sync import repairs

    place = meanings.place(**given)
    before, after = meanings.address(old), meanings.address(new)
    with place.existing_store() as store, store.hold_state():
        pairs = repairs.move_record(store, before, after)
    for was, now in pairs.items():
        click.echo(f"{was} is now {now}")


@click.group(
    "state",
    cls=DocumentedGroup,
    examples=(("lmssync state list", "list what is recorded, and what waits"),),
)
def command() -> None:
    """Show or change what lmssync has recorded."""


for inner in (at, export, forget, history, import_, key, move, mv, rm, unlock, verify):
    command.add_command(inner)


@command.command(
    "list",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state list", "list what is recorded, and what waits"),
        ("lmssync state list 'course.safety-*'", "list some of it"),
        ("lmssync state list --json", "the same for a program"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
def list_(
    *, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """List every resource with its id, what was forgotten, open manual steps, and calls that wait.

    ADDRESS may be a pattern (`course.safety-*`). The ids of what was forgotten are kept, so it is
    not made again if it comes back to the catalog.
    """
    from ..report.state_report import state_list, states_json
    from .recorded_resources import list_state

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        view = list_state(store, addresses)
    printing.echo(states_json(view) if json_ else state_list(view))


@command.command(
    "show",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state show course.safety-101", "show everything that is recorded about a course"),
    ),
)
@click.argument("address")
@options.where
def show(*, address: str, **given: Unpack[options.WhereOptions]) -> None:
    """Show all that is recorded about ADDRESS: ids, parts, manual steps, the form as applied."""
    from ..report import state_report

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        record = require_record(store, meanings.address(address))
        steps = store.open_steps(asleep=True)
    printing.echo(state_report.state_json(record, steps))


@command.command(
    "rebind",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(("lmssync state rebind https://new.example.com", "the platform has a new address"),),
)
@click.argument("base_url", metavar="BASE_URL")
@options.writes
def rebind(*, base_url: str, **given: Unpack[options.WhereOptions]) -> None:
    """Record that the instance of this state has moved to BASE_URL.

    The ids in the state must be those of that instance: lmssync does not check this.
    """
    from ..state import instance_of
    from ..support.hosts import NoHost, parse_site

    try:
        parse_site(base_url)
    except NoHost as wrong:
        shown = f"`{base_url}` " if "@" not in base_url else "the address "
        raise WrongUse(f"{shown}{wrong}", "write it as in lmssync.yaml") from None
    place = meanings.place(**given)
    with place.existing_store() as store, store.hold_state():
        before = store.instance
        store.rebind_instance(instance_of(base_url))
    note = f"the state now belongs to the instance at {base_url}; before: {before or 'none'}"
    click.echo(escape_invisible(note))
