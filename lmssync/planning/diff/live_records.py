"""Reads what is live of records, and remembers what earlier looks have noticed of them.

Of what has changed since, a part may be the work of a call of ours whose outcome nobody knows: a
value that such a call has sent is ours. When a part was changed proves nothing after it, since the
call may have done that (O24).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime, timedelta
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple

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
    order_for_reading,
    pair_recorded,
    parse_change_mark,
    read_compared,
    read_live_states,
    read_states_in_turn,
    values_equal,
)
from ...resource import Address, Form, Resource, is_within, pack_form, unpack_form
from ...state import CallStatus, Names, Record, Store, rename_in_form
from .change import Change, Difference
from .field_paths import (
    ABSENT,
    ORDER,
    FieldChange,
    are_parts,
    compare_forms,
    is_plain_mapping,
    put_value,
    value_at,
)
from .proof_evidence import is_proven
from .record_window import TOGETHER, RecordWindow
from .three_way import Drift, find_drift


def include_newly_managed(change: Change) -> Record | None:
    """The record to look for: fields that only git has are in it, without a value."""
    record = change.recorded
    readable = KINDS[change.address.kind].reads.readings
    if record is None or not readable or change.difference is not Difference.CHANGED:
        return record
    form = _begun_fields(record.form, change.wanted)
    return record if form == record.form else record.with_form(pack_form(form))


def with_fields(record: Record, paths: Iterable[str]) -> Record:
    """The record to look at: fields at these paths are in it, if only without a value."""
    form = record.form
    for path in paths:
        above = path.rpartition(".")[0]
        if value_at(form, path) is ABSENT and is_plain_mapping(value_at(form, above)):
            form = put_value(form, path, None)
    return record.with_form(pack_form(form))


def _begun_fields(recorded: Mapping[str, Any], desired: Mapping[str, Any]) -> Form:
    form = dict(recorded)
    for key, value in desired.items():
        if key not in recorded:
            # New parts are not in the record to look for: nothing of them can be on the platform
            # under an id that we know.
            form |= {} if are_parts(value) and value else {key: None}
        elif recorded[key] == value:
            continue
        elif are_parts(recorded[key]) and are_parts(value):
            wanted = {item["id"]: item for item in value}
            form[key] = [_begun_fields(item, wanted.get(item["id"], {})) for item in recorded[key]]
        elif is_plain_mapping(recorded[key]) and is_plain_mapping(value):
            form[key] = _begun_fields(recorded[key], value)
    return form


class SentChange(NamedTuple):
    """The changes that one call of ours has asked for."""

    form: Form
    """The form that the call leads to."""
    fields: Sequence[FieldChange]

    @classmethod
    def from_forms(cls, record: Record, form: Form) -> "SentChange":
        return cls(form, list(compare_forms(record.form, form)))

    @property
    def sent_paths(self) -> Iterator[str]:
        """The fields that it sets; not the parts that it adds."""
        return (one.path for one in self.fields if not one.path.endswith(("]", f".{ORDER}")))

    def value_of(self, path: str) -> Any:
        # An order is a difference, and no value of a form: it is known only from the fields of the
        # change.
        orders = {one.path: one.after for one in self.fields if one.path.endswith(f".{ORDER}")}
        return orders.get(path, value_at(self.form, path))

    def may_touch(self, part: str) -> bool:
        """Whether the call may have changed a part: any, where it adds some, or where the form does
        not say which fields it had, as of a change that takes several calls."""
        structural = not self.fields or any(one.path.endswith("]") for one in self.fields)
        return structural or any(is_within(path, part) for path in self.sent_paths)


def own_values(
    record: Record, seen: LiveState, sent: SentChange, binder: Binder
) -> Mapping[str, Any]:
    """The fields that the platform shows as the call has sent them, and not as they are recorded:
    by path, with the value that was sent."""
    reads, own = KINDS[record.address.kind].reads, dict[str, Any]()
    for drift in find_drift(record.form, seen):
        value = sent.value_of(drift.path)
        known = not drift.noticed_at and value is not ABSENT
        if known and values_equal(reads, binder.bind_value, drift.path, value, drift.live):
            own[drift.path] = value
    return own


def without_own_writes(
    record: Record, seen: LiveState, sent: Iterable[bytes], binder: Binder
) -> LiveState:
    """The live state without what calls of ours may have done: only what people did is left.

    The marks of parts that they may have changed are left out as well: they prove nothing.
    """
    for packed in sent:
        change = SentChange.from_forms(record, unpack_form(packed))
        live = seen.form
        for path in own_values(record, seen, change, binder):
            live = put_value(live, path, value_at(record.form, path))
        # A mark after a call of ours says nothing about people: the call may have left it (O24).
        ours = {part for part in seen.noticed if change.may_touch(part)}
        marks = {part: mark for part, mark in seen.marks.items() if part not in ours}
        seen = seen._replace(form=live, noticed=seen.noticed - ours, marks=marks)
    return seen


class UpdateTrace(NamedTuple):
    """The result of comparing a read with an update of ours whose outcome nobody knows."""

    own: Mapping[str, Any]
    """Fields that are as it has sent them, with the values that it has sent."""
    changed: frozenset[str]
    """Parts that were changed since the last record, in a way that no route shows, when the call
    may have done it."""
    by_others: frozenset[str]
    """Parts that were changed like that when it cannot have done it."""
    unread: Sequence[str]
    """The fields that the update has set and no read has compared: they may have either value."""

    @property
    def is_shown(self) -> bool:
        """Whether a read shows that it had any effect."""
        return bool(self.own or self.changed)


def trace_update(
    record: Record,
    seen: LiveState,
    sent: SentChange,
    binder: Binder,
    may_have_done: Callable[[str], bool],
    *,
    may_land: bool,
) -> UpdateTrace:
    """Compares what a read shows of a record with what a call has sent.

    `may_have_done` says of a mark whether the call can have left it, and `may_land` is true while
    the call can still take effect.
    """
    ours = {p for p in seen.noticed if sent.may_touch(p) and may_have_done(seen.marks.get(p, ""))}
    own = own_values(record, seen, sent, binder)
    marked = [part for part in seen.marks if part not in ours]

    def may_hold(path: str) -> bool:
        untouched = any(is_within(path, part) for part in marked) and not may_land
        return path not in own and not is_proven(path, seen.proven) and not untouched

    unread = [path for path in sent.sent_paths if may_hold(path)]
    return UpdateTrace(own, frozenset(ours), seen.noticed - ours, unread)


def with_trace(record: Record, trace: UpdateTrace) -> Record:
    """The record with what the call has done. A field that may have either value is taken out, so
    that the next plan sends it whatever git says by then."""
    form = record.form
    for path, value in trace.own.items():
        form = put_value(form, path, value)
    for path in trace.unread:
        form = put_value(form, path, ABSENT) if value_at(form, path) is not ABSENT else form
    return record.with_form(pack_form(form))


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

    def earlier_marks(self, address: Address) -> Marks:
        """The marks of an earlier look."""
        proof = self.store.find_proofs([address]).get(address)
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
        pair_recorded(instance.store, records)
        for one, seen in read_with_own_writes(instance, records, fields):
            yield one, without_own_writes(one, seen, sent.get(one.address, ()), instance.binder)


def read_live_in_turn(
    instance: Instance, addresses: Sequence[Address], window: RecordWindow
) -> Iterator[tuple[Record, LiveState]]:
    """Yields what `read_live` does, of records that the window reads a hundred at a time: all of
    them would fill the memory."""
    reader, binder, store, routes = instance
    sent, marks = instance.sent_forms(), window.find_next_marks
    with reader.keep_answers():
        blocks = _pair_in_turn(store, addresses, window)
        paired = (address for some, _ in blocks for address in some)
        find = window.find_next_record
        for one, seen in read_states_in_turn(reader, binder, paired, routes, find, marks=marks):
            known = _still_noticed(seen, marks(one.address))
            yield one, without_own_writes(one, known, sent.get(one.address, ()), binder)


def read_with_own_writes(
    instance: Instance, records: Sequence[Record], fields: Fields = ALL
) -> Iterator[tuple[Record, LiveState]]:
    """Yields each record with its live state, including whatever an open call of ours may have
    done."""
    reader, binder, _, routes = instance
    marks = lru_cache(maxsize=1)(instance.earlier_marks)  # of each record, they are asked for twice
    for one, seen in read_live_states(reader, binder, records, routes, marks, fields):
        yield one, _still_noticed(seen, marks(one.address))


def read_live_or_unchanged(
    instance: Instance,
    addresses: Sequence[Address],
    window: RecordWindow,
    lists: FetchedLists | None = None,
) -> Iterator[tuple[Record, LiveState | Unchanged]]:
    """Yields each of many records with its live state, or `Unchanged`, as most are.

    The window goes through them, and `lists` has what was read of lists already. Whatever an open
    call of ours may have done is left out.
    """
    reader, binder, store, routes = instance
    sent, marks = instance.sent_forms(), window.find_next_marks
    with reader.keep_answers():
        blocks = _pair_in_turn(store, addresses, window)
        clear = (one for some, unclear in blocks for one in some if one not in unclear)
        find = window.find_next_record
        for one, seen in read_compared(reader, binder, clear, routes, find, marks, before=lists):
            if isinstance(seen, LiveState):
                known = _still_noticed(seen, marks(one.address))
                yield one, without_own_writes(one, known, sent.get(one.address, ()), binder)
            else:
                yield one, seen


def _pair_in_turn(
    store: Store, addresses: Sequence[Address], window: RecordWindow
) -> Iterator[tuple[Sequence[Address], Set[Address]]]:
    """Yields the addresses in the order for reading, a hundred at a time, whose ids are read until
    then if need be; with those of which nobody can tell the ids."""
    addresses = order_for_reading(addresses)
    window.open_window(addresses)
    for start in range(0, len(addresses), TOGETHER):
        some = addresses[start : start + TOGETHER]
        records = [*map(window.find_next_record, some)]
        unclear = pair_recorded(store, records)
        if any(record and record.unpaired for record in records):
            window.read_again()  # with the ids, which are looked up for each use otherwise
        yield some, unclear


def _still_noticed(seen: LiveState, before: Marks) -> LiveState:
    """The live state with the parts, or fields of them, that an earlier look has noticed: our own
    later writes, which were about other fields, do not show what they hold."""
    old = [path for path, mark in before.items() if mark == NOTICED]
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
