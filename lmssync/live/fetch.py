"""Fetches what readings ask for: each answer once, in as few calls as the instance allows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from ..client import Reader
from ..kind import InList, Reading, ReadRequest
from ..state import Record
from .binding import Binder, Unbound

IDS_PER_QUERY = 100
"""The most ids that one query names, since they have to fit into an address."""
Items = dict[str, Any]
"""Items of lists, by their ids."""


class Asked(NamedTuple):
    """One reading of one record, with the request that is for it alone, its params bound."""

    record: Record
    reading: Reading
    request: ReadRequest
    params: Mapping[str, str]

    @property
    def key(self) -> str:
        """The same for two that one request answers."""
        return key(self.request, self.params)

    @property
    def id(self) -> str:
        """The id that its item has in a list."""
        return self.record.ids.own[self.reading.listed.id] if self.reading.listed else ""


class Answers:
    """What was fetched."""

    def __init__(self) -> None:
        self._by_request: dict[str, Any] = {}
        self._items: dict[int, Items] = {}

    def of(self, asked: Asked) -> Any:
        """The answer that a reading is about; None if the platform has no such thing, or the list
        does not show it."""
        if asked.reading.listed:
            return self._items.get(id(asked.reading), {}).get(asked.id)
        return self._by_request[asked.key]

    def add(self, one: Asked, answer: Any) -> None:
        """Keeps the answer to a single request."""
        if one.reading.listed is None:
            self._by_request[one.key] = answer
        elif answer is not None:
            self.add_items(one.reading, answer if one.request.list else [answer])

    def add_items(self, reading: Reading, items: Iterable[Any]) -> None:
        self._items.setdefault(id(reading), {}).update((item["id"], item) for item in items)


def key(request: ReadRequest, params: Mapping[str, str]) -> str:
    """What tells one request from another."""
    return f"{request.route} {sorted(params.items())} {sorted(request.query.items())}"


def asked_of(binder: Binder, record: Record, reading: Reading) -> Asked | None:
    """How a record is read; None if an id is not known that this needs."""
    request = reading.request(record.address, record.form)
    if request is None or (reading.listed and reading.listed.id not in record.ids.own):
        return None
    try:
        return Asked(record, reading, request, binder.bind(request.params))
    except Unbound:
        return None


def ask(reader: Reader, reading: ReadRequest, params: Mapping[str, str]) -> Any:
    """What one reading brings, its params bound: an answer, or all items of a list in pages."""
    if reading.list:
        return list(reader.pages(reading.route, reading.list, reading.query, params))
    return reader.read(reading.route, params, reading.query)


def fetch(reader: Reader, asked: Sequence[Asked], routes: Set[str]) -> Answers:
    """The answers of all these, several at a time."""
    answers, alone = Answers(), []
    for reading, wanted in _by_reading(asked):
        listed = reading.listed
        if listed and listed.query:
            alone += list(_queries(listed.query, wanted))
        elif listed and listed.whole and listed.whole.route in routes and _worth(wanted, routes):
            alone += _walked(reader, answers, wanted, routes)
        else:
            alone += wanted
    _each(reader, answers, alone)
    _elsewhere(reader, answers, asked, routes)
    return answers


def _by_reading(asked: Iterable[Asked]) -> Iterable[tuple[Reading, list[Asked]]]:
    found: dict[int, list[Asked]] = {}
    for one in asked:
        found.setdefault(id(one.reading), []).append(one)
    return [(wanted[0].reading, wanted) for wanted in found.values()]


def _each(reader: Reader, answers: Answers, asked: Iterable[Asked]) -> None:
    distinct = {one.key: one for one in asked}.values()
    fetched = reader.each(lambda one: ask(reader, one.request, one.params), distinct)
    for one, answer in zip(distinct, fetched, strict=True):
        answers.add(one, answer)


def _queries(
    query: Callable[[Sequence[str]], Mapping[str, Any]], wanted: Sequence[Asked]
) -> Iterator[Asked]:
    """Requests that name many ids each."""
    for start in range(0, len(wanted), IDS_PER_QUERY):
        some = wanted[start : start + IDS_PER_QUERY]
        request = some[0].request
        named = {**request.query, **query([one.id for one in some])}
        yield some[0]._replace(request=request._replace(query=named))


def _worth(wanted: Sequence[Asked], routes: Set[str]) -> bool:
    """Whether a list of all may take fewer calls than one for each."""
    return len({one.key for one in wanted}) > 1 or wanted[0].request.route not in routes


def _walked(
    reader: Reader, answers: Answers, wanted: Sequence[Asked], routes: Set[str]
) -> list[Asked]:
    """Reads a list of all until everything is there, or until asking for each of those that are
    left takes fewer calls; returns those."""
    first, left = wanted[0], {one.id: one for one in wanted}
    assert first.reading.listed
    assert first.reading.listed.whole
    whole = first.reading.listed.whole
    for page in reader.each_page(whole.route, whole.list, whole.query):
        answers.add_items(first.reading, [item for item in page.items if item["id"] in left])
        for item in page.items:
            left.pop(item["id"], None)
        if not left:
            break
        if page.left > len(left) and first.request.route in routes:
            return list(left.values())
    return []


def _elsewhere(reader: Reader, answers: Answers, asked: Iterable[Asked], routes: Set[str]) -> None:
    """Looks through the whole list for what a search by a name has not shown: its name may have
    been changed."""
    missed = [
        one for one in asked if one.reading.listed and one.request.list and answers.of(one) is None
    ]
    for reading, wanted in _by_reading(missed):
        listed: InList | None = reading.listed
        if listed and listed.whole and listed.whole.route in routes and not _worth(wanted, routes):
            _walked(reader, answers, wanted, frozenset())
