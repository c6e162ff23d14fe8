"""Pages of lists, in the two styles of the platform: by cursor and by page (spec 4)."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from ..checks import shown
from ..serving.exchange import Answer, Call
from ..serving.refusals import bad
from ..world import World

Doc = dict[str, Any]
Place = Callable[[Doc], list[Any]]
"""Where an item stands in the order: a list of comparable values, unique per item."""

PAGE_DEFAULT, PAGE_MOST = 50, 200
"""`perPage` (bounds not shown)."""


def by_cursor(  # noqa: PLR0913 - a page is made of these
    world: World,
    call: Call,
    key: str,
    *,
    items: Sequence[Doc],
    place: Place,
    size: int,
    falling: bool = False,
    show: Callable[[Doc], Doc] = dict,
) -> Answer:
    """The page after `cursor` of `items`, which stand in the order of `place`.

    The cursor holds the place of the last item seen, so items added or removed meanwhile
    neither repeat nor hide others. It is told only while there is more (O42).
    """
    start = after(call.one("cursor"), items, place=place, falling=falling)
    page = [show(item) for item in items[start : start + size]]
    more = start + size < len(items)
    last = cursor_of(place(items[start + size - 1])) if more else None
    info = {"total": len(items), "cursor": last, "hasMore": more}
    return listed(world, key, page=page, info=info, whole=lambda: [show(item) for item in items])


def after(cursor: str | None, items: Sequence[Doc], *, place: Place, falling: bool = False) -> int:
    """The index of the first item after the place in a cursor."""
    if not cursor:
        return 0
    seen = place_in(cursor)
    for index, item in enumerate(items):
        here = place(item)
        if len(here) != len(seen) or [type(v) for v in here] != [type(v) for v in seen]:
            raise bad(f"cursor: {shown(cursor)} is not a cursor of this list")
        if here < seen if falling else here > seen:
            return index
    return len(items)


def cursor_of(place: list[Any]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(place)).decode().rstrip("=")


def place_in(cursor: str) -> list[Any]:
    """The place that a cursor holds; 400 where it is none of ours."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        place = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error):
        place = None
    if not isinstance(place, list):
        raise bad(f"cursor: {shown(cursor)} is not a cursor of this list")
    return place


def by_page(
    world: World, call: Call, key: str, *, items: Sequence[Doc], show: Callable[[Doc], Doc] = dict
) -> Answer:
    """Page `page` (from 1) of `items`, `perPage` a page."""
    size = number(call, "perPage", default=PAGE_DEFAULT, most=PAGE_MOST)
    current = number(call, "page", default=1, most=10**9)
    start = (current - 1) * size
    info = {
        "perPage": size,
        "currentPage": current,
        "total": len(items),
        "hasMore": start + size < len(items),
    }
    page = [show(item) for item in items[start : start + size]]
    return listed(world, key, page=page, info=info, whole=lambda: [show(item) for item in items])


def number(call: Call, name: str, *, default: int, most: int) -> int:
    """A whole number of the query, from 1; 400 if it is not one."""
    given = call.one(name)
    if given is None:
        return default
    if not (given.isascii() and given.isdigit()) or not 1 <= int(given[:12]) <= most:
        raise bad(f"{name}: {shown(given)} is not allowed; it is a whole number from 1 to {most}")
    return int(given)


def listed(
    world: World, key: str, *, page: list[Doc], info: Doc, whole: Callable[[], list[Doc]]
) -> Answer:
    """A list in the envelope of the switch `listEnvelope` (O44); a bare one is always whole."""
    form = world.switches.listEnvelope
    if form == "bare":
        return Answer(whole())
    return Answer({"pageInfo": info, "data" if form == "data" else key: page})
