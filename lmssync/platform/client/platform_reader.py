"""The platform for whoever only reads it: single answers, and lists page by page to their end."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote

import orjson

from ...errors import BudgetSpent, Refused, Unreachable, Unreadable
from ...support.disk_buffer import DiskBuffer
from ...vocabulary.routes import ROUTES, Route
from .answer_bodies import Misfit, describe_failure, find_items, page_info, platform_words
from .request_outcomes import (
    ELSEWHERE,
    DeliveryStatus,
    missing_list,
    platform_error,
    unreadable_answer,
)
from .request_sender import Sender

if TYPE_CHECKING:
    from .answer_shapes import PageInfo

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")
_READ_ATTEMPTS = 4
_NOT_FOUND = 404


_PAGES_MOST = 10_000
_SIZE_MOST = 256 * 1024 * 1024
"""Bytes of all pages together."""
_SECONDS_MOST = 3_600.0
_SLACK = 200
"""Extra items allowed beyond twice the reported total: others may add some during the read."""


class Page(NamedTuple):
    """One page of a list."""

    items: Sequence[Any]
    """The items of a page that earlier pages did not have."""
    left: int
    """Pages that follow, as far as the platform says how long the list is; else 0."""
    more: bool
    """Whether any follows."""


class Walk:
    """The pages of a list so far; raises `Misfit` if they repeat."""

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
        items = find_items(answer, self._key)
        if items is None:
            raise Misfit("it is not there")
        # Rows move while pages are read: what is created meanwhile pushes the last item of one page
        # to the top of the next.
        fresh = [item for item in items if self._is_first(item)]
        self._pages += 1
        self._size += size
        # A server that ignores the parameter of the page sends the first one for ever.
        if items and not fresh:
            raise Misfit(f"page {self._pages} has only items of earlier pages")
        from .answer_shapes import PageInfo  # and pydantic with it: not every run reads a list

        info = PageInfo.model_validate(page_info(answer) or {"hasMore": False})
        if info.total is not None and len(self._ids) > 2 * info.total + _SLACK:
            raise Misfit(
                f"{len(self._ids)} items have come, but the answer says that there are {info.total}"
            )
        onward = self._next_query(info, items) if info.hasMore else None
        left = max((info.total or 0) - len(self._ids), 0) if onward else 0
        return Page(fresh, ceil(left / len(items)) if items else 0, onward is not None), onward

    def _is_first(self, item: Mapping[str, Any]) -> bool:
        before = len(self._ids)
        self._ids.add(item["id"])
        return len(self._ids) > before

    def _next_query(self, info: "PageInfo", items: list[Any]) -> dict[str, Any]:
        if not items:
            raise Misfit(f"page {self._pages} is empty, but says that there are more items")
        self._within_limits()
        # Where an answer has both, the cursor is followed: rows that move do not shift it.
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
            raise Misfit(f"it names the cursor `{platform_words(cursor)[:60]}` a second time")
        self._cursors.add(cursor)
        return cursor


class Reader(Sender):
    """Reads the platform. It has no method that changes anything."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._handed_on: dict[tuple[Any, ...], bytes | Callable[[], bytes]] | None = None
        self._answers = DiskBuffer()

    most: int | None = None
    """The most reads that may be wanted; `BudgetSpent` is raised before the next one."""
    _has_answered = False
    """Whether a read of this run was answered in the shape of its route."""

    def ping_platform(self, *, again: bool = False) -> None:
        """Makes sure that the platform answers and knows the key, unless a read of this run has
        shown it and that is not wanted `again`; raises `PlatformError`."""
        if self._has_answered and not again:
            return
        try:
            wrong = " (404 on ping)" if self.read_route("ping") is None else ""
        except Unreadable as error:
            wrong = f": {error.message}"
        if wrong:
            message = f"{self.base_url} answers, but not like the platform{wrong}"
            raise Unreachable(message, ELSEWHERE)

    def read_route(
        self,
        name: str,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        """The answer of a read, in the shape that its route declares, or nothing if the platform
        has no such thing (404).

        Raises `KeyRefused`, `Refused`, `Unreachable`, `Unreadable` or `Stopped`.
        """
        kept = None if query else self._take_kept(_key_of(name, params or {}))
        return self._read_answer(name, params, query)[0] if kept is None else orjson.loads(kept)

    def _take_kept(self, key: tuple[Any, ...]) -> bytes | None:
        """The answer that was handed on, once; reads of several threads share one file."""
        with self._lock:
            kept = (self._handed_on or {}).pop(key, None)
            return kept() if callable(kept) else kept

    @contextmanager
    def keep_answers(self) -> Iterator[None]:
        """While this lasts, an answer can be handed on to whoever asks for the same next. None is
        left at its end: whoever asks later wants to know what is so by then."""
        self._handed_on, self._answers = {}, DiskBuffer()
        try:
            yield
        finally:
            self._handed_on = None

    def hand_on(self, name: str, params: Mapping[str, str], answer: Any) -> None:
        """Keeps an answer for whoever asks for the same next in this look, on the disk: there may
        be thousands. That something is not there is not handed on: a read may be behind (O31)."""
        if self._handed_on is not None and answer is not None:
            packed = orjson.dumps(answer)
            with self._lock:
                self._handed_on[_key_of(name, params)] = self._answers.keep_bytes(packed)

    def _read_answer(
        self, name: str, params: Mapping[str, str] | None, query: Mapping[str, Any] | None
    ) -> tuple[Any, int]:
        """The answer, and how many bytes it took."""
        route = ROUTES[name]
        if not route.reads:
            raise TypeError(f"{name} is not a read")
        path = fill_path(route, params or {})
        with self._lock:
            if self.most is not None and self.asked.total() >= self.most:
                raise BudgetSpent(
                    f"all {self.most:,} calls that were allowed are made", "allow more calls"
                )
            self.asked[name] += 1
        outcome = self.aside(
            lambda: self._exchange(route, path, attempts=_READ_ATTEMPTS, query=query)
        )
        # Nothing is proven by that: a 404 may also mean that the instance lacks the route, or that
        # the key may not see the thing.
        if outcome.status == _NOT_FOUND and outcome.fate is DeliveryStatus.REJECTED:
            return None, 0
        if outcome.fate is not DeliveryStatus.ACKNOWLEDGED:
            raise platform_error(outcome, self.base_url, route)
        failure = describe_failure(outcome.answer)
        if failure:  # O29: a failure may come as 200 with errors
            raise Refused(f"{route.method} {route.path}: {failure}", outcome.status or 0)
        answer = fit_answer(route, path, outcome.answer)
        self._has_answered = True
        return answer, outcome.size

    def read_pages(
        self,
        name: str,
        key: str,
        query: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Iterator[Any]:
        """Every item of a list once, page after page; raises `Unreadable` where it has no end."""
        for page in self.each_page(name, key, query, params):
            yield from page.items

    def find_list(
        self,
        name: str,
        key: str,
        query: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> list[Any] | None:
        """Every item of a list; None where the platform has no such list (404)."""
        try:
            return list(self.read_pages(name, key, query, params))
        except Unreadable:
            if self.read_route(name, params, query) is None:
                return None
            return list(self.read_pages(name, key, query, params))  # it was not there only just now

    def each_page(
        self,
        name: str,
        key: str,
        query: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Iterator[Page]:
        """The pages of a list one by one, for who may stop before its end."""
        route, walk = ROUTES[name], Walk(key)
        asked: dict[str, Any] | None = {}
        while asked is not None:
            answer, size = self._read_answer(name, params, {**(query or {}), **asked})
            if answer is None:
                raise missing_list(route)
            try:
                page, asked = walk.take_page(answer, size)
            except Misfit as wrong:
                raise unreadable_answer(route, route.path, f"the list `{key}`: {wrong}") from None
            del answer  # a page may have a thousand items: none is in memory beside the next one
            yield page
            del page

    def ask_each(
        self, ask: Callable[[_Item], _Answer], items: Iterable[_Item]
    ) -> Iterator[_Answer]:
        """The answers of several reads in their order, with as many at a time as allowed.

        No more than twice as many are asked for before they are wanted: whole courses fill the
        memory.
        """
        from concurrent.futures import ThreadPoolExecutor

        # Threads of its own: reads that wait for their window must not hold up those of another.
        pool, waiting = ThreadPoolExecutor(self.connections), iter(items)
        try:
            first = islice(waiting, 2 * self.connections)
            # Threads do not inherit context variables: without the copy, the traces of these reads
            # would belong to no stage.
            asked = deque(pool.submit(copy_context().run, ask, item) for item in first)
            while asked:
                next_one = asked.popleft()
                answer = next_one.result() if next_one.done() else self.await_future(next_one)
                asked += (pool.submit(copy_context().run, ask, item) for item in islice(waiting, 1))
                yield answer
        except BaseException:
            with self.pace.broken_off():
                pool.shutdown(cancel_futures=True)
            raise
        pool.shutdown()


def _key_of(name: str, params: Mapping[str, str]) -> tuple[Any, ...]:
    return name, *sorted(params.items())


def fit_answer(route: Route, path: str, answer: Any) -> Any:
    # Imported with the first answer: its models take long to build, and many runs ask for nothing.
    from .shape_checks import fit_shape

    try:
        return fit_shape(route.name, answer)
    except Misfit as wrong:
        raise unreadable_answer(route, path, str(wrong)) from None


def fill_path(route: Route, params: Mapping[str, str]) -> str:
    """The path of a route with its parameters in place."""
    return route.path.format(**{name: quote(value, safe="") for name, value in params.items()})
