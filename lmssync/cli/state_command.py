"""`lmssync state`: the commands that show what is recorded, and when."""

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..errors import WrongUse
from ..resource import Address
from ..vocabulary.iso_dates import parse_moment
from . import options
from .chosen_workspace import (
    choose_workspace,
    matches_patterns,
    note_shown_state,
    parse_typed_address,
    refuse_unmatched,
    require_record,
    require_state,
)
from .command_help import PROJECT_EXITS, documented_group
from .exits import Exit
from .safe_output import print_line
from .state_edit_command import encryption_key, export, forget, import_, key, move, mv, rebind, rm
from .terminal_output import ask_yes_or_no, print_view
from .typed_moments import parse_moment_or_serial, parse_past_moment

if TYPE_CHECKING:
    from ..report.state_report import StateListing
    from ..state import Record, Store


@documented_group(
    "state",
    examples=(("lmssync state list", "list what is recorded, and what waits"),),
)
def command() -> None:
    """Show or change what lmssync has recorded."""


for edit in (encryption_key, export, forget, import_, key, move, mv, rebind, rm):
    command.add_command(edit)


@command.command(
    "history",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state history", "show everything that has happened"),
        ("lmssync state history course.safety-101", "show what has happened to one course"),
        (
            "lmssync state history --since 2027-01-31 --limit 20",
            "show the newest 20 lines since a day",
        ),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@click.option(
    "--since",
    metavar="TIME",
    callback=parse_past_moment,
    help="Show only what happened from this time on: a date, a time (UTC), or 30d, 12h, 45m.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Show only the newest N.")
@options.as_json
def history(
    *,
    addresses: tuple[str, ...],
    since: datetime | None,
    limit: int | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Show what has happened to each resource, newest last.

    ADDRESS may be a pattern (`course.safety-*`). Each line says when, what, to which resources, and
    by which plan and commit.
    """
    from ..report.state_report import history_json, history_text

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        every = store.journal_history()
    named = [{*event.addresses, *event.moved} for event in every]
    refuse_unmatched(addresses, sorted({Address.parse(name) for names in named for name in names}))

    def is_asked_for(name: str) -> bool:
        return matches_patterns(Address.parse(name), addresses)

    shown = [
        event
        for event, names in zip(every, named, strict=True)
        if (not addresses or any(map(is_asked_for, names)))
        and (since is None or parse_moment(event.time) >= since)
    ]
    shown = shown[-limit:] if limit else shown
    view: Any = history_json(shown) if json_ else history_text(shown, is_asked_for)
    print_view(view)


@command.command(
    "verify",
    exits=PROJECT_EXITS,
    examples=(("lmssync state verify", "prove that nobody has changed the state"),),
)
@options.where
def verify(**given: Unpack[options.WhereOptions]) -> None:
    """Prove that the log of the state is complete, and that the state follows from it.

    Compares every entry with its digest and with the entry before it, replays the log from its
    beginning, and compares the result with what is recorded. A log that is kept elsewhere is read
    in full. If something is wrong, it exits with 1 and names the entry.
    """
    from ..report.value_words import count_noun
    from ..state import verify_log

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        require_state(store)
        found = verify_log(store)
        home = store.shared.backend.place if store.shared else ""
    kept = f" in {count_noun(found.segments, 'segment')} at {home}" if home else ""
    print_line(f"{found.entries:,} entries{kept}: all as they were written")
    if found.waiting:
        click.echo(f"{found.waiting} of them wait for the next run, which appends them")


@command.command(
    "unlock",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state unlock", "show which run has locked the state, and ask"),
        ("lmssync state unlock --yes", "take the state without asking"),
    ),
)
@options.where
@click.option("--yes", is_flag=True, help="Do not ask.")
def unlock(*, yes: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Take the state from a run that is gone, before its lease is over.

    Shows which run has locked the state, and asks. If that run goes on nevertheless, it can
    write and send nothing more. The outcome of its last call may be unknown; the next run looks
    for it.
    """
    from ..report.evidence_text import moment_text

    place = choose_workspace(**given)
    with place.existing_store() as store:
        held = store.log.holder
        if held is None:
            click.echo("no run has locked the state")
            return
        ends = f"; its lease ends on {moment_text(held.until)}" if held.until else ""
        print_line(f"held by {held.describe_holder}{ends}")
        if not yes:
            _ask_for_unlock()
        store.log.break_lease(held)
    click.echo("the state is no longer locked")


def _ask_for_unlock() -> None:
    if not sys.stdin.isatty():
        raise WrongUse("there is no terminal to ask whether that run is gone", "use --yes")
    if not ask_yes_or_no("Is that run gone, and may another one go on?"):
        raise click.Abort


@command.command(
    "list",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state list", "list what is recorded, and what waits"),
        ("lmssync state list 'course.safety-*'", "list some courses"),
        ("lmssync state list --json", "list it as JSON, for a program"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.as_json
def list_(
    *, addresses: tuple[str, ...], json_: bool, **given: Unpack[options.WhereOptions]
) -> None:
    """List each resource with its id, what was forgotten, open manual steps, and calls that wait.

    ADDRESS may be a pattern (`course.safety-*`). The ids of what was forgotten stay, so it is not
    created again if it comes back to the catalog.
    """
    from ..report.state_report import state_list, states_json

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        view = list_state(store, addresses)
    print_view(states_json(view) if json_ else state_list(view))


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
    """Show everything that is recorded about ADDRESS: ids, parts, manual steps, and fields as
    applied.
    """
    from ..report.state_report import state_json

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        record = require_record(store, parse_typed_address(address))
        steps = store.open_steps(include_forgotten=True)
    print_view(state_json(record, steps))


@command.command(
    "at",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state at 2027-01-31T08:00", "show what was recorded then"),
        ("lmssync state at 42 --json", "print the state of serial 42 as a document"),
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

    lmssync replays the log up to there. With --json it prints the whole state, as `state export`
    writes it. `state history` shows times, and this command the serial of a time.
    """
    from ..report.state_report import state_list
    from ..state import export_state, state_at_moment

    place = choose_workspace(**given)
    if json_ and addresses:
        raise WrongUse("with --json the whole state is shown", "leave out the addresses")
    with place.store(read_only=True) as store:
        past = state_at_moment(store, parse_moment_or_serial(moment))
        note_shown_state(past)
        view = export_state(past).to_plain() if json_ else state_list(list_state(past, addresses))
    print_view(view)


def list_state(store: "Store", patterns: Sequence[str]) -> "StateListing":
    """What a list shows of a state; raises `WrongUse` for a pattern that matches nothing."""
    from ..report.state_report import StateListing

    refuse_unmatched(
        patterns,
        [*store.fingerprints(), *store.forgotten_addresses(), *store.unresolved_addresses()],
    )

    def choose_records(*, forgotten: bool) -> "list[Record]":
        every = store.list_records(forgotten=forgotten)
        return [one.without_content() for one in every if matches_patterns(one.address, patterns)]

    return StateListing(
        choose_records(forgotten=False),
        choose_records(forgotten=True),
        [step for step in store.open_steps() if matches_patterns(step.address, patterns)],
        [
            call
            for call in store.open_calls()
            if not patterns or any(matches_patterns(part.address, patterns) for part in call.parts)
        ],
    )
