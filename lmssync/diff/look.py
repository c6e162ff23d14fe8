"""Reads what is live of records, and remembers what earlier looks have noticed of them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from ..address import Address
from ..client import Reader
from ..decisions import is_within
from ..live import NOTICED, AsRecorded, Binder, LiveState, Marks, compared, read
from ..resource import pack_form, unpack
from ..state import Names, Proof, Record, Store, renamed
from .three_way import Drift, drifts

NO_NAMES: Names = {}


class Instance(NamedTuple):
    """What is needed to read an instance, and what the state says of it."""

    reader: Reader
    binder: Binder
    store: Store
    routes: Set[str]
    """The routes that the instance has."""


Fields = Mapping[Address, Collection[str]]
ALL: Fields = MappingProxyType({})


def look(
    instance: Instance, records: Sequence[Record], fields: Fields = ALL
) -> dict[Address, LiveState]:
    """What is live of each record that the instance shows; of those among `fields`, what shows
    these fields."""
    proofs = instance.store.proofs([record.address for record in records])
    marks = {address: proof.marks for address, proof in proofs.items()}
    seen = read(instance.reader, instance.binder, records, instance.routes, marks, fields)
    return {address: _still_noticed(state, proofs.get(address)) for address, state in seen.items()}


def one_by_one(
    instance: Instance,
    addresses: Sequence[Address],
    record: Callable[[Address], Record | None],
) -> Iterator[tuple[Record, LiveState | AsRecorded]]:
    """The same one after the other, for many, of which most are as they are recorded; `record`
    gives what is recorded under an address."""

    def before(address: Address) -> Proof | None:
        return instance.store.proofs([address]).get(address)

    def marks(address: Address) -> Marks:
        proof = before(address)
        return proof.marks if proof else {}

    reader, binder, _, routes = instance
    for one, seen in compared(reader, binder, addresses, routes, record, marks):
        if isinstance(seen, LiveState):
            yield one, _still_noticed(seen, before(one.address))
        else:
            yield one, seen


def _still_noticed(seen: LiveState, before: Proof | None) -> LiveState:
    """The live state with the parts, or fields of them, that an earlier look has noticed: our own
    later writes, which were about other fields, do not show what they hold."""
    old = [path for path, mark in before.marks.items() if mark == NOTICED] if before else []
    rest = (path for path in old if not any(is_within(path, part) for part in seen.noticed))
    still = {path for path in rest if any(is_within(path, part) for part in seen.marks)}
    return seen._replace(noticed=seen.noticed | still)


def drift_of(record: Record, seen: LiveState, names: Names = NO_NAMES) -> list[Drift]:
    """What people have changed; `names` maps addresses that the recorded form mentions to those
    that they have in the catalog."""
    if not names:
        return list(drifts(record.form, seen))
    live = unpack(renamed(pack_form(seen.form), names))
    return list(drifts(unpack(renamed(record.packed, names)), seen._replace(form=live)))
