"""Makes one call: writes it down, sends it, writes down its outcome, in this order."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from ...errors import KeyRefused
from ...kind import CallPart, declare_nothing
from ...kinds import KINDS
from ...planning.plan import Step
from ...platform.client import DeliveryStatus, Outcome, SendDeadline, find_warnings, platform_error
from ...state import CallStatus, JournaledCall
from ...vocabulary.routes import ROUTES
from . import jobs
from .session import ApplySession

_PAUSES = (0.5, 1.0, 2.0)
"""Seconds before each further attempt to send a request of which not a single byte was sent yet."""
_FORBIDDEN = 403
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
    session: ApplySession, step: Step, params: Mapping[str, str], body: Any, look: Look
) -> CallEnd:
    """Makes one write. Raises `PlatformError` or `StateError` if the run cannot go on, with nothing
    left open."""
    call, outcome, free = _announced_and_sent(session, step, params, body, look)
    if free is not None:
        return CallEnd(DeliveryStatus.UNSENT, call, free=free)
    outcome = session.people.conceal_outcome(KINDS[step.parts[0].address.kind], outcome)
    return _journal_outcome(session, step, call, outcome, body)


def _announced_and_sent(
    session: ApplySession, step: Step, params: Mapping[str, str], body: Any, look: Look
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
        session.store.write_intent(call)
        outcome = session.writer.send_write(
            step.route, params, body, once=once, turn=turn, announced=announced
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
    session: ApplySession, step: Step, call: JournaledCall, outcome: Outcome, body: Any
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
    refused = KINDS[step.parts[0].address.kind].calls.failures(outcome.answer, _body_entries(body))
    return CallEnd(
        DeliveryStatus.ACKNOWLEDGED, call._replace(answer=outcome.answer), refused=refused
    )


def _lacks_feature(step: Step, outcome: Outcome) -> bool:
    """True if a 403 may mean that the account lacks a feature: other routes still work."""
    return bool(ROUTES[step.route].features) and outcome.status == _FORBIDDEN


def _describe_doubt(step: Step, answer: Any) -> str:
    """Why a 2xx cannot be trusted: its ids are unreadable, or are too many or too few."""
    adding = [part for part in step.parts if part.adds]
    kind = KINDS[step.parts[0].address.kind]
    if kind.calls.works_in_jobs(step.route) and not jobs.job_ids_in(kind, answer):
        return "the answer does not name the background job"
    if ROUTES[step.route].repeat != "never" or not adding or kind.calls.created is declare_nothing:
        return ""
    try:
        ids: Sequence[str] = list(kind.calls.created(answer))
    except (KeyError, TypeError, IndexError):
        return "the answer lacks the ids that the specification shows"
    if len(ids) != len(adding):
        return f"{len(adding)} were sent, the answer names {len(ids)}"
    return ""


def _body_entries(body: Any) -> list[Any]:
    """The entries of a batched body, in their order."""
    lists = [value for value in body.values() if isinstance(value, list)] if body else []
    return lists[0] if len(lists) == 1 else []
