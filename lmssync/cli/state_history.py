"""`lmssync state history`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Unpack

import click

from ..address import Address
from ..errors import WrongUse
from . import meanings, options, printing
from .matching import matches, refuse_unmatched

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


@click.command("history")
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
    from ..report.history_text import history_json, history_text

    place = meanings.place(**given)
    with place.store(read_only=True) as store:
        every = store.history()
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
