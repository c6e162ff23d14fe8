"""`lmssync state forget` and `state rm`."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Unpack

import click

from ..support.visible import escape_invisible
from . import chosen_workspace as meanings, options, printing
from .command_help import PROJECT_EXITS, DocumentedCommand
from .exits import Exit
from .recorded_resources import matches, refuse_unmatched

if TYPE_CHECKING:
    from ..resource import Address
    from ..state import Store
    from ..sync.repairs import Forgotten


@click.command(
    "forget",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state forget course.safety-101", "stop managing a course; it stays there"),
    ),
)
@click.argument("address")
@options.writes
@click.option("--drop-ids", is_flag=True, help="Forget its ids as well.")
def forget(*, address: str, drop_ids: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Stop managing ADDRESS; the platform keeps it.

    Its ids are kept: if it is still in the catalog, or comes back, it is managed again and not
    created a second time. With --drop-ids it would be.
    """
    from ..sync import repairs

    place = meanings.place(**given)
    target = meanings.address(address)
    with place.existing_store() as store, store.hold_state():
        left = repairs.forget_records(store, [target], drop_ids=drop_ids, reason="state forget")
    _tell(left, drop_ids=drop_ids)


@click.command(
    "rm",
    cls=DocumentedCommand,
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state rm 'course.old-*'", "stop managing some courses; they stay there"),
        ("lmssync state rm 'course.old-*' --dry-run", "only say which"),
    ),
)
@click.argument("addresses", metavar="ADDRESS...", nargs=-1, required=True)
@options.writes
@click.option("--drop-ids", is_flag=True, help="Forget the ids as well, as terraform does.")
@click.option("--dry-run", is_flag=True, help="Only say what would be forgotten.")
def rm(
    *,
    addresses: tuple[str, ...],
    drop_ids: bool,
    dry_run: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Stop managing each ADDRESS, which may be a pattern (`course.old-*`); the platform keeps it.

    The same as `state forget`, for several resources: all of them or none. The ids are kept, so
    the next apply manages again what is still in the catalog. With --drop-ids, lmssync knows
    nothing of it any more, and the next apply creates a second one of what is still in the catalog,
    since nothing is deleted on the platform.
    """
    from ..sync import repairs

    opened = meanings.place(**given).existing_store(read_only=dry_run)
    with opened as store, nullcontext() if dry_run else store.hold_state():
        targets = _choose_addresses(store, addresses, drop_ids=drop_ids)
        left = repairs.forget_records(
            store, targets, drop_ids=drop_ids, reason="state rm", dry_run=dry_run
        )
    _tell(left, drop_ids=drop_ids, dry_run=dry_run)
    if dry_run:
        click.echo("nothing was changed", err=True)


def _choose_addresses(
    store: "Store", patterns: Sequence[str], *, drop_ids: bool
) -> list["Address"]:
    """What the patterns name: of what was forgotten only the ids can still be dropped."""
    known = sorted({*store.fingerprints(), *(store.forgotten_addresses() if drop_ids else ())})
    refuse_unmatched(patterns, known)
    return [address for address in known if matches(address, patterns)]


def _tell(left: "Forgotten", *, drop_ids: bool, dry_run: bool = False) -> None:
    verb = "would no longer be" if dry_run else "is no longer"
    for record in left.records:
        ids = escape_invisible(", ".join(record.ids.own.values()))
        kept = f"on the platform its id is {ids}" if drop_ids else "its ids are kept"
        click.echo(f"{record.address} {verb} managed; {kept}")
    for step in left.steps:
        about = f"{step.address}, " if len(left.records) > 1 else ""
        note = f"this manual step is no longer asked for: {about}{step.manual.text}"
        click.echo(escape_invisible(note))
    if drop_ids and len(left.records) == 1:
        adopt = f"`lmssync adopt {escape_invisible(left.adopted_by)}`"
        printing.echo(f"if the catalog still has it, it is created again: {adopt}\n")
    elif drop_ids:
        click.echo("what the catalog still has is created again: `lmssync adopt ADDRESS=ID`")
