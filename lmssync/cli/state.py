"""`lmssync state`."""

from pathlib import Path

import click

from ..errors import WrongUse
from . import options
from .exits import Exit


@click.group("state")
def command() -> None:
    """Look at what lmssync has recorded."""


@command.command("list")
@options.catalog
@options.environment
@options.as_json
def list_(*, root: Path, environment: str | None, json_: bool) -> int:
    """Every resource with its id on the platform, steps for people, and calls that wait."""
    from ..report import state_text

    place = options.place(root, environment)
    with place.store() as store:
        records, waiting, steps = list(store.records()), store.open_operations(), store.steps()
    if json_:
        options.echo_json(state_text.states_json(records, steps))
    else:
        click.echo(state_text.state_list(records, waiting, steps), nl=False)
    return Exit.DONE


@command.command("show")
@click.argument("address")
@options.catalog
@options.environment
def show(*, address: str, root: Path, environment: str | None) -> int:
    """Everything recorded of ADDRESS: ids, parts, steps for people, the form as applied."""
    from ..problems import near
    from ..report import state_text

    place = options.place(root, environment)
    with place.store() as store:
        record = store.record(options.address(address))
        known = [] if record else [str(known) for known in store.fingerprints()]
        steps = store.steps(asleep=True)
    if record is None:
        raise WrongUse(f"nothing is recorded of {address}", near(address, known))
    click.echo(state_text.state_show(record, steps), nl=False)
    return Exit.DONE


@command.command("forget")
@click.argument("address")
@options.catalog
@options.environment
def forget(*, address: str, root: Path, environment: str | None) -> int:
    """Stop managing ADDRESS; the platform keeps it. Still in the catalog, it is made again."""
    place = options.place(root, environment)
    target = options.address(address)
    with place.store() as store, store.locked():
        if store.record(target) is None:
            raise WrongUse(
                f"nothing is recorded of {address}", "`lmssync state list` shows what is"
            )
        if any(m.address == target for op in store.open_operations() for m in op.members):
            raise WrongUse(
                f"a call for {address} waits for a decision; it would be lost",
                f"`lmssync apply` looks for it, or `lmssync resolve {address}`",
            )
        dropped = [step for step in store.steps(asleep=True) if step.address == target]
        store.forget([target], reason="state forget", wholly=True)
    click.echo(f"{address} is not managed any more")
    for step in dropped:
        click.echo(f"this is not asked for any more: {step.manual.text}")
    return Exit.DONE
