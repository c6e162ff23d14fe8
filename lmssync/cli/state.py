"""`lmssync state`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import options
from .commands import Commands
from .matching import matches, refuse_unmatched
from .state_export import export
from .state_forget import forget, rm
from .state_history import history
from .state_import import import_
from .state_mv import mv

if TYPE_CHECKING:
    from ..report.state_text import StateListing
    from ..state import Store


@click.group("state", cls=Commands)
def command() -> None:
    """Show or change what lmssync has recorded."""


for inner in (export, forget, history, import_, mv, rm):
    command.add_command(inner)


@command.command("list")
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
    from ..report.state_text import state_list, states_json

    place = options.place(**given)
    with place.store(read_only=True) as store:
        listed = _listed(store, addresses)
    options.echo(states_json(listed) if json_ else state_list(listed))


def _listed(store: "Store", patterns: Sequence[str]) -> "StateListing":
    from ..report.state_text import StateListing

    refuse_unmatched(patterns, [*store.fingerprints(), *store.forgotten(), *store.waiting()])
    return StateListing(
        [record for record in store.records() if matches(record.address, patterns)],
        [record for record in store.records(forgotten=True) if matches(record.address, patterns)],
        [step for step in store.steps() if matches(step.address, patterns)],
        [
            call
            for call in store.open_calls()
            if not patterns or any(matches(part.address, patterns) for part in call.parts)
        ],
    )


@command.command("show")
@click.argument("address")
@options.where
def show(*, address: str, **given: Unpack[options.WhereOptions]) -> None:
    """Show all that is recorded about ADDRESS: ids, parts, manual steps, the form as applied."""
    from ..problems import near
    from ..report import state_text

    place = options.place(**given)
    with place.store(read_only=True) as store:
        record = store.record(options.address(address))
        known = [] if record else [str(known) for known in store.fingerprints()]
        steps = store.steps(asleep=True)
    if record is None:
        raise WrongUse(f"nothing is recorded for {address}", near(address, known))
    options.echo(state_text.state_json(record, steps))


@command.command("rebind")
@click.argument("base_url", metavar="BASE_URL")
@options.writes
def rebind(*, base_url: str, **given: Unpack[options.WhereOptions]) -> None:
    """Record that the instance of this state has moved to BASE_URL.

    The ids in the state must be those of that instance: lmssync does not check this.
    """
    from ..hosts import NoHost, site
    from ..state import instance_of

    try:
        site(base_url)
    except NoHost as wrong:
        shown = f"`{base_url}` " if "@" not in base_url else "the address "
        raise WrongUse(f"{shown}{wrong}", "write it as in lmssync.yaml") from None
    place = options.place(**given)
    with place.store() as store, store.locked():
        before = store.instance
        store.rebind(instance_of(base_url))
    note = f"the state now belongs to the instance at {base_url}; before: {before or 'none'}"
    click.echo(visible(note))
