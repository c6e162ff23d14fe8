"""Performs the steps of a plan, and continues after a failure where it can."""

import gc
from collections.abc import Sequence, Set
from typing import Any

from ..address import Address
from ..client import follow
from ..errors import PlatformError
from ..live import Unbound
from ..plan import Action, Intention, Plan, Share, Step, merged
from ..resource import fingerprint, spelling
from ..state import Record, Status
from . import by_hand, confirm, jobs
from .before import before_sending
from .calls import Ended, Verdict, call
from .order import check_order
from .refused import refuse_lost_state, undone, with_way_out
from .result import Done, Report
from .session import Session
from .stop import Stop

_ADVICE = "run `lmssync apply` again, or `lmssync resolve {address}`"


def run(session: Session, plan: Plan, stop: Stop) -> Report:
    """Does what the plan says, as far as possible; the report lists the rest."""
    session.progress.begin(len(plan.steps))
    session.stop = stop
    session.writer.pace.stops = lambda: stop.asked
    session.planned = {i.address: i.action is not Action.FORGET for i in plan.intentions}
    session.allowed = frozenset(plan.allowed)
    session.deleting = {i.address: _deleting(i) for i in plan.intentions if i.manual}
    _moves(session, plan)
    _take_over(session, plan)
    try:
        _steps(session, plan, stop)
        check_order(session, plan)
        _follow_jobs(session)
    except PlatformError as error:
        session.report.error = error
    for address, why in session.left.items():
        session.report.note(address, Done.FAILED, why)
    if session.report.complete:
        _without_calls(session, plan)
    return session.report


def _deleting(intention: Intention) -> Set[str]:
    """Paths of parts that left the manifest; a manual step says `topics[start/one/hello]`."""
    return {
        step.field[:-1].partition("[")[2] for step in intention.manual if step.field[-1:] == "]"
    }


def _moves(session: Session, plan: Plan) -> None:
    """Moves all records first: every later step uses the new addresses."""
    pairs = {i.was: i.address for i in plan.of(Action.MOVE) if i.was}
    if pairs:
        session.store.move(pairs, because={"plan": session.plan, "commit": session.commit})
    for address in pairs.values():
        session.report.note(address, Done.MOVED)


def _take_over(session: Session, plan: Plan) -> None:
    """Records what is on the platform already, and drops what is not there any more."""
    if plan.made_again:
        reason = "deleted on the platform by hand, and made again"
        session.store.forget(plan.made_again, reason=reason, wholly=True)
        session.forget(plan.made_again)
    records = [
        Record(
            address,
            one.ids,
            fingerprint(spelling(one.packed)),
            one.packed,
            plan=session.plan,
            commit=session.commit,
        )
        for address, one in plan.adoptions.items()
    ]
    if records:
        session.store.put(records, reason="on the platform before it was recorded")
        session.learn(records)


def _steps(session: Session, plan: Plan, stop: Stop) -> None:
    for number, step in enumerate(plan.steps, 1):
        if stop.asked:
            session.report.interrupted = True
            return
        session.progress.step(number, step.route, len(step.shares))
        _perform(session, step)
        gc.collect(0)  # answers leave reference cycles behind, and automatic collection is rare


def _perform(session: Session, step: Step) -> None:
    """One step: shares whose ids are known go together, the others are skipped."""
    ready: list[Share] = []
    bodies: list[Any] = []
    params: dict[str, str] = {}
    for share in before_sending(session, step):
        if session.report.failed([share.address]):
            continue  # its later parts are recorded as if the earlier ones had been done
        try:
            bodies.append(session.binder.bind(share.body))
            params = session.binder.bind(step.params)
            ready.append(share)
        except Unbound as missing:
            del bodies[len(ready) :]
            _skip(session, share.address, missing.address)
    if ready:
        _send(session, step._replace(shares=tuple(ready)), params, bodies)


def _skip(session: Session, address: Address, missing: Address) -> None:
    """What was made in this run stays made; what was to be set afterwards is left."""
    why = f"it needs {missing}, which was not made"
    if address in session.made:
        session.report.leave(address, why)
    else:
        session.report.note(address, Done.SKIPPED, why)


def _send(session: Session, step: Step, params: dict[str, str], bodies: Sequence[Any]) -> None:
    ended = call(session, step, params, merged(step.route, bodies))
    if ended.verdict is Verdict.REFUSED:
        _refused(session, step, params, bodies, ended)
    elif ended.verdict is Verdict.UNKNOWN:
        for share in step.shares:
            reason = f"{ended.message}; {_ADVICE.format(address=share.address)}"
            session.report.note(share.address, Done.UNKNOWN, reason)
    else:
        _confirm(session, step, ended)


def _refused(
    session: Session, step: Step, params: dict[str, str], bodies: Sequence[Any], ended: Ended
) -> None:
    """Splits a refused batch in halves until the entry that the platform refuses is found."""
    refuse_lost_state(session, step, ended.message)
    left = undone(session, step, ended)
    shares, bodies = tuple(step.shares[n] for n in left), [bodies[n] for n in left]
    if not shares:
        return
    if len(shares) == 1 and len(step.shares) == 1:
        session.report.note(shares[0].address, Done.FAILED, with_way_out(shares[0], ended.message))
        return
    middle = max(1, len(shares) // 2)
    for part in (slice(None, middle), slice(middle, None)):
        if shares[part]:
            _send(session, step._replace(shares=shares[part]), params, bodies[part])


def _confirm(session: Session, step: Step, ended: Ended) -> None:
    created = [share.address for share in step.shares if session.ids(share.address) is None]
    refused = {step.shares[n].address: why for n, why in ended.refused.items()}
    operation = ended.operation
    if refused:
        kept = tuple(m for m in operation.members if m.address not in refused)
        operation = operation._replace(members=kept)
        session.store.drop(operation.op, list(refused), because=refused)
    for address, why in refused.items():
        session.report.note(address, Done.FAILED, why)
    if not operation.members:
        session.store.settle(operation.op)
        return
    confirmed = confirm.confirm(session, operation)
    session.made.update(record.address for record in confirmed.records if record.address in created)
    for record in confirmed.records:
        done = Done.CREATED if record.address in created else Done.UPDATED
        if session.report.done.get(record.address) not in {Done.CREATED, Done.MOVED}:
            session.report.note(record.address, done)
    _fallen_short(session, confirmed)
    confirm.tell(session, confirmed._replace(records=[]), made=Done.CREATED)


def _fallen_short(session: Session, confirmed: confirm.Confirmed) -> None:
    """What was not done stops what depends on it; what was done in part is reported later."""
    recorded = {record.address for record in confirmed.records}
    for address, why in confirmed.failed.items():
        if address in recorded:
            known = session.left.get(address)
            session.left[address] = f"{known}; {why}" if known else why
        else:
            session.report.note(address, Done.FAILED, why)
    if confirmed.job:
        session.report.jobs.append(confirmed.job)


def _follow_jobs(session: Session) -> None:
    """Polls the jobs that the calls of this run, or of one before, have queued."""
    for operation in session.store.open_operations():
        if operation.status is not Status.JOB:
            continue
        ends = follow(session.reader, jobs.left_behind(operation.answer))
        session.report.jobs += ends
        if all(end.over or end.lost for end in ends):
            told = {end.id: end.message or end.status for end in ends}
            session.store.settle(operation.op, because={"jobs": told})


def _without_calls(session: Session, plan: Plan) -> None:
    """What needs no call: things that left the catalog, fields that left a manifest."""
    gone = [intention.address for intention in plan.of(Action.FORGET)]
    if gone:
        session.store.forget(gone, reason="left the catalog")
    for address in gone:
        session.report.note(address, Done.FORGOTTEN)
    for intention in plan.of(Action.ADOPT):
        if session.report.done.get(intention.address) in {None, Done.UPDATED}:
            session.report.note(intention.address, Done.ADOPTED)
    for intention in plan.of(Action.MANUAL):
        session.report.note(intention.address, Done.MANUAL)
    for intention in plan.of(Action.BLOCKED):
        session.report.note(intention.address, Done.SKIPPED, "; ".join(intention.reasons))
        if intention.guard:
            session.report.forbidden.add(intention.address)
    rows = [_released(session, address, packed) for address, packed in plan.releases.items()]
    if rows:
        session.store.put([row for row in rows if row], reason="fields left the manifest")
    protections = {a: on for a, on in plan.protections.items() if session.ids(a)}
    if protections:
        session.store.protect(protections)
    by_hand.ask(session.store, plan)


def _released(session: Session, address: Address, packed: bytes) -> Record | None:
    record = session.store.record(address)
    if record is None:
        return None
    return record._replace(packed=packed, fingerprint=fingerprint(spelling(packed)))
