"""`lmssync state`."""

from typing import Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import meanings, options, printing
from .commands import Commands
from .state_at import at
from .state_export import export, import_
from .state_forget import forget, rm
from .state_history import history
from .state_log import unlock, verify
from .state_move import key, move
from .state_mv import mv


@click.group("state", cls=Commands)
def command() -> None:
    """Show or change what lmssync has recorded."""


for inner in (at, export, forget, history, import_, key, move, mv, rm, unlock, verify):
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
    from .matching import listed

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        view = listed(store, addresses)
    printing.echo(states_json(view) if json_ else state_list(view))


@command.command("show")
@click.argument("address")
@options.where
def show(*, address: str, **given: Unpack[options.WhereOptions]) -> None:
    """Show all that is recorded about ADDRESS: ids, parts, manual steps, the form as applied."""
    from ..problems import near
    from ..report import state_text

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        record = store.record(meanings.address(address))
        known = [] if record else [str(known) for known in store.fingerprints()]
        steps = store.steps(asleep=True)
    if record is None:
        raise WrongUse(f"nothing is recorded for {address}", near(address, known))
    printing.echo(state_text.state_json(record, steps))


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
    place = meanings.place(**given)
    with place.existing_store() as store, store.locked():
        before = store.instance
        store.rebind(instance_of(base_url))
    note = f"the state now belongs to the instance at {base_url}; before: {before or 'none'}"
    click.echo(visible(note))
