"""Checks what is there before adding to it, so that nothing is created a second time.

The state may be older than the platform, and people work in the admin interface. So before a
call adds to something that this run has not made itself, the exact list of it is read once more.
"""

from collections.abc import Iterator
from typing import Any

from ..kind import Ambiguity, CallPart, Ids
from ..kinds import KINDS
from ..live import Looker, Wanted, named
from ..plan import Step
from ..resource import pack_form
from .result import Done
from .session import Session

_APPEARED = (
    "{parts} appeared on the platform since the plan was made: plan again, which takes them over"
)
_DOUBT = (
    "nothing was sent, since it may be there already: {text}; "
    "if it is, `lmssync adopt {address}=ID` takes it over"
)


def before_sending(session: Session, step: Step) -> Iterator[CallPart]:
    """Returns the parts of a step that may be sent, because what they make does not exist yet."""
    looker = session.looker()
    for part in step.parts:
        if not _others_may_have_added(session, part) or _is_free(session, looker, part):
            yield part


def _others_may_have_added(session: Session, part: CallPart) -> bool:
    """True if it is added to something older than this run and a list shows what exists there."""
    if not part.adds or part.repeatable or session.report.failed([part.address]):
        return False
    if session.ids(part.address) is not None:
        return part.address not in session.made
    reading = KINDS[part.address.kind].reads.request(part.address, part.after)
    around = set() if reading is None else named(reading.params)
    if reading is None or around & (session.made | {part.address}):
        return False
    return all(session.ids(address) is not None for address in around)  # else it is skipped


def _is_free(session: Session, looker: Looker, part: CallPart) -> bool:
    """False if it already exists or may exist: then it is taken over or reported, not created."""
    wanted = session.wanted(part)
    if wanted.ids is not None:
        return _has_no_such_parts(session, looker, wanted)
    ids = looker.look(wanted, session.store.ids_of(part.address.kind))
    if isinstance(ids, Ids):
        _take_over(session, wanted, ids, looker.read(wanted))
    elif ids is not None and part.address not in session.allowed:
        why = _DOUBT.format(text=ids.text, address=part.address)
        session.report.note(part.address, Done.FAILED, why)
        return False
    return not isinstance(ids, Ids)


def _take_over(session: Session, wanted: Wanted, ids: Ids, answer: Any) -> None:
    form = KINDS[wanted.address.kind].reads.adopted(wanted.form, ids, answer)
    record = session.recorded(wanted.address, ids, pack_form(form))
    session.store.put([record], reason="it was there before it was to be made")
    session.learn([record])
    session.report.note(wanted.address, Done.ADOPTED)


def _has_no_such_parts(session: Session, looker: Looker, wanted: Wanted) -> bool:
    """False if somebody has already added such a part by hand; reports it."""
    record = session.store.record(wanted.address)
    answer = looker.read(wanted)
    if record is None or isinstance(answer, Ambiguity):
        why = _DOUBT.format(text=answer.text, address=wanted.address) if record else ""
        session.report.note(wanted.address, Done.FAILED, why)
        return False
    reconcile = KINDS[wanted.address.kind].reads.reconcile
    shown = reconcile(record.form, wanted.form, record.ids, answer)
    if shown is None or not (shown.found or shown.ambiguity):
        return True
    paths = " and ".join(f"`{path}`" for path in shown.found)
    why = shown.ambiguity or _APPEARED.format(parts=paths)
    session.report.note(wanted.address, Done.FAILED, why)
    return False
