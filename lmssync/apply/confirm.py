"""Reads back what an acknowledged call has made, and records it.

The answer of a create holds ids in no promised order (O16), and a read right after a write may
lag (O31): so ids are matched by marker and structure, again and again for a bounded time.
"""

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..address import Address
from ..client import JobEnd
from ..kind import CallPart, as_meant
from ..kinds import KINDS
from ..resource import pack_form
from ..state import JournaledCall, Record, Status
from . import jobs, proving
from .readback import shown
from .result import Done
from .session import Session

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


def confirm(session: Session, call: JournaledCall, *, patience: float = PATIENCE) -> Confirmed:
    """Records the parts of an acknowledged call; parts that no read shows stay open.

    If jobs do the work, it first waits for them to end.
    """
    job = jobs.worked(session, call)
    lost = job is not None and job.lost
    if job and not job.over and not (lost and _can_be_read(call)):
        return Confirmed([], list(call.parts), job=job)
    if job and job.over and not job.succeeded:
        return _not_done(session, call, job)
    call, left = _as_answered(session, call)
    records, missing = _read_back(session, call, patience)
    status = Status.ACKNOWLEDGED if missing else _after(call)
    session.store.settle(call.op, records, status=status)
    session.learn(records)
    proving.compare(session)
    return Confirmed(records, missing, left, job if missing or not lost else None)


def _read_back(
    session: Session, call: JournaledCall, patience: float
) -> tuple[list[Record], list[CallPart]]:
    """Returns records of the parts that reads show, and the parts that no read shows in time."""
    deadline = time.monotonic() + patience
    records: list[Record] = []
    missing = list(call.parts)
    pause = 0.1
    while True:
        now = list(shown(session, call, missing))
        records += now
        known = {record.address for record in now}
        missing = [part for part in missing if part.address not in known]
        if not missing or time.monotonic() > deadline:
            return records, missing
        time.sleep(pause)
        pause = min(2 * pause, 2.0)


def _can_be_read(call: JournaledCall) -> bool:
    """True if a read can show what a lost job has done."""
    return not any(part.repeatable for part in call.parts)


def _not_done(session: Session, call: JournaledCall, job: JobEnd) -> Confirmed:
    """A failed job has changed nothing (spec 3), so its parts are as they were before."""
    reason = (
        f"its job failed, so nothing was done: {job.message or 'it does not say why'} ({job.id})"
    )
    why = dict.fromkeys((part.address for part in call.parts), reason)
    session.store.drop(call.op, list(why), because=why)
    session.store.settle(call.op)
    return Confirmed([], [], why, job)


def _as_answered(session: Session, call: JournaledCall) -> tuple[JournaledCall, dict[Address, str]]:
    """The call with its parts as its answer describes them, and what is left to do for them."""
    parts: list[CallPart] = []
    left: dict[Address, str] = {}
    for part in call.parts:
        kind = KINDS[part.address.kind]
        if kind.calls.result is as_meant:
            parts.append(part)
            continue
        before = session.store.record(part.address)
        after = part.after
        came = kind.calls.result(before.form if before else {}, after, call.answer)
        parts.append(part._replace(packed_after=pack_form(came.form)))
        if came.left:
            left[part.address] = came.left
        if came.note:
            session.progress.note(f"{part.address}: {came.note}")
    return call._replace(parts=tuple(parts)), left


def _after(call: JournaledCall) -> Status:
    return Status.JOB if jobs.left_behind(call.answer) else Status.SETTLED


def tell(session: Session, confirmed: Confirmed, *, made: Done) -> None:
    """Puts the outcome of each part into the report."""
    for record in confirmed.records:
        session.report.note(record.address, made)
    for part in confirmed.missing:
        session.report.note(part.address, Done.UNKNOWN, _waiting(confirmed.job, part))


def _waiting(job: JobEnd | None, part: CallPart) -> str:
    if job and job.lost:
        return (
            f"it is unknown how its job ended: {job.message} ({job.id}); run apply again, "
            f"or check in the admin interface and use `lmssync resolve {part.address}`"
        )
    if job and not job.over:
        return f"its job is {job.status} ({job.id}); run apply again"
    return "the platform said that it was done, but no read shows it yet; run apply again"
