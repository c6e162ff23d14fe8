"""Compares what calls have changed with what reads show, where no specification says what they do.

Such a route was only seen in the field. What its call has not done is told, and stays in the plan.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...kinds import KINDS
from ...planning.diff import Drift, Instance, find_drift, make_proof, put_value, read_live
from ...planning.plan import Plan, PlannedChange
from ...platform.live import LiveState
from ...resource import Address, pack_form
from ...state import Record
from .confirm import PATIENCE
from .result import Done
from .session import ApplySession

_OTHER = "the platform accepted the call, but shows another {fields}"
_GONE = "the platform accepted the call, but no longer shows the resource"


class _Changed(NamedTuple):
    """A resource that was changed by such a call."""

    planned: PlannedChange
    fields: Collection[str]
    """Those that the call has sent."""


class _Unlike(NamedTuple):
    """What a read shows of a resource that is not as it is recorded."""

    record: Record
    drift: Sequence[Drift]
    """The fields; none if the resource is not there."""


def compare_changes(session: ApplySession, plan: Plan) -> None:
    """Reads what such calls have changed until all is as recorded, for a bounded time (O31)."""
    changed = {one.planned.address: one for one in _changed_fields(session, plan)}
    unlike: list[_Unlike] = []
    for _ in session.reader.take_looks(PATIENCE) if changed else ():
        seen = _read_changed(session, changed)
        unlike = []
        for record, state in seen:
            drift = list(_find_unlike(changed[record.address], record, state))
            if drift or not state.present:
                unlike.append(_Unlike(record, drift))
            else:
                session.proofs.append(make_proof(record, state, session.routes))
                del changed[record.address]
        if not unlike:
            break
    for one in unlike:
        _report_unlike(session, one)


def _changed_fields(session: ApplySession, plan: Plan) -> Iterator[_Changed]:
    called = {(part.address, part.route) for part in plan.parts}
    for planned in plan.changes:
        address, calls = planned.address, KINDS[planned.address.kind].calls
        shown = {*calls.along, *(field.path for field in planned.fields)}
        fields = [n for n, route in calls.further.items() if (address, route) in called]
        sent = shown.intersection(fields)
        if sent and session.report.done.get(address) in {Done.UPDATED, Done.ADOPTED, Done.MOVED}:
            yield _Changed(planned, sent)


def _read_changed(
    session: ApplySession, changed: Mapping[Address, _Changed]
) -> list[tuple[Record, LiveState]]:
    """What the platform shows of these fields, where it can be read."""
    records = [record for address in changed if (record := session.store.find_record(address))]
    fields = {address: one.fields for address, one in changed.items()}
    instance = Instance(session.reader, session.binder, session.store, session.routes)
    return list(read_live(instance, records, fields))


def _find_unlike(one: _Changed, record: Record, state: LiveState) -> Iterator[Drift]:
    """The fields that are not as they were sent, but for what stays as people have it."""
    left = {drift.path for drift in one.planned.drift if drift.decision.stays}
    for drift in find_drift(record.form, state) if state.present else ():
        if drift.path in one.fields and drift.path not in left:
            yield drift


def _report_unlike(session: ApplySession, unlike: _Unlike) -> None:
    """Reports it; what was sent is recorded as the platform shows it, so that it stays planned."""
    record, form = unlike.record, unlike.record.form
    paths = [drift.path for drift in unlike.drift]
    fields = " and ".join(f"`{path}`" for path in paths)
    session.report.leave_for_person(
        record.address, _OTHER.format(fields=fields) if fields else _GONE
    )
    for drift in unlike.drift:
        form = put_value(form, drift.path, drift.live)
    session.store.put_records(
        [record.with_form(pack_form(form))], reason="as the platform shows it"
    )
