"""Reads one feed page by page, newest first, as far back as wanted (spec 6, O40, O42)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...errors import Refused
from ...platform.client import Reader, find_items, page_info, unreadable_answer
from ...vocabulary.routes import ROUTES
from .happenings import Happening, parse_happening

ROUTE = "event.list"
_PAGES_MOST = 100_000
_EMPTY_MOST = 10
"""Empty pages in a row that may say that there is more."""


class FeedPage(NamedTuple):
    """One answer of a feed."""

    happenings: Sequence[Happening]
    unreadable: int
    """How many of its items have no time that can be read."""
    cursor: str
    """Where the next page begins; empty on the last one."""


def read_feed_pages(
    reader: Reader, kind: str, *, since: int, cursor: str = ""
) -> Iterator[FeedPage]:
    """The pages of a feed from the newest, or from `cursor` on, down to `since`.

    Raises `PlatformError`; `Refused` where the instance has no such feed or takes no such cursor.
    """
    seen, empty = {cursor}, 0
    for _ in range(_PAGES_MOST):
        page = _read_page(
            reader, kind, {"startDate": since} | ({"cursor": cursor} if cursor else {})
        )
        yield page
        if not page.cursor:
            return
        empty = 0 if page.happenings or page.unreadable else empty + 1
        if page.cursor in seen or empty == _EMPTY_MOST:
            raise _unreadable_feed(
                "it says that there is more, but the next page is not further on"
            )
        cursor = page.cursor
        seen.add(cursor)
    raise _unreadable_feed(f"it has not ended after {_PAGES_MOST:,} pages")


def _read_page(reader: Reader, kind: str, query: dict[str, Any]) -> FeedPage:
    answer = reader.read_route(ROUTE, {"kind": kind}, query)
    if answer is None:
        raise Refused(f"the platform has no feed of {kind} (404)", 404)
    shown = find_items(answer, "events")
    if shown is None:
        raise _unreadable_feed("it has no list of events")
    info = page_info(answer) or {}
    cursor = info.get("cursor") if info.get("hasMore") is True else ""
    if not isinstance(cursor, str) or (info.get("hasMore") is True and not cursor):
        raise _unreadable_feed("it says that there is more but names no cursor")
    read = [one for item in shown if (one := parse_happening(kind, item))]
    return FeedPage(read, len(shown) - len(read), cursor)


def _unreadable_feed(what: str) -> Exception:
    route = ROUTES[ROUTE]
    return unreadable_answer(route, route.path, what)
