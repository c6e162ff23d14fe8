"""What a refused call has done all the same.

That a refused batch did nothing is assumed and not evidenced (O16), and a 200 with `errors` says
that something was not done (O29), not what. What carries a mark cannot be made a second time;
everything else that adds is looked for before any of it is sent again.
"""

import time

from ..address import Address
from ..errors import PlatformError
from ..kinds import KINDS
from ..live import named
from ..plan import Share, Step
from ..resource import unpack
from ..state import Member
from . import landing
from .calls import Ended
from .evidence import Evidence, evidence
from .result import Done
from .session import Session


def undone(session: Session, step: Step, ended: Ended) -> list[int]:
    """Positions of the shares of which nothing was done; what became of the others is noted."""
    looked_for = [m for m in ended.operation.members if _may_have_come(session, m)]
    if not looked_for:
        return list(range(len(step.shares)))
    found = _look(session, ended, looked_for)
    for member in looked_for:
        _note(session, ended, member, found[member.address])
    done = {address for address, shown in found.items() if shown.record or shown.doubt}
    return [n for n, share in enumerate(step.shares) if share.address not in done]


def refuse_lost_state(session: Session, step: Step, message: str) -> None:
    """Raises `PlatformError` where an empty state meets a platform that has our things.

    The platform refuses a mark that is taken (O18). What carries none would be made a second time,
    so nothing more is sent. What this run has sent before may have taken the mark itself (O16).
    """
    marked = [s for s in step.shares if s.creates and s.marker and s.address not in session.tried]
    session.tried.update(share.address for share in marked)
    fields = {(share.marker or "").partition("=")[0] for share in marked}
    if not session.fresh or not any(field in message.lower() for field in fields):
        return
    raise PlatformError(
        f"the state is empty, and the platform refuses a {' or '.join(sorted(fields))}, perhaps "
        f"because it is taken: {message}",
        "if there was a state, restore it; if not, continue with `--new-state`, and use `lmssync "
        f"adopt {marked[0].address}=ID` to take over what is there",
    )


def with_way_out(share: Share, message: str) -> str:
    """The refusal of one share, with the way out where its mark may be taken by itself."""
    field = (share.marker or "").partition("=")[0]
    if not (share.creates and field and field in message.lower()):
        return message
    return f"{message}; if it is this one, `lmssync adopt {share.address}=ID` takes it over"


def _may_have_come(session: Session, member: Member) -> bool:
    """True for what adds something that a read can show."""
    if not member.adds or member.repeatable:
        return False
    reading = KINDS[member.address.kind].reading(member.address, unpack(member.packed))
    if reading is None:
        return False
    return session.ids(member.address) is not None or member.address not in named(reading.params)


def _look(session: Session, ended: Ended, members: list[Member]) -> dict[Address, Evidence]:
    """What there is of each member, once a read must show it."""
    deadline = time.monotonic() + landing.LAG
    while True:
        looker = session.looker()
        found: dict[Address, Evidence] = {}
        claimed: set[str] = set()
        for member in members:
            shown = evidence(session, looker, ended.operation, member, claimed)
            claimed.update(shown.record.ids.own.values() if shown.record else ())
            found[member.address] = shown
        if all(shown.whole for shown in found.values()) or time.monotonic() > deadline:
            return found
        time.sleep(0.3)


def _note(session: Session, ended: Ended, member: Member, shown: Evidence) -> None:
    made = Done.CREATED if session.ids(member.address) is None else Done.UPDATED
    if shown.record:
        reason = f"done by {ended.operation.op}, which was refused"
        session.store.put([shown.record], reason=reason)
        session.learn([shown.record])
    if shown.record and shown.whole:
        session.report.note(member.address, made)
    elif shown.record:
        why = f"refused after a part of it was done; the next plan does the rest: {ended.message}"
        session.report.note(member.address, Done.FAILED, why)
    elif shown.doubt:
        session.report.note(member.address, Done.FAILED, f"{ended.message}; {shown.doubt}")
