"""`lmssync state`."""

from typing import Unpack

import click

from ..errors import WrongUse
from ..visible import visible
from . import options
from .commands import Commands


@click.group("state", cls=Commands)
def command() -> None:
    """Show or change what lmssync has recorded."""


@command.command("list")
@options.where
@options.as_json
def list_(*, json_: bool, **given: Unpack[options.Where]) -> None:
    """List every resource with its id, open manual steps, and calls that wait."""
    from ..report.state_text import state_list, states_json

    place = options.place(**given)
    with place.store(read_only=True) as store:
        records, waiting, steps = list(store.records()), store.open_calls(), store.steps()
    options.echo(states_json(records, steps) if json_ else state_list(records, waiting, steps))


@command.command("show")
@click.argument("address")
@options.where
def show(*, address: str, **given: Unpack[options.Where]) -> None:
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


@command.command("forget")
@click.argument("address")
@options.where
@click.option("--drop-ids", is_flag=True, help="Forget its ids as well.")
def forget(*, address: str, drop_ids: bool, **given: Unpack[options.Where]) -> None:
    """Stop managing ADDRESS; the platform keeps it.

    Its ids are kept: if it is still in the catalog, or comes back, it is managed again and not
    created a second time. With --drop-ids it would be.
    """
    from ..diff import children

    place = options.place(**given)
    target = options.address(address)
    with place.store() as store, store.locked():
        record = store.record(target)
        if record is None or (target in store.forgotten() and not drop_ids):
            raise WrongUse(
                f"nothing is recorded for {address}", "`lmssync state list` shows what is"
            )
        if target in store.waiting():
            raise WrongUse(
                f"a call for {address} waits for a decision; it would be lost",
                f"run `lmssync apply` to look for it, or `lmssync resolve {address}`",
            )
        inside = [str(a) for a, _ in children(store, {target})] if drop_ids else []
        if inside:
            raise WrongUse(
                f"{' and '.join(inside)} still belong to the present {address}",
                f"forget them first: `lmssync state forget {inside[0]} --drop-ids`",
            )
        dropped = [step for step in store.steps(asleep=True) if step.address == target]
        store.forget([target], reason="state forget", wholly=drop_ids)
    ids = visible(", ".join(record.ids.own.values()))
    if drop_ids:
        click.echo(f"{address} is no longer managed; on the platform its id is {ids}")
        click.echo(
            f"if the catalog still has it, it is created again: `lmssync adopt {address}=ID`"
        )
    else:
        click.echo(f"{address} is no longer managed; its ids are kept")
    for step in dropped:
        click.echo(f"this manual step is no longer asked for: {visible(step.manual.text)}")


@command.command("rebind")
@click.argument("base_url", metavar="BASE_URL")
@options.where
def rebind(*, base_url: str, **given: Unpack[options.Where]) -> None:
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
