"""Reads a list page by page to its end, and stops if it makes no progress."""

import time
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

from . import answers
from .shapes import Misfit, PageInfo

_PAGES_MOST = 10_000
_SIZE_MOST = 256 * 1024 * 1024
"""Bytes of all pages together."""
_SECONDS_MOST = 3_600.0
_SLACK = 200
"""Extra items allowed beyond twice the reported total: others may add some during the read."""


class Page(NamedTuple):
    """One page of a list."""

    items: Sequence[Any]
    """Its items that earlier pages did not have."""
    left: int
    """Pages that follow, as far as the platform says how long the list is; else 0."""
    more: bool
    """Whether any follows."""


class Walk:
    """What is known of a list so far; raises `Misfit` if the pages repeat."""

    def __init__(self, key: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._key = key
        self._clock = clock
        self._end = clock() + _SECONDS_MOST
        self._size = 0
        self._pages = 0
        self._cursors: set[str] = set()
        self._ids: set[str] = set()

    def take_page(self, answer: Any, size: int = 0) -> tuple[Page, dict[str, Any] | None]:
        """A page without the items that earlier pages had, since rows may move during the read,
        and the query of the next page, if there is one (spec 4, O26, O42).

        `size` is the size of the page in bytes.
        """
        items = answers.find_items(answer, self._key)
        if items is None:
            raise Misfit("the platform has no such list (404)")
        fresh = [item for item in items if self._is_first(item)]
        self._pages += 1
        self._size += size
        if items and not fresh:
            raise Misfit(f"page {self._pages} holds only items of earlier pages")
        info = PageInfo.model_validate(answers.page_info(answer) or {"hasMore": False})
        if info.total is not None and len(self._ids) > 2 * info.total + _SLACK:
            raise Misfit(f"{len(self._ids)} items have come, but it says that it has {info.total}")
        onward = self._next_query(info, items) if info.hasMore else None
        left = max((info.total or 0) - len(self._ids), 0) if onward else 0
        return Page(fresh, ceil(left / len(items)) if items else 0, onward is not None), onward

    def _is_first(self, item: Mapping[str, Any]) -> bool:
        before = len(self._ids)
        self._ids.add(item["id"])
        return len(self._ids) > before

    def _next_query(self, info: PageInfo, items: list[Any]) -> dict[str, Any]:
        if not items:
            raise Misfit(f"page {self._pages} is empty, but it says that there is more")
        self._within_limits()
        if info.cursor:
            return {"cursor": self._require_unseen(info.cursor)}
        if info.currentPage is None:
            raise Misfit("it says that there is more but names no cursor and no page")
        return {"page": self._pages + 1}

    def _within_limits(self) -> None:
        """Refuse a list that goes on without end, even if each page is new."""
        if self._pages == _PAGES_MOST:
            raise Misfit(f"it has not ended after {_PAGES_MOST:,} pages")
        if self._size > _SIZE_MOST:
            raise Misfit(f"it has not ended after {_SIZE_MOST // 1024 // 1024} MB")
        if self._clock() > self._end:
            raise Misfit(f"it has not ended after {_SECONDS_MOST / 60:.0f} minutes")

    def _require_unseen(self, cursor: str) -> str:
        if cursor in self._cursors:
            raise Misfit(
                f"it names the cursor `{answers.platform_words(cursor)[:60]}` a second time"
            )
        self._cursors.add(cursor)
        return cursor
