"""What a key reaches, as far as safe reads tell: no route lists its rights (spec 5)."""

from collections.abc import Iterator, Mapping, Sequence

from ...errors import KeyRefused, PlatformError
from ...kind import ReadRequest
from ...kinds import KINDS, LOOKUPS
from ...platform.live import IdsByName, Unbound, ask_reading
from ...resource import Address
from ...state import Record
from ...vocabulary.enums import EventKind
from ...vocabulary.routes import CORE_ROUTES, ROUTES
from .check import Check
from .probe import TRIED, Probe

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


def key_reach(asked: Probe, *, probing: bool) -> Iterator[Check]:
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
