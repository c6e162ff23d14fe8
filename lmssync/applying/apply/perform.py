"""Performs one step: sends what can be sent, halves what is refused, records what was done.

Each call of it is written down, then sent, then its outcome is written down, in this order.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import orjson

from ...errors import KeyRefused, PlatformError
from ...kind import CallPart, declare_nothing, merge_bodies
from ...kinds import KINDS
from ...planning.plan import Step, advise_on_open_call
from ...platform.client import DeliveryStatus, Outcome, SendDeadline, find_warnings, platform_error
from ...platform.live import Unbound, list_named, may_be_shown
from ...resource import Address
from ...state import CallStatus, JournaledCall, Record
from ...vocabulary.routes import ROUTES
from . import confirm, platform_work
from .evidence import Evidence, before_sending, look_for_part, make_evidence_record, settle_updates
from .result import DONE, ApplyOutcome
from .session import ApplySession

_PAUSES = (0.5, 1.0, 2.0)
"""Seconds before each further attempt to send a request of which not a single byte was sent yet."""
_FORBIDDEN = 403
_NO_BODY = b"null"
_NAMED = 3
"""The most addresses that a note names."""


class CallEnd(NamedTuple):
    """How a call ended, and what the platform said about it."""

    fate: DeliveryStatus
    """Acknowledged only if its answer can be trusted."""
    call: JournaledCall
    message: str = ""
    refused: Mapping[int, str] = {}
    """Shares that were refused inside a successful answer, by position."""
    free: Sequence[CallPart] | None = None
    """Set if it was not sent, since others have come while it waited: the parts to be sent."""


Look = Callable[[ApplySession, Step], Sequence[CallPart]]
"""Looks again before a call that had to wait, and returns the parts that may be sent."""


def make_call(
    session: ApplySession, step: Step, params: Mapping[str, str], body: bytes, look: Look
) -> CallEnd:
    """Makes one write, with the text of its body. Raises `PlatformError` or `StateError` if the run
    cannot go on, with nothing left open."""
    call, outcome, free = _announced_and_sent(session, step, params, body, look)
    if free is not None:
        return CallEnd(DeliveryStatus.UNSENT, call, free=free)
    outcome = session.people.conceal_outcome(KINDS[step.parts[0].address.kind], outcome)
    return _journal_outcome(session, step, call, outcome, body)


def _announced_and_sent(
    session: ApplySession, step: Step, params: Mapping[str, str], body: bytes, look: Look
) -> tuple[JournaledCall, Outcome, Sequence[CallPart] | None]:
    """The last attempt, and how it ended: each is announced on its own, and sent at once.

    Before each but the first one looks again, since it had to wait; if some parts are there by
    now, it ends with those that are not.
    """
    once = any(part.adds and not part.repeatable for part in step.parts)
    announced, pauses = SendDeadline(session.prompt), iter(_PAUSES)
    for attempt in count(1):
        turn = session.turn(step.route)  # before it is announced: nothing is sent while it waits
        call = session.new_call(step, body, params)._replace(attempt=attempt)
        announced.announce_again()
        created = (part.address for part in step.parts if part.creates)
        session.store.write_intent(
            call, [one for it in created for one in session.below.get(it, ())]
        )
        sent = None if body == _NO_BODY else orjson.Fragment(body)
        outcome = session.writer.send_write(
            step.route, params, sent, once=once, turn=turn, announced=announced
        )
        pause = 0.0 if outcome.late else next(pauses, None)
        if outcome.fate is not DeliveryStatus.UNSENT or pause is None:
            break
        session.store.write_outcome(call.op, CallStatus.SETTLED, _seen_outcome(outcome))
        announced.count_missed(late=outcome.late and outcome.status is None)
        session.writer.pause(pause)
        session.await_window(step.route)
        free = look(session, step)
        if len(free) < len(step.parts):
            return call, outcome, free
    return call, outcome, None


def _seen_outcome(outcome: Outcome) -> dict[str, Any]:
    return {"fate": outcome.fate, "http": outcome.status, "message": outcome.message}


def _journal_outcome(
    session: ApplySession, step: Step, call: JournaledCall, outcome: Outcome, body: bytes
) -> CallEnd:
    op = call.op
    seen = _seen_outcome(outcome)
    if outcome.fate in {DeliveryStatus.UNSENT, DeliveryStatus.REJECTED}:
        session.store.write_outcome(op, CallStatus.SETTLED, seen)
        error = platform_error(outcome, session.writer.base_url, ROUTES[step.route])
        hopeless = isinstance(error, KeyRefused) and not _lacks_feature(step, outcome)
        waits = outcome.retry_after is not None  # longer than we do, or than somebody would
        if outcome.fate is DeliveryStatus.UNSENT or hopeless or waits:
            raise error
        return CallEnd(DeliveryStatus.REJECTED, call, outcome.message)
    doubt = (
        outcome.message
        if outcome.fate is DeliveryStatus.UNKNOWN
        else _describe_doubt(step, outcome.answer)
    )
    if doubt or outcome.fate is DeliveryStatus.UNKNOWN:
        session.store.write_outcome(op, CallStatus.UNKNOWN, seen | {"doubt": doubt})
        return CallEnd(DeliveryStatus.UNKNOWN, call, doubt)
    session.store.write_outcome(op, CallStatus.ACKNOWLEDGED, seen | {"answer": outcome.answer})
    about = ", ".join(str(part.address) for part in step.parts[:_NAMED])
    about += ", …" if len(step.parts) > _NAMED else ""
    for warning in find_warnings(outcome.answer):
        session.note(f"the platform warns about {about}: {warning}")
    failures = KINDS[step.parts[0].address.kind].calls.failures
    refused = failures(outcome.answer, _body_entries(orjson.loads(body))) if failures else {}
    return CallEnd(
        DeliveryStatus.ACKNOWLEDGED, call._replace(answer=outcome.answer), refused=refused
    )


def _lacks_feature(step: Step, outcome: Outcome) -> bool:
    """True if a 403 may mean that the account lacks a feature."""
    # Then other routes still work, and the run goes on.
    return bool(ROUTES[step.route].features) and outcome.status == _FORBIDDEN


def _describe_doubt(step: Step, answer: Any) -> str:
    """Why a 2xx cannot be trusted; empty if it can."""
    adding = [part for part in step.parts if part.adds]
    kind = KINDS[step.parts[0].address.kind]
    if kind.calls.works_in_jobs(step.route) and not platform_work.job_ids_in(kind, answer):
        return "the answer does not name the background job"
    if ROUTES[step.route].repeat != "never" or not adding or kind.calls.created is declare_nothing:
        return ""
    try:
        ids: Sequence[str] = list(kind.calls.created(answer))
    except (KeyError, TypeError, IndexError):
        return "the answer lacks the ids that the specification shows"
    # Ids are not paired with parts here: their order is not promised (O16). Only their number
    # counts.
    if len(ids) != len(adding):
        return f"{len(adding)} resources were sent, and the answer names {len(ids)}"
    return ""


def _body_entries(body: Any) -> list[Any]:
    lists = [value for value in body.values() if isinstance(value, list)] if body else []
    return lists[0] if len(lists) == 1 else []


def parts_without_effect(session: ApplySession, step: Step, ended: CallEnd) -> list[int]:
    """Returns the positions of the parts that had no effect at all; reports the others."""
    looked_for = [m for m in ended.call.parts if _may_have_come(session, m)]
    evidence_of = _look_for_parts(session, looked_for) if looked_for else {}
    for part in looked_for:
        _note_effect(session, ended, part, evidence_of[part.address])
    if len(step.parts) == 1:  # else each of them is sent again
        settle_updates(session, ended.call, ended.call.parts, refused=True)
    done = {address for address, shown in evidence_of.items() if shown.paths or shown.doubt}
    return [n for n, part in enumerate(step.parts) if part.address not in done]


def refuse_lost_state(session: ApplySession, step: Step, message: str) -> None:
    """Raises `PlatformError` if the state is empty and the platform already has our resources.

    The platform refuses a mark that is taken (O18). Resources without a mark would be created a
    second time, so nothing more is sent. An earlier call of this run may have taken it (O16).
    A state that is not empty may be an old one: then only these are not made any more.
    """
    marked = [s for s in step.parts if s.creates and s.marker and s.address not in session.tried]
    session.tried.update(part.address for part in marked)
    fields = {(part.marker or "").partition("=")[0] for part in marked}
    # The platform does not say in a field which value is taken (O14, O18): its words have to name
    # the sku or slug.
    if not any(field in message.lower() for field in fields):
        return
    if not session.fresh:
        one = next((s for s in marked if _marker_value(s) in message), marked[0])
        session.note_sign(
            f"the platform refuses the mark of {one.address}: another resource may have it already"
        )
        return
    raise PlatformError(
        f"the state is empty, and the platform refuses a {' or '.join(sorted(fields))}, perhaps "
        f"because it is taken: {message}",
        "if there was a state, restore it; if not, continue with `--new-state`, and use `lmssync "
        f"adopt {marked[0].address}=ID` to take over what is there",
    )


def _marker_value(part: CallPart) -> str:
    return (part.marker or "").partition("=")[2]


def with_way_out(part: CallPart, message: str) -> str:
    """The refusal of one part, with a way out if its own object may already have the mark."""
    field = (part.marker or "").partition("=")[0]
    if not (part.creates and field and field in message.lower()):
        return message
    return f"{message}; if it is this one, `lmssync adopt {part.address}=ID` takes it over"


def _may_have_come(session: ApplySession, part: CallPart) -> bool:
    """True if it adds something that a read can show."""
    if not part.adds or part.repeatable:
        return False
    known, reads = session.is_recorded(part.address), KINDS[part.address.kind].reads
    reading = reads.lookup_request(part, known=known)
    return reading is not None and (known or part.address not in list_named(reading.params))


def _look_for_parts(session: ApplySession, parts: list[CallPart]) -> dict[Address, Evidence]:
    """How much of each part exists, after waiting until reads must show it."""
    evidence_of: dict[Address, Evidence] = {}
    for _ in session.reader.take_looks(platform_work.LAG, pause=0.3):
        looker = session.looker()
        claimed: set[str] = set()
        for part in parts:
            shown = look_for_part(session, looker, part, claimed)
            claimed.update(shown.ids.own.values() if shown.ids else ())
            evidence_of[part.address] = shown
        if all(shown.whole for shown in evidence_of.values()):
            break
    return evidence_of


def _note_effect(session: ApplySession, ended: CallEnd, part: CallPart, shown: Evidence) -> None:
    made = ApplyOutcome.CREATED if not session.is_recorded(part.address) else ApplyOutcome.UPDATED
    if shown.paths:
        record = make_evidence_record(session, ended.call, part, shown)
        session.store.put_records([record], reason=f"done by {ended.call.op}, which was refused")
        session.report.note(part.address, made)
        if not shown.whole:
            why = (
                f"refused after a part of it was done; the next plan does the rest: {ended.message}"
            )
            session.report.leave_for_person(part.address, why)
    elif shown.doubt:
        why = f"{ended.message}; {shown.doubt}"
        session.report.note_shortfall(part.address, ApplyOutcome.FAILED, why)


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
            _skip_part(session, part.address, missing)
    if ready:
        _send_parts(session, step._replace(parts=tuple(ready)), params, bodies)


def _skip_part(session: ApplySession, address: Address, missing: Unbound) -> None:
    """Skips a part: fields that should be set after a create are not set."""
    why = session.store.explain_unpaired(missing.address)
    if not why and session.is_recorded(missing.address):  # only a part of it was not made
        why = f"it needs the {missing.what} of {missing.address}, which is not known"
    why = why or f"it needs {missing.address}, which was not made"
    session.report.note_shortfall(address, ApplyOutcome.SKIPPED, why)


def _send_parts(
    session: ApplySession, step: Step, params: dict[str, str], bodies: list[Any]
) -> None:
    body = orjson.dumps(merge_bodies(step.route, bodies), option=orjson.OPT_SORT_KEYS)
    # A hundred courses take ten times the room of their text, for as long as nothing is answered.
    bodies.clear()
    ended = make_call(session, step, params, body, before_sending)
    if ended.free is not None:
        _perform_creates(session, step._replace(parts=tuple(ended.free)))
    elif ended.fate is DeliveryStatus.REJECTED:
        _split_refused(session, step, ended)
    elif ended.fate is DeliveryStatus.UNKNOWN:
        for part in step.parts:
            recorded = session.is_recorded(part.address)
            shown = may_be_shown(part, session.routes, recorded=recorded)
            reason = f"{ended.message}; {advise_on_open_call(part.address, shown=shown)}"
            session.report.note_shortfall(part.address, ApplyOutcome.UNKNOWN, reason)
    else:
        _confirm_step(session, step, ended)


def _split_refused(session: ApplySession, step: Step, ended: CallEnd) -> None:
    """Splits a refused batch in halves until it finds the entry that the platform refuses."""
    refuse_lost_state(session, step, ended.message)
    before = session.store.find_record(step.parts[0].address)
    parts = tuple(step.parts[n] for n in parts_without_effect(session, step, ended))
    if not parts:
        return
    if len(parts) == 1 and len(step.parts) == 1:
        _note_refusal(session, parts[0], ended.message, before)
        return
    middle = max(1, len(parts) // 2)
    for half in (slice(None, middle), slice(middle, None)):
        if parts[half]:
            _perform_creates(session, step._replace(parts=parts[half]))


def _note_refusal(
    session: ApplySession, part: CallPart, message: str, before: Record | None
) -> None:
    """Notes that a call was refused, or that it was done all the same."""
    record = session.store.find_record(part.address)
    if record is None or record == before or record.form != part.after:
        why = with_way_out(part, message)
        session.report.note_shortfall(part.address, ApplyOutcome.FAILED, why)
        return
    # A look has just shown it as it was sent, although the answer was a refusal.
    session.note(f"{part.address}: the platform refused the change, and made it nevertheless")
    if session.report.done.get(part.address) not in DONE:
        session.report.note(part.address, ApplyOutcome.UPDATED)


def _confirm_step(session: ApplySession, step: Step, ended: CallEnd) -> None:
    addresses = {part.address for part in step.parts}
    created = addresses - session.store.find_recorded(addresses)
    refused = {step.parts[n].address: why for n, why in ended.refused.items()}
    call = ended.call
    if refused:
        kept = tuple(m for m in call.parts if m.address not in refused)
        call = call._replace(parts=kept)
        session.store.drop_parts(call.op, refused)
    for address, why in refused.items():
        session.report.note_shortfall(address, ApplyOutcome.FAILED, why)
    if not call.parts:
        session.store.settle_call(call.op)
        return
    session.creating |= created
    try:
        confirmed = confirm.confirm_call(session, call)
    finally:
        session.creating -= created
    session.made.update(record.address for record in confirmed.records if record.address in created)
    for record in confirmed.records:
        done = ApplyOutcome.CREATED if record.address in created else ApplyOutcome.UPDATED
        if session.report.done.get(record.address) not in {
            ApplyOutcome.CREATED,
            ApplyOutcome.ADOPTED,
            ApplyOutcome.MOVED,
        }:
            session.report.note(record.address, done)
    _fallen_short(session, confirmed)
    for part in confirmed.missing:
        why = confirm.why_unknown(confirmed.job, part)
        session.report.note_shortfall(part.address, ApplyOutcome.UNKNOWN, why)


def _fallen_short(session: ApplySession, confirmed: confirm.Confirmed) -> None:
    """A part that was not done stops what depends on it; a part done partly is reported later."""
    recorded = {record.address for record in confirmed.records}
    for address, why in confirmed.failed.items():
        if address in recorded:
            known = session.left.get(address)
            session.left[address] = f"{known}; {why}" if known else why
        else:
            session.report.note_shortfall(address, ApplyOutcome.FAILED, why)
    if confirmed.job:
        session.report.jobs.append(confirmed.job)
