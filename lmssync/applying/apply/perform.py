"""Performs one step: sends what can be sent, halves what is refused, records what was done."""

from typing import Any

from ...kind import CallPart, merge_bodies
from ...planning.plan import Step
from ...platform.client import Fate
from ...platform.live import Unbound
from ...resource import Address
from ...state import Record
from . import confirm
from .before import before_sending
from .calls import CallEnd, make_call
from .refused import parts_without_effect, refuse_lost_state, with_way_out
from .result import DONE, Done
from .session import ApplySession

_ADVICE = "run `lmssync apply` again, or `lmssync resolve {address}`"


def perform_step(session: ApplySession, step: Step) -> None:
    """Sends the parts whose ids are known together, and skips the others."""
    session.await_window(step.route)
    _perform_creates(session, step._replace(parts=before_sending(session, step)))


def _perform_creates(session: ApplySession, step: Step) -> None:
    """Does so with parts that do not exist yet, as a look has just shown."""
    ready: list[CallPart] = []
    bodies: list[Any] = []
    params: dict[str, str] = {}
    for part in step.parts:
        if session.report.has_failed(part.address):
            continue  # its later parts are recorded as if the earlier ones had been done
        try:
            bodies.append(session.binder.bind_value(part.body))
            params = session.binder.bind_value(step.params)
            ready.append(part)
        except Unbound as missing:
            del bodies[len(ready) :]
            _skip_part(session, part.address, missing.address)
    if ready:
        _send_parts(session, step._replace(parts=tuple(ready)), params, bodies)


def _skip_part(session: ApplySession, address: Address, missing: Address) -> None:
    """What this run has made stays as it is; fields that should be set afterwards are left."""
    why = f"it needs {missing}, which was not made"
    session.report.note_shortfall(address, Done.SKIPPED, why)


def _send_parts(
    session: ApplySession, step: Step, params: dict[str, str], bodies: list[Any]
) -> None:
    ended = make_call(session, step, params, merge_bodies(step.route, bodies), before_sending)
    if ended.free is not None:
        _perform_creates(session, step._replace(parts=tuple(ended.free)))
    elif ended.fate is Fate.REJECTED:
        _split_refused(session, step, params, bodies, ended)
    elif ended.fate is Fate.UNKNOWN:
        for part in step.parts:
            reason = f"{ended.message}; {_ADVICE.format(address=part.address)}"
            session.report.note_shortfall(part.address, Done.UNKNOWN, reason)
    else:
        bodies.clear()  # a hundred courses, for as long as it takes to read them back
        _confirm_step(session, step, ended)


def _split_refused(
    session: ApplySession, step: Step, params: dict[str, str], bodies: list[Any], ended: CallEnd
) -> None:
    """Splits a refused batch in halves until it finds the entry that the platform refuses."""
    refuse_lost_state(session, step, ended.message)
    before = session.store.find_record(step.parts[0].address)
    left = parts_without_effect(session, step, ended)
    parts, bodies = tuple(step.parts[n] for n in left), [bodies[n] for n in left]
    if not parts:
        return
    if len(parts) == 1 and len(step.parts) == 1:
        _note_refusal(session, parts[0], ended.message, before)
        return
    middle = max(1, len(parts) // 2)
    for half in (slice(None, middle), slice(middle, None)):
        if parts[half]:
            _send_parts(session, step._replace(parts=parts[half]), params, bodies[half])


def _note_refusal(
    session: ApplySession, part: CallPart, message: str, before: Record | None
) -> None:
    """Notes that a call was refused, or that it was done all the same, as a look has just shown."""
    record = session.store.find_record(part.address)
    if record is None or record == before or record.form != part.after:
        why = with_way_out(part, message)
        session.report.note_shortfall(part.address, Done.FAILED, why)
        return
    session.note(f"{part.address}: the platform refused the change, and made it nevertheless")
    if session.report.done.get(part.address) not in DONE:
        session.report.note(part.address, Done.UPDATED)


def _confirm_step(session: ApplySession, step: Step, ended: CallEnd) -> None:
    created = [part.address for part in step.parts if not session.is_recorded(part.address)]
    refused = {step.parts[n].address: why for n, why in ended.refused.items()}
    call = ended.call
    if refused:
        kept = tuple(m for m in call.parts if m.address not in refused)
        call = call._replace(parts=kept)
        session.store.drop_parts(call.op, refused)
    for address, why in refused.items():
        session.report.note_shortfall(address, Done.FAILED, why)
    if not call.parts:
        session.store.settle_call(call.op)
        return
    confirmed = confirm.confirm_call(session, call)
    session.made.update(record.address for record in confirmed.records if record.address in created)
    for record in confirmed.records:
        done = Done.CREATED if record.address in created else Done.UPDATED
        if session.report.done.get(record.address) not in {Done.CREATED, Done.ADOPTED, Done.MOVED}:
            session.report.note(record.address, done)
    _fallen_short(session, confirmed)
    for part in confirmed.missing:
        why = confirm.why_unknown(confirmed.job, part)
        session.report.note_shortfall(part.address, Done.UNKNOWN, why)


def _fallen_short(session: ApplySession, confirmed: confirm.Confirmed) -> None:
    """A part that was not done stops what depends on it; a part done partly is reported later."""
    recorded = {record.address for record in confirmed.records}
    for address, why in confirmed.failed.items():
        if address in recorded:
            known = session.left.get(address)
            session.left[address] = f"{known}; {why}" if known else why
        else:
            session.report.note_shortfall(address, Done.FAILED, why)
    if confirmed.job:
        session.report.jobs.append(confirmed.job)
