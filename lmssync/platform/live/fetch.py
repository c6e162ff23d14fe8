"""Fetches what readings ask for: each answer once, in as few calls as the instance allows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import Refused
from ...kind import InList, Reading, ReadRequest
from ...resource import Address, Form
from ...state import Record
from ...support.disk_buffer import DiskBuffer
from ..client import Reader
from .binding import Binder, Unbound
from .change_marks import ChangeMarks, Marks, changed_at

IDS_PER_QUERY = 100
"""The most ids that one query names, since they have to fit into an address."""
_DELETED = "deleted"
_SUCCESSES = range(200, 300)


class RecordRequest(NamedTuple):
    """One reading of one record, with the request that is for it alone, its params bound."""

    address: Address
    reading: Reading
    request: ReadRequest
    params: Mapping[str, str]
    id: str = ""
    """The id that its item has in a list."""

    @property
    def key(self) -> str:
        """A key that is the same for two requests that one read answers."""
        return request_key(self.request, self.params)


class FetchedLists:
    """Items of lists, for the readings that look for them there; on the disk: there are many."""

    def __init__(self) -> None:
        self._items: dict[int, dict[str, bytes | int]] = {}
        self._spill = DiskBuffer()

    def item_of(self, asked: RecordRequest) -> Any:
        """The item that a reading is about; None if the list does not show it."""
        item = self._items.get(id(asked.reading), {}).get(asked.id)
        return item and self._spill.load_place(item)

    def has_item(self, asked: RecordRequest) -> bool:
        """Whether the list has shown the item that a reading is about."""
        return asked.id in self._items.get(id(asked.reading), {})

    def add_shown(self, made: "Answered") -> None:
        """Adds the items that answer requests, where there are any."""
        for one, item in made:
            if item is not None and not self.has_item(one):
                self.add_items(one.reading, [item])

    def add_items(self, reading: Reading, items: Iterable[Any]) -> None:
        packed = ((item["id"], self._spill.keep_place(item)) for item in items)
        self._items.setdefault(id(reading), {}).update(packed)


class KeptAnswers:
    """Answers that serve a later look at the same, each once; on the disk: whole courses would fill
    the memory."""

    def __init__(self) -> None:
        self._answers: dict[bytes, bytes | int] = {}
        """By a digest of their keys, which are long."""
        self._spill = DiskBuffer()

    def keep_answer(self, request: ReadRequest, answer: Any) -> None:
        """`request` has its params bound."""
        key = request_key(request, request.params)
        self._answers[_shorten_key(key)] = self._spill.keep_place(answer)

    def has_answer(self, key: str) -> bool:
        return bool(self._answers) and _shorten_key(key) in self._answers

    def take_answer(self, key: str) -> Any:
        """The answer to what `RecordRequest.key` asks for; it is not kept any longer."""
        return self._spill.load_place(self._answers.pop(_shorten_key(key)))


def _shorten_key(key: str) -> bytes:
    return blake2b(key.encode(), digest_size=16).digest()


def request_key(request: ReadRequest, params: Mapping[str, str]) -> str:
    """The key by which equal requests are recognised."""
    return f"{request.route} {sorted(params.items())} {sorted(request.query.items())}"


def asked_of(binder: Binder, record: Record, form: Form, reading: Reading) -> RecordRequest | None:
    """How a record with this form is read; None if an id is not known that this needs."""
    id_ = record.ids.own.get(reading.listed.id) if reading.listed else ""
    if id_ is None:
        return None
    request = reading.request(record.address, form)
    try:
        params = binder.bind_value(request.params)
        return RecordRequest(record.address, reading, request, params, id_)
    except Unbound:
        return None


def bind_request(binder: Binder, asked: RecordRequest) -> RecordRequest:
    """The request with the ids of its resource as params, where no form is needed for that."""
    request = asked.reading.request(asked.address, {})
    return asked._replace(params=binder.bind_value(request.params))


def strip_params(asked: RecordRequest) -> RecordRequest:
    """A request of one item by its id without its params: many are in memory until a list is read,
    and few are asked for alone."""
    if asked.request.list or asked.request.query:
        return asked
    return asked._replace(request=_by_id(asked.request.route), params=_NO_PARAMS)


_NO_PARAMS: Mapping[str, str] = MappingProxyType({})


@lru_cache
def _by_id(route: str) -> ReadRequest:
    return ReadRequest(route, {})


def ask_reading(reader: Reader, reading: ReadRequest, params: Mapping[str, str]) -> Any:
    """The result of one reading with its params bound: an answer, or all items of a list in
    pages."""
    if reading.list:
        return list(reader.read_pages(reading.route, reading.list, reading.query, params))
    return reader.read_route(reading.route, params, reading.query)


def read_by_id(reader: Reader, route: str, id_: str) -> Any:
    """What one id stands for; nothing if it is there no more, or is the id of something else."""
    try:
        answer = reader.read_route(route, {"id": id_})
    except Refused as error:
        if error.status in _SUCCESSES:  # O29
            return None
        raise
    return None if answer and answer.get("status") == _DELETED else answer


def stream_answers(
    reader: Reader, asked: Sequence[RecordRequest], kept: KeptAnswers | None = None
) -> Iterator[Any]:
    """The answer of each in turn, several at a time ahead; one that nobody waits for any more is
    dropped, since whole courses would fill the memory. What is `kept` is not asked for again."""
    kept = kept or KeptAnswers()
    distinct = {one.key: one for one in asked if not kept.has_answer(one.key)}
    answers = reader.ask_each(
        lambda one: ask_reading(reader, one.request, one.params), distinct.values()
    )
    waiting, held = Counter(one.key for one in asked), dict[str, Any]()
    for one in asked:
        if one.key not in held:
            is_kept = kept.has_answer(one.key)
            held[one.key] = kept.take_answer(one.key) if is_kept else next(answers)
        waiting[one.key] -= 1
        yield held[one.key] if waiting[one.key] else held.pop(one.key)


def fetch_lists(
    reader: Reader,
    asked: Sequence[RecordRequest],
    routes: Set[str],
    known: FetchedLists | None = None,
    bind: Callable[[RecordRequest], RecordRequest] = lambda asked: asked,
) -> FetchedLists:
    """The items that readings of lists are about; those that are `known` are not asked for again,
    and the others are added to them. What no list shows is asked for alone: `bind` gives the params
    for that."""
    items, alone = known or FetchedLists(), list[RecordRequest]()
    asked = [one for one in asked if not items.has_item(one)]
    for reading, wanted in _by_reading(asked):
        listed = reading.listed
        if listed and listed.query:
            alone += list(_list_queries(listed.query, wanted))
        elif (
            listed
            and listed.whole
            and listed.whole.route in routes
            and _is_worth_a_list(map(bind, wanted), routes)
        ):
            alone += map(bind, _walk_list(reader, items, wanted, routes))
        else:
            alone += map(bind, wanted)
    distinct = list({one.key: one for one in alone}.values())
    for one, answer in zip(distinct, stream_answers(reader, distinct), strict=True):
        if answer is not None:
            items.add_items(one.reading, answer if one.request.list else [answer])
    _look_elsewhere(reader, items, asked, routes)
    return items


def _by_reading(asked: Iterable[RecordRequest]) -> Iterable[tuple[Reading, list[RecordRequest]]]:
    groups: dict[int, list[RecordRequest]] = {}
    for one in asked:
        groups.setdefault(id(one.reading), []).append(one)
    return [(wanted[0].reading, wanted) for wanted in groups.values()]


def list_searches(asked: Iterable[RecordRequest]) -> list[RecordRequest]:
    """The searches that show what is asked of lists which find several ids at once."""
    return [
        search
        for reading, wanted in _by_reading(asked)
        if reading.listed and reading.listed.query
        for search in _list_queries(reading.listed.query, wanted)
    ]


def _list_queries(
    query: Callable[[Sequence[str]], Mapping[str, Any]], wanted: Sequence[RecordRequest]
) -> Iterator[RecordRequest]:
    """Requests that name many ids each."""
    for start in range(0, len(wanted), IDS_PER_QUERY):
        some = wanted[start : start + IDS_PER_QUERY]
        request = some[0].request
        named = {**request.query, **query([one.id for one in some])}
        yield some[0]._replace(request=request._replace(query=named))


def _is_worth_a_list(wanted: Iterable[RecordRequest], routes: Set[str]) -> bool:
    """Whether a list of all may take fewer calls than one for each."""
    left = iter(wanted)
    first = next(left)
    return first.request.route not in routes or any(one.key != first.key for one in left)


def _walk_list(
    reader: Reader, items: FetchedLists, wanted: Sequence[RecordRequest], routes: Set[str]
) -> list[RecordRequest]:
    """Reads a list of all until everything is there, or until asking for each of those that are
    left takes fewer calls; returns those."""
    first, left = wanted[0], {one.id: one for one in wanted}
    assert first.reading.listed
    assert first.reading.listed.whole
    whole = first.reading.listed.whole
    alone = first.request.route in routes
    try:
        for page in reader.each_page(whole.route, whole.list, whole.query):
            # Only what is wanted is kept: a list of everything may have a hundred times as many
            # items.
            items.add_items(first.reading, [item for item in page.items if item["id"] in left])
            for id_ in [item["id"] for item in page.items]:
                left.pop(id_, None)
            if not left or (alone and page.left > len(left)):
                break
            del page  # before the next one is read
        else:
            return []
    except Refused:
        if not alone:  # it may not take as many to a page
            raise
    return list(left.values())


def _look_elsewhere(
    reader: Reader, items: FetchedLists, asked: Iterable[RecordRequest], routes: Set[str]
) -> None:
    """Looks through the whole list for what a search by a name has not shown: its name may have
    been changed."""
    missed = [one for one in asked if one.request.list and not items.has_item(one)]
    for reading, wanted in _by_reading(missed):
        listed: InList | None = reading.listed
        if (
            listed
            and listed.whole
            and listed.whole.route in routes
            and not _is_worth_a_list(wanted, routes)
        ):
            _walk_list(reader, items, wanted, frozenset())


Answered = Sequence[tuple[RecordRequest, Any]]
"""Some readings of one record, each with its answer."""


class ShownForm(NamedTuple):
    """The form and the fields that one answer shows."""

    reading: Reading
    answer: Any
    form: Form


class CollectedReadings(NamedTuple):
    """The form and the fields that all answers show."""

    record: Record
    recorded: Form
    """The form of the record."""
    since: ChangeMarks
    shown: Sequence[ShownForm]
    readings: tuple[str, ...]
    """The routes that were asked."""
    marks: Marks
    answer: Any
    """What `Reads.match` and `Reads.reconcile` take; of what is gone, what shows it."""
    present: bool = True


def gather_answers(
    binder: Binder, record: Record, form: Form, made: Answered, since: ChangeMarks
) -> CollectedReadings:
    """`form` is that of the record. A list proves nothing that does not show the record, and none
    that may be behind the other answers."""
    bound = binder.bind_fields(form)
    shown, marks, match, newest = list[ShownForm](), dict[str, str](), None, ""
    routes = tuple(one.request.route for one, _ in made)
    for one, answer in made:
        reading = one.reading
        if answer is None and reading.listed and not reading.listed.exact:
            continue
        fields = None if answer is None else reading.shows(bound, record.ids, answer)
        if fields is None:
            return CollectedReadings(record, form, since, (), routes, {}, answer, present=False)
        if reading.lags and since.may_be_behind(answer, newest):
            continue
        newest = max(newest, changed_at(answer))
        shown.append(ShownForm(reading, answer, fields))
        marks |= reading.marks(bound, record.ids, answer)
        match = match or (reading.shape and reading.shape(answer))
    return CollectedReadings(record, form, since, shown, routes, marks, match)
