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
from ..kinds import KINDS
from ..kinds.kind import as_meant
from ..resource import canonical, pack, unpack
from ..state import Member, Operation, Record, Status
from . import jobs
from .readback import shown
from .result import Done
from .session import Session

PATIENCE = 10.0
"""Seconds for which a read-back may lag."""


class Confirmed(NamedTuple):
    """Members whose ids are known now, and those that no read shows."""

    records: list[Record]
    missing: list[Member]
    failed: Mapping[Address, str] = MappingProxyType({})
    """Members that were not done, or only in part, with the reason."""
    job: JobEnd | None = None
    """The job that did the work, or is still running."""


def confirm(session: Session, operation: Operation, *, patience: float = PATIENCE) -> Confirmed:
    """Records the members of an acknowledged call; what cannot be shown stays open.

    Where jobs do the work, it waits for their end first.
    """
    job = jobs.worked(session, operation)
    lost = job is not None and job.lost
    if job and not job.over and not (lost and _can_be_read(operation)):
        return Confirmed([], list(operation.members), job=job)
    if job and job.over and not job.succeeded:
        return _not_done(session, operation, job)
    operation, left = _as_answered(session, operation)
    records, missing = _read_back(session, operation, patience)
    status = Status.ACKNOWLEDGED if missing else _after(operation)
    session.store.settle(operation.op, records, status=status)
    session.learn(records)
    return Confirmed(records, missing, left, job if missing or not lost else None)


def _read_back(
    session: Session, operation: Operation, patience: float
) -> tuple[list[Record], list[Member]]:
    """Records of the members that reads show, and the members that none shows in time."""
    deadline = time.monotonic() + patience
    found: list[Record] = []
    missing = list(operation.members)
    pause = 0.1
    while True:
        now = list(shown(session, operation, missing))
        found += now
        known = {record.address for record in now}
        missing = [member for member in missing if member.address not in known]
        if not missing or time.monotonic() > deadline:
            return found, missing
        time.sleep(pause)
        pause = min(2 * pause, 2.0)


def _can_be_read(operation: Operation) -> bool:
    """True if a read can show what a lost job has done."""
    return not any(member.repeatable for member in operation.members)


def _not_done(session: Session, operation: Operation, job: JobEnd) -> Confirmed:
    """A job that failed has changed nothing (spec 3): its members are as they were."""
    told = f"its job failed, so nothing was done: {job.message or 'it does not say why'} ({job.id})"
    why = dict.fromkeys((member.address for member in operation.members), told)
    session.store.drop(operation.op, list(why), because=why)
    session.store.settle(operation.op)
    return Confirmed([], [], why, job)


def _as_answered(session: Session, operation: Operation) -> tuple[Operation, dict[Address, str]]:
    """The call with its members as its answer describes them, and what is left of them to do."""
    members: list[Member] = []
    left: dict[Address, str] = {}
    for member in operation.members:
        kind = KINDS[member.address.kind]
        if kind.calls.result is as_meant:
            members.append(member)
            continue
        before = session.store.record(member.address)
        after = unpack(member.packed)
        came = kind.calls.result(before.form if before else {}, after, operation.answer)
        members.append(member._replace(packed=pack(canonical(came.form))))
        if came.left:
            left[member.address] = came.left
        if came.note:
            session.progress.note(f"{member.address}: {came.note}")
    return operation._replace(members=tuple(members)), left


def _after(operation: Operation) -> Status:
    return Status.JOB if jobs.left_behind(operation.answer) else Status.SETTLED


def tell(session: Session, confirmed: Confirmed, *, made: Done) -> None:
    """Puts the outcome of each member into the report."""
    for record in confirmed.records:
        session.report.note(record.address, made)
    for member in confirmed.missing:
        session.report.note(member.address, Done.UNKNOWN, _waiting(confirmed.job, member))


def _waiting(job: JobEnd | None, member: Member) -> str:
    if job and job.lost:
        return (
            f"it is unknown how its job ended: {job.message} ({job.id}); run apply again, "
            f"or check in the admin interface and use `lmssync resolve {member.address}`"
        )
    if job and not job.over:
        return f"its job is {job.status} ({job.id}); run apply again"
    return "the platform said that it was done, but no read shows it yet; run apply again"
