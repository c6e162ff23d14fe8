"""Tells what a call of ours may have done, whose outcome nobody knows, from what people have done.

A value that such a call has sent is ours. When a part was changed proves nothing after it, since
the call may have done that (O24).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...kinds import KINDS
from ...platform.live import Binder, LiveState, values_equal
from ...resource import Form, pack_form, unpack_form
from ...state import Record
from ...support.decisions import is_within
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
from .three_way import find_drift


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
