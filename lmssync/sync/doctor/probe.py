"""Finds out by safe reads which of the further routes that are read an instance has."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from ...errors import KeyRefused, PlatformError, Refused, Unreadable
from ...kind import Imports, Kind, Reading, ReadRequest
from ...kinds import KINDS, LOOKUPS
from ...platform.client import Reader
from ...platform.lists import LISTS
from ...platform.live import Binder, Unbound, ask_reading
from ...resource import Address
from ...state import Record
from ...vocabulary.routes import FURTHER_ROUTES

TRIED = 5
"""The most things of a kind that are tried until one is found on the platform."""
_LATER = "nothing is known to ask for: probe again after the first apply"


class Answered(NamedTuple):
    """What a question about a capability has shown."""

    has: bool | None
    """None if it cannot be told."""
    reason: str = ""


class Probe(NamedTuple):
    """What questions are asked with."""

    reader: Reader
    binder: Binder
    records: Mapping[str, Sequence[Record]]
    """By kind, some that are recorded."""


def probe_capabilities(asked: Probe) -> dict[str, Answered]:
    """For each further route by which a kind is read or something is listed, whether the instance
    has it."""
    answers: dict[str, Answered] = {}
    for kind in KINDS.values():
        readings = kind.reads.readings
        listed: dict[str, Sequence[str]] = {}
        for request, id_name in _list_requests(readings):
            answers[request.route], items = _first_page(asked.reader, request)
            listed.setdefault(id_name, [item["id"] for item in items])
        for reading in readings:
            if reading.route in FURTHER_ROUTES and reading.route not in answers:
                answers[reading.route] = _probe_single(asked, kind, reading, listed)
    answers |= dict(_for_imports(asked, answers))
    return answers | dict(_for_lists(asked.reader, answers.keys()))


def _for_lists(reader: Reader, answers: Set[str]) -> Iterator[tuple[str, Answered]]:
    """The lists that only people ask for, or plans for who holds what."""
    for one in LISTS.values():
        if one.route in FURTHER_ROUTES - answers and not one.owner:
            yield one.route, _first_page(reader, ReadRequest(one.route, {}, {}, one.key))[0]


def _for_imports(asked: Probe, answers: Mapping[str, Answered]) -> Iterator[tuple[str, Answered]]:
    """The lists that an import needs, asked for things that other lists show."""
    for kind in KINDS.values():
        imports = kind.imports
        if imports is None or imports.listed.route not in FURTHER_ROUTES:
            continue
        known = answers.get(imports.listed.route, Answered(None))
        if known.has is None and imports.owner:
            pages = (
                _page_of(asked.reader, imports.listed, id_) for id_ in _owner_ids(asked, imports)
            )
            later = Answered(has=None, reason=_LATER)
            yield imports.listed.route, next(pages, later)


def _owner_ids(asked: Probe, of: Imports) -> Sequence[str]:
    """Ids of some things that have lists of their own, recorded or listed."""
    kind, reader = of.owner, asked.reader
    if records := asked.records.get(kind, ()):
        return [list(record.ids.own.values())[of.by] for record in records[:TRIED]]
    if kind in LOOKUPS:
        lookup = LOOKUPS[kind]
        _, items = _first_page(reader, ReadRequest(lookup.route, {}, {}, lookup.list))
        return [item["id"] for item in items[:TRIED]]
    imports = KINDS[kind].imports
    if imports is None:
        return ()
    _, items = _first_page(reader, imports.listed)
    return [imports.ids(item)[of.by] for item in items[:TRIED]]


def _page_of(reader: Reader, listed: ReadRequest, id_: str) -> Answered:
    request = listed._replace(params=dict.fromkeys(listed.params, id_))
    return _judge_read(lambda: ask_reading(reader, request, request.params))


def _list_requests(readings: Sequence[Reading]) -> Iterator[tuple[ReadRequest, str]]:
    """Lists of everything, which need no id, and which of the ids their items have."""
    for reading in readings:
        if (within := reading.listed) is None:
            continue
        request = _of_any(reading) if within.query else within.whole
        if request and request.route in FURTHER_ROUTES:
            yield request, within.id


def _of_any(reading: Reading) -> ReadRequest:
    """The request of a reading that depends on ids alone, which stand in it as nodes."""
    return reading.request(Address("any", "any"), {})


def _first_page(reader: Reader, request: ReadRequest) -> tuple[Answered, Sequence[Any]]:
    items: list[Any] = []

    def read_first() -> Any:
        query = {**request.query, "perPage": TRIED}
        items.extend(next(reader.each_page(request.route, request.list, query)).items)
        return items

    return _judge_read(read_first), items


def _probe_single(
    asked: Probe, kind: Kind, reading: Reading, listed: Mapping[str, Sequence[str]]
) -> Answered:
    """Whether a route answers for something that exists: something recorded, or listed.

    A 404 means the route only where another read shows the thing.
    """
    plainest = kind.reads.readings[-1]
    for record in asked.records.get(kind.name, ())[:TRIED]:
        answered = _ask_route(asked, reading.request(record.address, record.form))
        plain = plainest.request(record.address, record.form)
        if answered.has or reading is plainest or _ask_route(asked, plain).has:
            return answered
    if reading.listed is None or reading.listed.whole:
        for request, same in _of_listed(reading, plainest, listed):
            answered = _ask_route(asked, request)
            if answered.has or reading.listed or (same and _ask_route(asked, same).has):
                return answered
    return Answered(has=None, reason=_LATER)


def _of_listed(
    reading: Reading, plainest: Reading, listed: Mapping[str, Sequence[str]]
) -> Iterator[tuple[ReadRequest, ReadRequest | None]]:
    """The requests for single things of a list, by this reading and by the plain one."""
    request, plain = _of_any(reading), _of_any(plainest)
    ((name, node),) = request.params.items()
    for id_ in listed.get(node["id"], ()):
        same = list(plain.params.values()) == [node]
        yield (
            request._replace(params={name: id_}),
            plain._replace(params=dict.fromkeys(plain.params, id_)) if same else None,
        )


def _ask_route(asked: Probe, request: ReadRequest) -> Answered:
    """How the platform answers a request, whose ids may be nodes."""
    try:
        params = asked.binder.bind_value(request.params)
    except Unbound as unbound:
        return Answered(has=None, reason=str(unbound))
    except PlatformError as unknown:  # a name that the platform does not have
        return Answered(has=None, reason=unknown.message)
    return _judge_read(lambda: ask_reading(asked.reader, request, params))


def _judge_read(read: Callable[[], Any]) -> Answered:
    """How a read ends, as an answer about its route."""
    try:
        answer = read()
    except KeyRefused:
        return Answered(has=False, reason="the key may not use it: give its role the permission")
    except (Refused, Unreadable) as error:
        return Answered(has=False, reason=error.message)
    missing = answer is None
    return Answered(has=not missing, reason="it answers 404" if missing else "")
