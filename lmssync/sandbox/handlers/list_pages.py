"""Pages of lists, in the two styles of the platform: by cursor and by page (spec 4)."""

import base64
import binascii
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import orjson

from ..http_messages import Answer, bad_request
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from ..value_checks import quote_value

Place = Callable[[Doc], list[Any]]
"""The place of an item in the order: a list of comparable values, unique per item."""

PAGE_DEFAULT, PAGE_MOST = 50, 200
"""`perPage` (bounds not shown)."""
MANY_MOST = 1000
"""`perPage` where one client states it (O47)."""
LAST_PAGE = 10**9


def page_by_cursor(  # noqa: PLR0913 - a page is made of these
    platform: Platform,
    call: Call,
    key: str,
    *,
    items: Iterable[Doc],
    place: Place,
    show: Callable[[Doc], Doc],
    size: int | None = None,
    falling: bool = False,
) -> Answer:
    """The page after `cursor` of `items`, which are put in the order of `place`.

    The cursor holds the place of the last item seen, so items added or removed meanwhile
    neither repeat nor hide others. The answer has it only while there is more (O42).
    """
    ordered = sorted(items, key=place, reverse=falling)
    start = index_after(call.last_value("cursor"), ordered, place=place, falling=falling)
    end = start + (platform.switches.pageSize if size is None else size)
    more = end < len(ordered)
    last = encode_cursor(place(ordered[end - 1])) if more else None
    info = {"total": len(ordered), "cursor": last, "hasMore": more}
    page = map(show, ordered[start:end])
    return wrap_list(platform, key, page, info=info, whole=map(show, ordered))


def index_after(
    cursor: str | None, items: Sequence[Doc], *, place: Place, falling: bool = False
) -> int:
    """The index of the first item after the place in a cursor."""
    if not cursor:
        return 0
    seen = decode_cursor(cursor)
    for index, item in enumerate(items):
        here = place(item)
        if len(here) != len(seen) or [type(v) for v in here] != [type(v) for v in seen]:
            raise bad_request(f"cursor: {quote_value(cursor)} is not a cursor of this list")
        if here < seen if falling else here > seen:
            return index
    return len(items)


def encode_cursor(place: list[Any]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(place)).decode().rstrip("=")


def decode_cursor(cursor: str) -> list[Any]:
    """The place that a cursor holds; 400 where it is none of ours."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        place = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error):
        place = None
    if not isinstance(place, list):
        raise bad_request(f"cursor: {quote_value(cursor)} is not a cursor of this list")
    return place


def page_by_number(
    platform: Platform,
    call: Call,
    key: str,
    *,
    items: Sequence[Doc],
    show: Callable[[Doc], Doc] = dict,
    cursors: bool = False,
    whole: bool = False,
) -> Answer:
    """Page `page` (from 1) of `items`, `perPage` a page; without `perPage` all of a list that
    clients read `whole` (O66).

    With `cursors` also the page of a `cursor`, which goes before `page`; the answer has one while
    there is more, and a page may be larger (O47).
    """
    most = MANY_MOST if cursors else PAGE_MOST
    usual = max(len(items), 1) if whole else PAGE_DEFAULT
    size = read_number(call, "perPage", default=usual, most=most)
    cursor = call.last_value("cursor") if cursors else None
    current = _page_in(cursor) if cursor else read_number(call, "page", default=1, most=LAST_PAGE)
    start = (current - 1) * size
    more = start + size < len(items)
    info: Doc = {"perPage": size, "currentPage": current, "total": len(items), "hasMore": more}
    if cursors and more:
        # The number of the page in unpadded base64, as cursors of such lists are seen (O47).
        info["cursor"] = base64.b64encode(str(current + 1).encode()).decode().rstrip("=")
    page = map(show, items[start : start + size])
    return wrap_list(platform, key, page, info=info, whole=map(show, items))


def _page_in(cursor: str) -> int:
    """The page that a cursor holds; 400 where it is none of ours."""
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, validate=True).decode("ascii")
        page = int(text[:12]) if text.isdigit() else 0
    except (ValueError, binascii.Error):
        page = 0
    if not 1 <= page <= LAST_PAGE:
        raise bad_request(f"cursor: {quote_value(cursor)} is not a cursor of this list")
    return page


def require_choice(name: str, given: str, allowed: Iterable[str]) -> None:
    """400 if a value of the query is none of those that its parameter takes."""
    words = list(allowed)
    if given not in words:
        raise bad_request(
            f"{name}: {quote_value(given)} is not allowed; it must be one of {', '.join(words)}"
        )


def read_number(call: Call, name: str, *, default: int, most: int) -> int:
    """A whole number of the query, from 1; 400 if it is not one."""
    given = call.last_value(name)
    return default if given is None else parse_number(given, name=name, most=most)


def parse_number(given: str, *, name: str, most: int) -> int:
    """The number that a parameter gives, from 1 to `most`."""
    if not (given.isascii() and given.isdigit()) or not 1 <= int(given[:12]) <= most:
        allowed = f"it must be a whole number from 1 to {most}"
        raise bad_request(f"{name}: {quote_value(given)} is not allowed; {allowed}")
    return int(given)


def wrap_list(
    platform: Platform, key: str, page: Iterable[Doc], *, info: Doc, whole: Iterable[Doc]
) -> Answer:
    """A list in the envelope of the switch `listEnvelope` (O44); a bare one is always whole."""
    form = platform.switches.listEnvelope
    if form == "bare":
        return Answer(list(whole))
    return Answer({"pageInfo": info, "data" if form == "data" else key: list(page)})
