"""Finds out by safe reads which further routes an instance has, and what the key reaches (spec
5)."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import KeyRefused, PlatformError, Refused, ServerFailed, Unreadable
from ...kind import Imports, Kind, Reading, ReadRequest
from ...kinds import KINDS, LOOKUPS
from ...platform.client import Reader
from ...platform.list_declarations import LISTS
from ...platform.live import Binder, IdsByName, Unbound, ask_reading
from ...resource import Address
from ...state import Record
from ...vocabulary.enums import EventKind
from ...vocabulary.routes import CORE_ROUTES, FURTHER_ROUTES, ROUTES

TRIED = 5
"""The most things of a kind that are tried until one is found on the platform."""
_LATER = "there is no known id to ask about: probe again after the first apply"


class Answered(NamedTuple):
    """The answer to a question about a capability."""

    has: bool | None
    """None if the reads cannot show it."""
    reason: str = ""


class Probe(NamedTuple):
    """The arguments of every question."""

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
        # Every instance has these: nothing is to be found out about the kind.
        if all(reading.route in CORE_ROUTES for reading in readings):
            continue
        for request, id_name in _list_requests(readings):
            answered, items = _first_page(asked.reader, request)
            # The first list that shows ids of a sort is enough.
            listed.setdefault(id_name, [item["id"] for item in items])
            if request.route in FURTHER_ROUTES:
                answers[request.route] = answered
        for reading in readings:
            if reading.route in FURTHER_ROUTES and reading.route not in answers:
                answers[reading.route] = _probe_single(asked, kind, reading, listed)
    answers |= dict(_probe_import_lists(asked, answers))
    return answers | dict(_probe_lists(asked.reader, answers.keys()))


def _probe_lists(reader: Reader, answers: Set[str]) -> Iterator[tuple[str, Answered]]:
    """The lists that only people ask for, or plans for who holds what."""
    for one in LISTS.values():
        if one.route in FURTHER_ROUTES - answers and not one.owner:
            yield one.route, _first_page(reader, ReadRequest(one.route, {}, {}, one.key))[0]


def _probe_import_lists(
    asked: Probe, answers: Mapping[str, Answered]
) -> Iterator[tuple[str, Answered]]:
    """The lists that an import needs, asked for things that other lists show."""
    for kind in KINDS.values():
        imports = kind.imports
        if imports is None or imports.listed.route not in FURTHER_ROUTES:
            continue
        known = answers.get(imports.listed.route, Answered(None))
        if known.has is None and imports.owner:
            pages = (
                _read_owner_page(asked.reader, imports.listed, id_)
                for id_ in _list_owner_ids(asked, imports)
            )
            later = Answered(has=None, reason=_LATER)
            yield imports.listed.route, next(pages, later)


def _list_owner_ids(asked: Probe, of: Imports) -> Sequence[str]:
    """Ids of some things that have lists of their own, recorded or listed."""
    kind, reader = of.owner, asked.reader
    if records := asked.records.get(kind, ()):
        known = (list(record.known_ids.own.values()) for record in records)
        return list(islice((ids[of.by] for ids in known if len(ids) > of.by), TRIED))
    if kind in LOOKUPS:
        lookup = LOOKUPS[kind]
        _, items = _first_page(reader, ReadRequest(lookup.route, {}, {}, lookup.list))
        return [item["id"] for item in items[:TRIED]]
    imports = KINDS[kind].imports
    if imports is None:
        return ()
    _, items = _first_page(reader, imports.listed)
    ids = (imports.ids(item)[of.by] for item in items)
    return list(islice(filter(None, ids), TRIED))


def _read_owner_page(reader: Reader, listed: ReadRequest, id_: str) -> Answered:
    request = listed._replace(params=dict.fromkeys(listed.params, id_))
    return _judge_read(lambda: ask_reading(reader, request, request.params))


def _list_requests(readings: Sequence[Reading]) -> Iterator[tuple[ReadRequest, str]]:
    """Lists of everything, which need no id, and which of the ids their items have."""
    for reading in readings:
        if (within := reading.listed) is None:
            continue
        request = _make_any_request(reading) if within.query else within.whole
        if request:
            yield request, within.id


def _make_any_request(reading: Reading) -> ReadRequest:
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
    """Whether a route answers for something that exists: something recorded, or listed."""
    plainest = kind.reads.readings[-1]
    for record in asked.records.get(kind.name, ())[:TRIED]:
        answered = _ask_route(asked, reading.request(record.address, record.form))
        plain = plainest.request(record.address, record.form)
        # A thing that is gone answers 404 on every route: only one that exists tells about the
        # route.
        if answered.has or reading is plainest or _ask_route(asked, plain).has:
            return answered
    if reading.listed is None or reading.listed.whole:
        for request, same in _make_listed_requests(reading, plainest, listed):
            answered = _ask_route(asked, request)
            shown = reading.listed or reading is plainest
            if answered.has or shown or (same and _ask_route(asked, same).has):
                return answered
    return Answered(has=None, reason=_LATER)


def _make_listed_requests(
    reading: Reading, plainest: Reading, listed: Mapping[str, Sequence[str]]
) -> Iterator[tuple[ReadRequest, ReadRequest | None]]:
    """The requests for single things of a list, by this reading and by the plain one."""
    request, plain = _make_any_request(reading), _make_any_request(plainest)
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
    except ServerFailed as failure:
        return Answered(has=None, reason=failure.message)
    missing = answer is None
    return Answered(has=not missing, reason="it answers 404" if missing else "")


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    message: str
    remedy: str = ""
    """The advice; also about something that is fine but could be better."""
    fine: bool = True
    here: bool = False
    """It is about this machine and the catalog, not about the platform or the key."""


class Diagnosis(NamedTuple):
    """Everything that was looked at, and what the instance has if it was asked."""

    checks: Sequence[Check]
    capabilities: Mapping[str, Answered] = MappingProxyType({})
    lines: str = ""
    """Lines for the project file that say what the instance has."""

    @property
    def fine(self) -> bool:
        return all(check.fine for check in self.checks)

    @property
    def reached(self) -> bool:
        """Whether everything that is wrong is wrong here, and the platform and the key are fine."""
        return all(check.fine or check.here for check in self.checks)


_NOBODY = "00000000-0000-4000-8000-000000000000"
"""An id that nothing has: the answer is 404, or that the key may not ask."""
_GUARDED = (
    ReadRequest("path.list", {"contentId": _NOBODY}, {}),
    ReadRequest("asset.list", {}, {"limit": 1}),
    ReadRequest("event.list", {"kind": EventKind.COURSE_ACTION.value}, {}),
)
"""Reads that not every key may make (spec 4), or that a tier counts (spec 8)."""
_UNSHOWN = ", ".join(
    sorted(
        {one for name in CORE_ROUTES if (one := ROUTES[name].permission)}
        - {ROUTES[one.route].permission for one in _GUARDED}
    )
)
"""Permissions that show only when something is written."""


def check_key_reach(asked: Probe, *, probing: bool) -> Iterator[Check]:
    """What is recorded and the key does not see, and what it may not read: a few reads of each
    kind. Only what is recorded is asked for, unless somebody is `probing`."""
    yield from _check_unseen(asked)
    relied = _relied_reads(asked)
    tried = {**{one.route: one for one in _GUARDED if probing}, **relied}
    refused = {
        name: why for name, request in tried.items() if (why := _find_refusal(asked, request))
    }
    for name, why in refused.items():
        yield Check("permissions", why.message, why.hint, fine=name not in relied)
    if probing:
        text = "" if refused else "the key may make every read that needs a permission; "
        yield Check("permissions", f"{text}reads do not show whether it has {_UNSHOWN}")


def _relied_reads(asked: Probe) -> dict[str, ReadRequest]:
    """Reads that need a permission and that what is recorded is read with, of one thing each."""
    return {
        reading.route: reading.request(record.address, record.form)
        for kind in KINDS.values()
        for reading in kind.reads.readings
        for record in asked.records.get(kind.name, ())[:1]
        if ROUTES[reading.route].permission
    }


def _find_refusal(asked: Probe, request: ReadRequest) -> KeyRefused | None:
    try:
        ask_reading(asked.reader, request, asked.binder.bind_value(request.params))
    except KeyRefused as refused:
        return refused
    except (PlatformError, Unbound):
        pass  # it was let in: what is wrong with such a route, a capability says
    return None


def _check_unseen(asked: Probe) -> Iterator[Check]:
    names = IdsByName(asked.reader)
    for kind, name in sorted(_recorded_names(asked.records)):
        if not names.ids_of_name(kind, name):
            yield Check(
                "key",
                f"the key does not see the {kind} `{name}`, which the state names",
                f"a key that is limited to some {kind}s sees no others: "
                f"add `{name}` to its scope, or use another key",
                fine=False,
            )


def _recorded_names(records: Mapping[str, Sequence[Record]]) -> set[tuple[str, str]]:
    """Names that the platform can be asked for one by one, in what is recorded."""
    some = [record for listed in records.values() for record in listed]
    recorded = {record.address for record in some}
    referred = {
        Address.parse(value["$ref"])
        for record in some
        for value in record.form.values()
        if isinstance(value, dict) and "$ref" in value
    }
    names = {(a.kind, a.key) for a in referred - recorded if _asked_by_name(a.kind)}
    for record in some:
        if _asked_by_name(record.address.kind):
            name = record.form.get(LOOKUPS[record.address.kind].field)
            names |= {(record.address.kind, name)} if isinstance(name, str) else set()
    return set(sorted(names)[:TRIED])


def _asked_by_name(kind: str) -> bool:
    return kind in LOOKUPS and LOOKUPS[kind].query is not None
