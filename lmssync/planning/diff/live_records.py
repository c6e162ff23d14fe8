"""Reads what is live of records, and remembers what earlier looks have noticed of them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from ...kinds import KINDS
from ...platform.client import Reader
from ...platform.live import (
    EXACTNESS,
    NOTICED,
    OWN,
    AgedAttestation,
    Binder,
    FetchedLists,
    LiveState,
    Marks,
    Unchanged,
    find_aged_attestations,
    pair_recorded,
    parse_change_mark,
    read_compared,
    read_live_states,
)
from ...resource import Address, Resource, pack_form, unpack_form
from ...state import CallStatus, Names, Proof, Record, Store, rename_in_form
from ...support.decisions import is_within
from .own_writes import without_own_writes
from .three_way import Drift, find_drift

NO_NAMES: Names = {}
RECORDING = frozenset({"recorded", "adopted", "imported", "pulled", "said"})
"""What events of the journal that record something are called."""


class Instance(NamedTuple):
    """An instance of the platform, and the state about it."""

    reader: Reader
    binder: Binder
    store: Store
    routes: Set[str]
    """The routes that the instance has."""

    def earlier_proof(self, address: Address) -> Proof | None:
        """The proof of an earlier look."""
        return self.store.find_proofs([address]).get(address)

    def earlier_marks(self, address: Address) -> Marks:
        proof = self.earlier_proof(address)
        return proof.marks if proof else {}

    def find_aged_parts(
        self, resource: Resource, record: Record, seen: LiveState | Unchanged
    ) -> Sequence[AgedAttestation]:
        """The parts of a resource that were changed or deleted by hand after they were attested as
        filled."""
        attested = resource.facts.get("attested")
        if not attested:
            return ()
        form = record.form
        reconcile = KINDS[record.address.kind].reads.reconcile
        parts = reconcile(form, form, record.ids, seen.answer) if seen.answer is not None else None
        names = frozenset([str(resource.address), str(record.address)])
        writes = partial(self._list_writes, record, names)
        return find_aged_attestations(attested, seen.marks, parts.gone if parts else (), writes)

    def _list_writes(
        self, record: Record, names: frozenset[str]
    ) -> Sequence[tuple[datetime, datetime]]:
        """From when to when lmssync wrote to a resource, by the clock of the platform."""
        last, begun, recorded = parse_change_mark(record.applied_at), None, None
        calls = list[tuple[datetime, datetime]]()
        # The whole journal: few looks need it, and only an apply that was not the last one is found
        # there alone.
        for event in self.store.journal_history():
            moment = parse_change_mark(event.time) if names.intersection(event.addresses) else None
            if moment and event.what == "sent":
                begun = moment
            elif moment and event.what in RECORDING:
                recorded = moment
                calls += [(begun, moment)] if begun and event.route else []
        # Both clocks are known of the last record alone.
        ahead = last - recorded if last and recorded else timedelta()
        writes = [(begun + ahead - EXACTNESS, end + ahead + EXACTNESS) for begun, end in calls]
        return writes or ([(last - OWN, last + EXACTNESS)] if last else [])

    def sent_forms(self) -> Mapping[Address, Sequence[bytes]]:
        """The forms that calls without a known outcome have sent, packed, by address."""
        sent = dict[Address, list[bytes]]()
        for call in self.store.open_calls():
            if call.status in {CallStatus.INTENT, CallStatus.UNKNOWN}:
                for part in call.parts:
                    sent.setdefault(part.address, []).append(part.packed_after)
        return sent


Fields = Mapping[Address, Collection[str]]
ALL: Fields = MappingProxyType({})


def read_live(
    instance: Instance, records: Sequence[Record], fields: Fields = ALL
) -> Iterator[tuple[Record, LiveState]]:
    """Yields each record that the instance shows, with its live state; of records among `fields`,
    only these fields.

    Whatever an open call of ours may have done is left out.
    """
    sent = instance.sent_forms()
    with instance.reader.keep_answers():
        pair_recorded(instance.store, [record.address for record in records])
        for one, seen in read_with_own_writes(instance, records, fields):
            yield one, without_own_writes(one, seen, sent.get(one.address, ()), instance.binder)


def read_with_own_writes(
    instance: Instance, records: Sequence[Record], fields: Fields = ALL
) -> Iterator[tuple[Record, LiveState]]:
    """Yields each record with its live state, including whatever an open call of ours may have
    done."""
    reader, binder, _, routes = instance
    for one, seen in read_live_states(
        reader, binder, records, routes, instance.earlier_marks, fields
    ):
        yield one, _still_noticed(seen, instance.earlier_proof(one.address))


def read_live_or_unchanged(
    instance: Instance,
    addresses: Sequence[Address],
    record: Callable[[Address], Record | None],
    lists: FetchedLists | None = None,
) -> Iterator[tuple[Record, LiveState | Unchanged]]:
    """Yields each of many records with its live state, or `Unchanged`, as most are.

    `record` gives the record of an address, and `lists` has what was read of lists already.
    Whatever an open call of ours may have done is left out.
    """
    reader, binder, _, routes = instance
    sent = instance.sent_forms()
    with reader.keep_answers():
        unclear = pair_recorded(instance.store, addresses)
        addresses = [one for one in addresses if one not in unclear]
        for one, seen in read_compared(
            reader, binder, addresses, routes, record, instance.earlier_marks, lists=lists
        ):
            if isinstance(seen, LiveState):
                known = _still_noticed(seen, instance.earlier_proof(one.address))
                yield one, without_own_writes(one, known, sent.get(one.address, ()), binder)
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
    """The fields that people have changed; `names` maps addresses in the recorded form to those of
    the catalog."""
    if not names:
        return list(find_drift(record.form, seen))
    live = unpack_form(rename_in_form(pack_form(seen.form), names))
    return list(
        find_drift(unpack_form(rename_in_form(record.packed, names)), seen._replace(form=live))
    )
