"""What a key does not reach, as far as safe reads tell: no route lists its rights (spec 5)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..address import Address
from ..errors import KeyRefused, PlatformError
from ..kinds import KINDS, LOOKUPS
from ..live import IdsByName, Unbound, ask
from ..state import Record
from ..vocabulary.routes import ROUTES
from .probe import TRIED, Probe


class OutOfReach(NamedTuple):
    """Something that the key does not reach, and what to do."""

    message: str
    remedy: str


def out_of_reach(asked: Probe) -> Iterator[OutOfReach]:
    """What is recorded and the key does not see, or may not read; a few reads of each kind."""
    names = IdsByName(asked.reader)
    for kind, name in sorted(_names(asked.records)):
        if not names.ids(kind, name):
            yield OutOfReach(
                f"the key does not see the {kind} `{name}`, which the state names",
                f"a key that is limited to some {kind}s sees no others: "
                f"add `{name}` to its scope, or use another key",
            )
    yield from _forbidden(asked)


def _names(records: Mapping[str, Sequence[Record]]) -> set[tuple[str, str]]:
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


def _forbidden(asked: Probe) -> Iterator[OutOfReach]:
    """Reads that need a permission, tried with one recorded thing each."""
    for kind in KINDS.values():
        for reading in kind.reads.readings:
            permission = ROUTES[reading.route].permission
            for record in asked.records.get(kind.name, ())[:1] if permission else ():
                request = reading.request(record.address, record.form)
                try:
                    ask(asked.reader, request, asked.binder.bind(request.params))
                except KeyRefused as refused:
                    yield OutOfReach(refused.message, refused.hint)
                except (PlatformError, Unbound):
                    continue  # what cannot be asked for says nothing about the key
