"""Settles what an earlier run left open, as far as evidence goes; the rest waits for a person.

Absence counts only where a read is exact: a course that may have been created cannot be looked
up without its id, so it stays unknown (design: never twice).
"""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

from ..address import Address
from ..errors import LmssyncError, WrongUse
from ..kinds import KINDS
from ..kinds.kind import Ids, nothing
from ..kinds.refers import is_uuid
from ..live import Unbound
from ..live.read import ask
from ..resource import Form, unpack
from ..state import Member, Operation, Status
from . import jobs
from .confirm import confirm, find
from .session import Session

_LAG = 3.0
"""Seconds after which a read is taken to show every write (O31)."""
_STILL_RUNNING = 10.0
"""Seconds for which a request of a killed run may still be at work on the platform."""


def recover(session: Session) -> list[Operation]:
    """Goes through the open calls; returns those that nothing but a person can settle."""
    for operation in session.store.open_operations():
        if operation.status is Status.ACKNOWLEDGED:
            session.progress.note(f"reading back what {operation.route} made before the stop")
            done = confirm(session, operation, patience=_LAG)
            for address, why in done.failed.items():
                session.progress.note(f"{address}: {why}")
        elif operation.status in {Status.INTENT, Status.UNKNOWN}:
            session.progress.note(f"looking for what {operation.route} may have made")
            _settle(session, operation)
    return [op for op in session.store.open_operations() if op.members]


def _settle(session: Session, operation: Operation) -> None:
    deadline = time.monotonic() + _LAG
    while True:
        absent = [m for m in operation.members if not _known(session, operation, m)]
        operation = operation._replace(members=tuple(absent))
        if not absent or time.monotonic() > deadline:
            break
        time.sleep(0.3)
    if absent and _job_may_run(operation):
        return
    never = {m.address: "an exact read does not show it" for m in absent}
    _close(session, operation, never)


def _job_may_run(operation: Operation) -> bool:
    """True while a job may still be at work whose id was in the answer that was lost.

    Until then it counts for nothing that what it makes is not there.
    """
    works = KINDS[operation.members[0].address.kind].jobs is not nothing
    return works and _age(operation) < jobs.PATIENCE


def _age(operation: Operation) -> float:
    """Seconds since the call was sent."""
    return (datetime.now(UTC) - datetime.fromisoformat(operation.started_at)).total_seconds()


def _known(session: Session, operation: Operation, member: Member) -> bool:
    """True when nothing more is to be learned of a member: found, harmless, or out of sight."""
    if member.repeatable:
        because = {member.address: "it may be repeated, so the next plan will"}
        session.store.drop(operation.op, [member.address], because=because)
        return True
    if not member.adds:
        return True
    try:
        taken = session.store.ids_of(member.address.kind)
        ids = find(session, KINDS[member.address.kind], member, {}, taken)
    except Unbound:
        return True
    if ids:
        record = session.record(operation, member, ids)
        session.store.settle(operation.op, [record], status=operation.status)
        session.learn([record])
    return ids is not None


def _close(session: Session, operation: Operation, never: dict[Address, str]) -> None:
    if never:
        session.store.drop(operation.op, list(never), because=never)
    left = [op for op in session.store.open_operations() if op.op == operation.op]
    if left and not left[0].members:
        session.store.settle(operation.op)


def adopt(session: Session, address: Address, platform_id: str) -> None:
    """Takes over what a person has found; it is read and must be what was meant."""
    operation, member = _open(session, address)
    ids = _identified(session, member, platform_id.lower())
    record = session.record(operation, member, ids)
    status = _status_without(operation, member)
    session.store.settle(operation.op, [record], status=status, because={"adopted": platform_id})


def not_created(session: Session, address: Address) -> None:
    """Believes a person that the platform does not have it; the next plan creates it."""
    operation, member = _open(session, address)
    age = _age(operation)
    if age < _STILL_RUNNING:
        raise WrongUse(
            f"the call for {address} was sent {age:.0f} s ago; it may still run",
            f"look again in {_STILL_RUNNING:.0f} seconds",
        )
    session.store.drop(operation.op, [address], because={address: "a person says: not created"})
    if len(operation.members) == 1:
        session.store.settle(operation.op, because={"notCreated": str(member.address)})


def _status_without(operation: Operation, member: Member) -> Status:
    return operation.status if operation.members != (member,) else Status.SETTLED


def _open(session: Session, address: Address) -> tuple[Operation, Member]:
    for operation, member in _members(session):
        if member.address == address:
            return operation, member
    others = ", ".join(str(member.address) for _, member in _members(session))
    raise WrongUse(
        f"no call for {address} waits for a decision",
        f"these do: {others}" if others else "none does",
    )


def _members(session: Session) -> Iterator[tuple[Operation, Member]]:
    for operation in session.store.open_operations():
        for member in operation.members:
            yield operation, member


def _identified(session: Session, member: Member, platform_id: str) -> Ids:
    """The ids of what has this id, if it is what the member means; raises `WrongUse`."""
    kind = KINDS[member.address.kind]
    form: Form = unpack(member.packed)
    reading = kind.reading(member.address, form)
    _free(session, member.address, platform_id)
    if reading is None:
        return Ids({kind.id_name: platform_id})
    params = {
        name: platform_id if _is_own(value, member.address) else session.binder.bind(value)
        for name, value in reading.params.items()
    }
    live = ask(session.reader, reading, params)
    if live is None:
        raise WrongUse(f"the platform has nothing with the id {platform_id}", "copy the id again")
    known = session.ids(member.address)
    taken = session.store.ids_of(member.address.kind)
    ids = kind.match(session.binder.bind_known(form), member.marker, live, taken, known)
    if ids is None or platform_id not in ids.own.values():
        raise LmssyncError(
            f"{platform_id} is not {member.address}: its mark, title or structure differs",
            f"it should carry {member.marker or 'the same title and structure'}",
        )
    return ids


def _free(session: Session, address: Address, platform_id: str) -> None:
    """Refuses what is no id, and the id of another resource: one thing has one address."""
    if not is_uuid(platform_id):
        raise WrongUse(f"`{platform_id}` is not a uuid", "copy the id from the admin interface")
    own = session.ids(address)
    if platform_id in session.store.ids_of(address.kind) - set(own.own.values() if own else ()):
        raise WrongUse(
            f"{platform_id} is recorded for another {address.kind} already",
            "`lmssync state list` shows for which; copy the id again",
        )


def _is_own(value: object, address: Address) -> bool:
    return isinstance(value, dict) and value.get("$ref") == str(address)
