"""Finds out what a refused call has done anyway.

We assume that a refused batch did nothing, but have no evidence (O16), and a 200 with `errors`
does not say what was not done (O29). Anything with a mark cannot be created a second time;
all other additions are looked for before they are sent again.
"""

from ...errors import PlatformError
from ...kind import CallPart
from ...kinds import KINDS
from ...planning.plan import Step
from ...platform.live import list_named
from ...resource import Address
from . import landing
from .calls import CallEnd
from .evidence import Evidence, look_for_part, record_of
from .own_updates import settle_updates
from .result import Done
from .session import ApplySession


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
    if not any(field in message.lower() for field in fields):
        return
    if not session.fresh:
        one = next((s for s in marked if _marker_value(s) in message), marked[0])
        session.note_sign(
            f"the platform refuses the mark of {one.address}, which it may have already"
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
    for _ in session.reader.take_looks(landing.LAG, pause=0.3):
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
    made = Done.CREATED if not session.is_recorded(part.address) else Done.UPDATED
    if shown.paths:
        record = record_of(session, ended.call, part, shown)
        session.store.put_records([record], reason=f"done by {ended.call.op}, which was refused")
        session.report.note(part.address, made)
        if not shown.whole:
            why = (
                f"refused after a part of it was done; the next plan does the rest: {ended.message}"
            )
            session.report.leave_for_person(part.address, why)
    elif shown.doubt:
        why = f"{ended.message}; {shown.doubt}"
        session.report.note_shortfall(part.address, Done.FAILED, why)
