"""Settles what an update of ours may have done whose outcome nobody knows, or that was refused.

What it has done is not somebody's edit: a field that reads as it was sent is recorded, a part that
it may have changed is not noticed, and a field that may hold either value is sent again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from ...kind import CallPart
from ...planning.diff import (
    Instance,
    SentChange,
    UpdateTrace,
    read_with_own_writes,
    trace_update,
    with_fields,
    with_trace,
)
from ...platform.live import EXACTNESS, NOTICED, LiveState, parse_change_mark
from ...resource import Address
from ...state import JournaledCall, Proof, Record
from . import platform_work
from .session import ApplySession

_AHEAD = 45.0
"""The most seconds that a record is dated ahead: less than what a look takes for ours before it."""


def settle_updates(
    session: ApplySession, call: JournaledCall, parts: Sequence[CallPart], *, refused: bool = False
) -> None:
    """Records what a read shows of these parts of a call that has no known outcome.

    One that was `refused` has done nothing unless a read shows it (O16, O29).
    """
    left = 0.0 if refused else platform_work.seconds_left(session, call)
    sent = _changes_sent(session, parts)
    looked = [with_fields(record, change.sent_paths) for record, change in sent.values()]

    def until() -> datetime:
        """When it can take effect at the latest, by the clock of the platform that was read."""
        ahead = session.writer.ahead + min(left, _AHEAD)
        return datetime.now(UTC) + timedelta(seconds=ahead)

    def may_have_done(mark: str) -> bool:
        when = parse_change_mark(mark)
        return when is None or when <= until() + EXACTNESS

    for one, seen in _read_closely(session, looked):
        record, change = sent[one.address]
        trace = trace_update(one, seen, change, session.binder, may_have_done, may_land=left > 0)
        if trace.is_shown or (trace.unread and not refused):
            _put_marks(session, one, seen, change, trace.by_others)
            _note_trace(session, call, record, trace, until())


def keep_marks(session: ApplySession, call: JournaledCall) -> None:
    """Remembers what a look shows of parts that a call of an earlier run has not touched.

    Its records are dated anew: afterwards nobody could tell any more when these were changed.
    """
    sent = _changes_sent(session, call.parts)
    for record, seen in _read_closely(session, [record for record, _ in sent.values()]):
        _, change = sent[record.address]
        others = [part for part in seen.noticed if not change.may_touch(part)]
        _put_marks(session, record, seen, change, others)


def _changes_sent(
    session: ApplySession, parts: Sequence[CallPart]
) -> Mapping[Address, tuple[Record, SentChange]]:
    """The changes that parts of a call ask for, of resources that are recorded."""
    sent = dict[Address, tuple[Record, SentChange]]()
    for part in parts:
        record = session.store.find_record(part.address)
        if record and part.packed_after:
            sent[part.address] = record, SentChange.from_forms(record, part.after)
    return sent


def _read_closely(
    session: ApplySession, records: Sequence[Record]
) -> Iterator[tuple[Record, LiveState]]:
    """The live state of these records, including whatever open calls may have done."""
    if not records:
        return
    instance = Instance(session.reader, session.binder, session.store, session.routes)
    yield from (
        (record, seen) for record, seen in read_with_own_writes(instance, records) if seen.present
    )


def _note_trace(
    session: ApplySession, call: JournaledCall, record: Record, trace: UpdateTrace, until: datetime
) -> None:
    settled = with_trace(record, trace)
    # The call may still take effect. Its record is dated ahead, so that what it does then is not
    # taken for somebody's edit.
    latest = max(until.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), record.applied_at)
    session.store.put_records(
        [settled._replace(applied_at=latest)], reason=f"as {call.op} may have left it"
    )


def _put_marks(
    session: ApplySession,
    record: Record,
    seen: LiveState,
    sent: SentChange,
    by_others: Iterable[str],
) -> None:
    """Keeps the marks of parts that a call has not touched, and what people have changed."""
    before = session.store.find_proofs([record.address]).get(record.address)
    proof = before or Proof(record.address, "")
    noticed = [part for part, mark in proof.marks.items() if mark == NOTICED]
    marks = {part: mark for part, mark in seen.marks.items() if not sent.may_touch(part)}
    marks |= dict.fromkeys([*noticed, *by_others], NOTICED)
    session.store.keep_proofs([proof._replace(marks=marks)])
