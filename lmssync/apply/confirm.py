"""Reads back what an acknowledged call has made, and records it.

The answer of a create holds ids in no promised order (O16), and a read right after a write may
lag (O31): so ids are matched by marker and structure, again and again for a bounded time.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..address import Address
from ..client import JobEnd
from ..kinds import KINDS
from ..kinds.kind import Ids, Kind, as_meant
from ..live import Unbound
from ..live.read import ask
from ..resource import canonical, pack, unpack
from ..state import Member, Operation, Record, Status
from . import jobs
from .result import Done
from .session import Session

PATIENCE = 10.0
"""Seconds for which a read-back may lag."""

LAG = 1.5
"""Seconds after which a read shows what was written before it (O31)."""


class Confirmed(NamedTuple):
    """Members whose ids are known now, and those that no read shows."""

    records: list[Record]
    missing: list[Member]
    failed: Mapping[Address, str] = MappingProxyType({})
    """Those of which something was not done, or nothing, and why."""
    job: JobEnd | None = None
    """The job that did the work, or is still at it."""


def confirm(session: Session, operation: Operation, *, patience: float = PATIENCE) -> Confirmed:
    """Records the members of an acknowledged call; what cannot be shown stays open.

    Where jobs do the work, it waits for their end first.
    """
    job = jobs.worked(session, operation)
    if job and not job.over:
        return Confirmed([], list(operation.members), job=job)
    if job and not job.succeeded and not (job.gone and _may_be_there(operation)):
        return _not_done(session, operation, job)
    operation, left = _as_answered(session, operation)
    found, missing = _read_back(session, operation, patience)
    if job and job.gone and missing:
        return _not_done(session, operation, job)
    status = Status.ACKNOWLEDGED if missing else _after(operation)
    session.store.settle(operation.op, found, status=status)
    session.learn(found)
    return Confirmed(found, missing, left, None if job and job.gone else job)


def _read_back(
    session: Session, operation: Operation, patience: float
) -> tuple[list[Record], list[Member]]:
    """Records of the members that reads show, and the members that none shows in time."""
    deadline = time.monotonic() + patience
    found: list[Record] = []
    missing = list(operation.members)
    pause = 0.1
    while True:
        now = list(_match(session, operation, missing))
        found += now
        known = {record.address for record in now}
        missing = [member for member in missing if member.address not in known]
        if not missing or time.monotonic() > deadline:
            return found, missing
        time.sleep(pause)
        pause = min(2 * pause, 2.0)


def _may_be_there(operation: Operation) -> bool:
    """True where a read can tell what a job has done that nobody knows any more."""
    return not any(member.repeatable for member in operation.members)


def _not_done(session: Session, operation: Operation, job: JobEnd) -> Confirmed:
    """A job that failed has changed nothing (spec 3): its members are as they were."""
    told = f"its job failed, so nothing was done: {job.message or 'it does not say why'} ({job.id})"
    if job.gone:
        told = f"{job.message} ({job.id}); what it was to do is planned again"
    why = dict.fromkeys((member.address for member in operation.members), told)
    session.store.drop(operation.op, list(why), because=why)
    session.store.settle(operation.op)
    return Confirmed([], [], why, job)


def _as_answered(session: Session, operation: Operation) -> tuple[Operation, dict[Address, str]]:
    """The call with what its members have come to by its answer, and what is left of them."""
    members: list[Member] = []
    left: dict[Address, str] = {}
    for member in operation.members:
        kind = KINDS[member.address.kind]
        if kind.settled is as_meant:
            members.append(member)
            continue
        before = session.store.record(member.address)
        after = unpack(member.packed)
        came = kind.settled(before.form if before else {}, after, operation.answer)
        members.append(member._replace(packed=pack(canonical(came.form))))
        if came.left:
            left[member.address] = came.left
        if came.note:
            session.progress.note(f"{member.address}: {came.note}")
    return operation._replace(members=tuple(members)), left


def made_though_refused(session: Session, operation: Operation) -> list[Record]:
    """Additions that a refused batch made before it met the entry it was refused for; recorded.

    That a refused batch did nothing is assumed and not evidenced (O16), and parts carry no mark
    by which the platform would refuse the second of them.
    """
    waiting = list(operation.members)
    deadline = time.monotonic() + LAG
    found: list[Record] = []
    while waiting:
        found += _one_by_one(session, operation, waiting)
        known = {record.address for record in found}
        waiting = [member for member in waiting if member.address not in known]
        if time.monotonic() > deadline:
            break
        time.sleep(0.3)
    if found:
        session.store.put(found, reason=f"made by {operation.op}, which was refused")
        session.learn(found)
    return found


def _after(operation: Operation) -> Status:
    return Status.JOB if jobs.left_behind(operation.answer) else Status.SETTLED


def _match(session: Session, operation: Operation, members: Sequence[Member]) -> Iterator[Record]:
    plain = [member for member in members if not member.adds]
    for member in plain:
        ids = session.ids(member.address)
        if ids:
            yield session.record(operation, member, ids)
    adding = [member for member in members if member.adds]
    if not adding:
        return
    kind = KINDS[adding[0].address.kind]
    candidates = list(kind.created(operation.answer)) if _is_create(session, adding) else []
    if not kind.readback and _is_create(session, adding):
        yield from _from_answer(session, kind, operation, adding)
    elif candidates:
        yield from _among(session, operation, candidates, adding)
    else:
        yield from _one_by_one(session, operation, adding)


def _is_create(session: Session, members: Sequence[Member]) -> bool:
    return session.ids(members[0].address) is None


def _from_answer(
    session: Session, kind: Kind, operation: Operation, members: Sequence[Member]
) -> Iterator[Record]:
    for member in members:
        ids = kind.match(unpack(member.packed), member.marker, operation.answer, frozenset())
        if ids:
            yield session.record(operation, member, ids)


def _among(
    session: Session, operation: Operation, candidates: Sequence[str], members: Sequence[Member]
) -> Iterator[Record]:
    """Pairs what was made with what was meant; each is used once."""
    waiting = [(member, unpack(member.packed)) for member in members]
    kind = KINDS[members[0].address.kind]
    for live in _read_all(session, kind, candidates, members):
        if live is None:
            continue
        for position, (member, form) in enumerate(waiting):
            ids = kind.match(form, member.marker, live, frozenset())
            if ids:
                del waiting[position]
                yield session.record(operation, member, ids)
                break


def _read_all(
    session: Session, kind: Kind, candidates: Sequence[str], members: Sequence[Member]
) -> Iterable[Any]:
    member = members[0]
    reading = kind.reading(member.address, {})
    if reading is None:
        return []
    names = list(reading.params)
    answers = session.reader.each(
        lambda id_: session.reader.read(reading.route, {names[0]: id_}), candidates
    )
    return list(_tell(session, answers, len(candidates)))


def _tell(session: Session, answers: Iterable[Any], total: int) -> Iterator[Any]:
    for number, answer in enumerate(answers, 1):
        session.progress.reading(number, total)
        yield answer


def _one_by_one(
    session: Session, operation: Operation, members: Sequence[Member]
) -> Iterator[Record]:
    """Each by a read that its form leads to: a criterion by its course, a part by its own."""
    kind = KINDS[members[0].address.kind]
    taken = session.store.ids_of(kind.name)
    answers: dict[str, Any] = {}
    for member in members:
        try:
            ids = find(session, kind, member, answers, taken)
        except Unbound:  # what leads to it is not recorded: no read can show it
            continue
        if ids:
            taken.update(ids.own.values())
            yield session.record(operation, member, ids)


def find(
    session: Session,
    kind: Kind,
    member: Member,
    answers: dict[str, Any],
    taken: set[str],
) -> Ids | None:
    """The ids of a member in what can be read of it; raises `Unbound` where nothing can be."""
    form = unpack(member.packed)
    reading = kind.reading(member.address, form)
    if reading is None:
        raise Unbound(member.address, "read that would show it")
    params = session.binder.bind(reading.params)
    key = f"{reading.route} {sorted(params.items())} {sorted(reading.query.items())}"
    if key not in answers:
        answers[key] = ask(session.reader, reading, params)
    if answers[key] is None:
        return None
    bound = session.binder.bind_known(form)
    return kind.match(bound, member.marker, answers[key], taken, session.ids(member.address))


def tell(session: Session, confirmed: Confirmed, *, made: Done) -> None:
    """Puts the outcome of each member into the report."""
    for record in confirmed.records:
        session.report.note(record.address, made)
    waiting = "the platform said that it was done, but no read shows it yet; run apply again"
    if confirmed.job and not confirmed.job.over:
        waiting = f"its job is {confirmed.job.status} ({confirmed.job.id}); run apply again"
    for member in confirmed.missing:
        session.report.note(member.address, Done.UNKNOWN, waiting)
