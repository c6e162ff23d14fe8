"""What a shell offers after `lmssync get`: lists, their filters and columns, what is recorded."""

from typing import TYPE_CHECKING

import click

from .completing import addresses, root_of

if TYPE_CHECKING:
    from ..platform.lists import PlatformList


def lists(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    from ..platform.lists import LISTS

    return [name for name in LISTS if name.startswith(begun)]


def _list(ctx: click.Context) -> "PlatformList | None":
    """The list that the command line names; where an option still lacks its value, click has not
    given the arguments their names yet."""
    from ..platform.lists import LISTS

    return LISTS.get(ctx.params.get("name") or next(iter(ctx.args), ""))


def complete_recorded(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Addresses of the kinds that name what is listed."""
    one = _list(ctx)
    kinds = {*one.takes.kinds, *one.about} if one else ()
    starts = tuple(f"{kind}." for kind in kinds)
    known = {word for start in starts for word in addresses(root_of(ctx), begun or start)}
    return sorted(word for word in known if word.startswith(starts))


def filters(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    one = _list(ctx)
    offered = (f"{f.name}={word}" for f in (one.filters if one else ()) for word in f.words or [""])
    return [word for word in offered if word.startswith(begun)]


def columns(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    one = _list(ctx)
    before, comma, last = begun.rpartition(",")
    there = (*one.columns, *one.further) if one else ()
    return [f"{before}{comma}{name}" for name in there if name.startswith(last)]
