"""Performs the steps of a plan, and continues after a failure where it can."""

import gc
from collections.abc import Sequence, Set
from typing import Any

from ..address import Address
from ..client import follow
from ..errors import PlatformError
from ..kinds.call_part import CallPart, merged
from ..live import Unbound
from ..plan import Action, Plan, PlannedChange, Step
from ..state import Status
from . import by_hand, confirm, jobs
from .before import before_sending
from .calls import Ended, Verdict, make_call
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
    session.planned = {i.address: i.action is not Action.FORGET for i in plan.changes}
    session.allowed = frozenset(plan.allowed)
    session.deleting = {i.address: _deleting(i) for i in plan.changes if i.manual}
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


def _deleting(planned: PlannedChange) -> Set[str]:
    """Paths of parts that left the manifest; a manual step says `topics[start/one/hello]`."""
    return {step.field[:-1].partition("[")[2] for step in planned.manual if step.field[-1:] == "]"}


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
    records = [session.recorded(a, one.ids, one.packed) for a, one in plan.adoptions.items()]
    if records:
        session.store.put(records, reason="on the platform before it was recorded")
        session.learn(records)


def _steps(session: Session, plan: Plan, stop: Stop) -> None:
    for number, step in enumerate(plan.steps, 1):
        if stop.asked:
            session.report.interrupted = True
            return
        session.progress.step(number, step.route, len(step.parts))
        _perform(session, step)
        gc.collect(0)  # answers leave reference cycles behind, and automatic collection is rare


def _perform(session: Session, step: Step) -> None:
    """One step: parts whose ids are known go together, the others are skipped."""
    ready: list[CallPart] = []
    bodies: list[Any] = []
    params: dict[str, str] = {}
    for part in before_sending(session, step):
        if session.report.failed([part.address]):
            continue  # its later parts are recorded as if the earlier ones had been done
        try:
            bodies.append(session.binder.bind(part.body))
            params = session.binder.bind(step.params)
            ready.append(part)
        except Unbound as missing:
            del bodies[len(ready) :]
            _skip(session, part.address, missing.address)
    if ready:
        _send(session, step._replace(parts=tuple(ready)), params, bodies)


def _skip(session: Session, address: Address, missing: Address) -> None:
    """What was made in this run stays made; what was to be set afterwards is left."""
    why = f"it needs {missing}, which was not made"
    if address in session.made:
        session.report.leave(address, why)
    else:
        session.report.note(address, Done.SKIPPED, why)


def _send(session: Session, step: Step, params: dict[str, str], bodies: Sequence[Any]) -> None:
    ended = make_call(session, step, params, merged(step.route, bodies))
    if ended.verdict is Verdict.REFUSED:
        _refused(session, step, params, bodies, ended)
    elif ended.verdict is Verdict.UNKNOWN:
        for part in step.parts:
            reason = f"{ended.message}; {_ADVICE.format(address=part.address)}"
            session.report.note(part.address, Done.UNKNOWN, reason)
    else:
        _confirm(session, step, ended)


def _refused(
    session: Session, step: Step, params: dict[str, str], bodies: Sequence[Any], ended: Ended
) -> None:
    """Splits a refused batch in halves until the entry that the platform refuses is found."""
    refuse_lost_state(session, step, ended.message)
    left = undone(session, step, ended)
    parts, bodies = tuple(step.parts[n] for n in left), [bodies[n] for n in left]
    if not parts:
        return
    if len(parts) == 1 and len(step.parts) == 1:
        session.report.note(parts[0].address, Done.FAILED, with_way_out(parts[0], ended.message))
        return
    middle = max(1, len(parts) // 2)
    for half in (slice(None, middle), slice(middle, None)):
        if parts[half]:
            _send(session, step._replace(parts=parts[half]), params, bodies[half])


def _confirm(session: Session, step: Step, ended: Ended) -> None:
    created = [part.address for part in step.parts if session.ids(part.address) is None]
    refused = {step.parts[n].address: why for n, why in ended.refused.items()}
    call = ended.call
    if refused:
        kept = tuple(m for m in call.parts if m.address not in refused)
        call = call._replace(parts=kept)
        session.store.drop(call.op, list(refused), because=refused)
    for address, why in refused.items():
        session.report.note(address, Done.FAILED, why)
    if not call.parts:
        session.store.settle(call.op)
        return
    confirmed = confirm.confirm(session, call)
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
    for call in session.store.open_calls():
        if call.status is not Status.JOB:
            continue
        ends = follow(session.reader, jobs.left_behind(call.answer))
        session.report.jobs += ends
        if all(end.over or end.lost for end in ends):
            told = {end.id: end.message or end.status for end in ends}
            session.store.settle(call.op, because={"jobs": told})


def _without_calls(session: Session, plan: Plan) -> None:
    """What needs no call: things that left the catalog, fields that left a manifest."""
    gone = [planned.address for planned in plan.of(Action.FORGET)]
    if gone:
        session.store.forget(gone, reason="left the catalog")
    for address in gone:
        session.report.note(address, Done.FORGOTTEN)
    for planned in plan.of(Action.ADOPT):
        if session.report.done.get(planned.address) in {None, Done.UPDATED}:
            session.report.note(planned.address, Done.ADOPTED)
    for planned in plan.of(Action.MANUAL):
        session.report.note(planned.address, Done.MANUAL)
    for planned in plan.of(Action.BLOCKED):
        session.report.note(planned.address, Done.SKIPPED, "; ".join(planned.reasons))
        if planned.guard:
            session.report.forbidden.add(planned.address)
    released = [
        record.holding(packed)
        for address, packed in plan.releases.items()
        if (record := session.store.record(address))
    ]
    if plan.releases:
        session.store.put(released, reason="fields left the manifest")
    protections = {a: on for a, on in plan.protections.items() if session.ids(a)}
    if protections:
        session.store.protect(protections)
    by_hand.ask(session.store, plan)
