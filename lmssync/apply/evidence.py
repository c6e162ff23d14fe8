"""What a read shows about a call with an unknown outcome, or one that was partly refused."""

from collections.abc import Set
from typing import NamedTuple

from ..diff import FieldChange, compare
from ..kind import Ambiguity, CallPart
from ..kinds import KINDS
from ..live import Looker
from ..resource import pack_form
from ..state import JournaledCall, Record
from .session import Session


class Evidence(NamedTuple):
    """How much of one part of a call exists on the platform."""

    record: Record | None = None
    """What to record; None if none of it exists."""
    whole: bool = False
    """Everything that the part had to do has been done."""
    doubt: str = ""
    """Why a read cannot tell."""


def evidence(
    session: Session,
    looker: Looker,
    call: JournaledCall,
    part: CallPart,
    claimed: Set[str] = frozenset(),
) -> Evidence:
    """Looks for what a part should have made: a resource, or parts of a recorded one.

    `claimed` are ids that were found for others and are not recorded yet.
    """
    record = session.store.record(part.address)
    if record is None:
        return _of_new(session, looker, call, part, claimed)
    return _of_parts(session, looker, call, part, record)


def _of_new(
    session: Session,
    looker: Looker,
    call: JournaledCall,
    part: CallPart,
    claimed: Set[str],
) -> Evidence:
    taken = session.store.ids_of(part.address.kind) | claimed
    ids = looker.look(session.wanted(part), taken)
    if isinstance(ids, Ambiguity):
        return Evidence(doubt=ids.text)
    if ids is None:
        return Evidence()
    return Evidence(session.record(call, part, ids), whole=True)


def _of_parts(
    session: Session, looker: Looker, call: JournaledCall, part: CallPart, record: Record
) -> Evidence:
    """Records parts that exist with what the read proves: the next plan sends the rest.

    If the part only added parts and all of them exist, it is done.
    """
    answer = looker.read(session.wanted(part))
    if isinstance(answer, Ambiguity):
        return Evidence(doubt=answer.text)
    kind, after = KINDS[part.address.kind], part.after
    shown = kind.reads.reconcile(record.form, after, record.ids, answer)
    if shown is None or shown.ambiguity:
        return Evidence(doubt=shown.ambiguity if shown else "no read shows what was done to it")
    if not shown.found:
        return Evidence()
    whole = shown.ids.parts.keys() >= kind.authoring.parts(after).keys()
    if whole and all(map(_is_addition, compare(record.form, after))):
        return Evidence(session.record(call, part, shown.ids), whole=True)
    return Evidence(record.holding(pack_form(shown.form), shown.ids), whole=False)


def _is_addition(change: FieldChange) -> bool:
    return change.before is None and change.path.endswith("]")
