"""Reads back what an acknowledged call has made, and records it.

The answer of a create holds ids in no promised order (O16), and a read right after a write may
lag (O31): so ids are matched by marker and structure, again and again for a bounded time.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ...kind import CallPart, as_meant
from ...kinds import KINDS
from ...platform.client import JobEnd
from ...resource import Address, pack_form
from ...state import CallStatus, JournaledCall, Record
from . import jobs, proof_recording
from .readback import find_postponable, postpone_ids, read_back, read_expected
from .session import ApplySession

PATIENCE = 10.0
"""Seconds for which a read-back may lag."""


class Confirmed(NamedTuple):
    """Members whose ids are now known, and members that no read shows."""

    records: list[Record]
    missing: list[CallPart]
    failed: Mapping[Address, str] = MappingProxyType({})
    """Members that were not done, or only in part, with the reason."""
    job: JobEnd | None = None
    """The job that did the work, or is still running."""


def confirm_call(
    session: ApplySession, call: JournaledCall, *, patience: float = PATIENCE
) -> Confirmed:
    """Records the parts of an acknowledged call; parts that no read shows stay open.

    If jobs do the work, it first waits for them to end.
    """
    job = jobs.follow_call_jobs(session, call)
    lost = job is not None and job.is_lost
    readable = not any(part.repeatable for part in call.parts)  # a read shows what a lost job did
    if job and not job.is_over and not (lost and readable):
        return Confirmed([], list(call.parts), job=job)
    if job and job.is_over and not job.has_succeeded:
        return _not_done(session, call, job)
    call, left = _as_answered(session, call)
    records, missing = _read_back(session, call, patience)
    after = CallStatus.JOB if jobs.left_behind(call.answer) else CallStatus.SETTLED
    status = CallStatus.ACKNOWLEDGED if missing else after
    session.store.settle_call(call.op, records, status=status)
    proof_recording.write_many_proofs(session)
    return Confirmed(records, missing, left, job if missing or not lost else None)


def _read_back(
    session: ApplySession, call: JournaledCall, patience: float
) -> tuple[list[Record], list[CallPart]]:
    """Returns records of the parts that reads show, and the parts that no read shows in time; with
    those of which it may be read later which ids they have."""
    postponable = find_postponable(session, call)
    if postponable:
        read = read_expected(session, call, postponable.now, patience)
        if read is not None:
            return [*read, *postpone_ids(session, call, postponable.later)], []
        session.postpones = False
    records: list[Record] = []
    missing = list(call.parts)
    for _ in session.reader.take_looks(patience):
        records += read_back(session, call, missing)
        known = {record.address for record in records}
        missing = [part for part in missing if part.address not in known]
        if not missing:
            break
    return records, missing


def _not_done(session: ApplySession, call: JournaledCall, job: JobEnd) -> Confirmed:
    """A failed job has changed nothing (spec 3), so its parts are as they were before."""
    reason = (
        f"its job failed, so nothing was done: {job.message or 'it does not say why'} ({job.id})"
    )
    why = dict.fromkeys((part.address for part in call.parts), reason)
    session.store.drop_parts(call.op, why)
    session.store.settle_call(call.op)
    return Confirmed([], [], why, job)


def _as_answered(
    session: ApplySession, call: JournaledCall
) -> tuple[JournaledCall, dict[Address, str]]:
    """The call with its parts as its answer describes them, and what is left to do for them."""
    parts: list[CallPart] = []
    left: dict[Address, str] = {}
    for part in call.parts:
        kind = KINDS[part.address.kind]
        if kind.calls.result is as_meant:
            parts.append(part)
            continue
        before = session.store.find_record(part.address)
        after = part.after
        came = kind.calls.result(before.form if before else {}, after, call.answer)
        parts.append(part._replace(kept_after=pack_form(came.form)))
        if came.left:
            left[part.address] = came.left
        if came.note:
            session.note(f"{part.address}: {came.note}")
    return call._replace(parts=tuple(parts)), left


def why_unknown(job: JobEnd | None, part: CallPart) -> str:
    """Why no read shows yet what a call has made."""
    if job and job.is_lost:
        return (
            f"it is unknown how its job ended: {job.message} ({job.id}); run apply again, "
            f"or check in the admin interface and use `lmssync resolve {part.address}`"
        )
    if job and not job.is_over:
        return f"its job is {job.status} ({job.id}); run apply again"
    return "the platform said that it was done, but no read shows it yet; run apply again"
