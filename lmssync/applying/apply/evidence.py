"""Compares what a read shows with what one part of a call makes, before it is sent and after."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from ...kind import Ambiguity, CallPart, Ids
from ...kinds import KINDS
from ...planning.diff import FieldChange, compare_forms
from ...platform.live import LookupQuery, ResourceFinder
from ...resource import pack_form
from ...state import JournaledCall, Record
from .session import ApplySession


class Evidence(NamedTuple):
    """How much of one part of a call exists on the platform."""

    paths: Sequence[str] = ()
    """The paths of the parts that exist; an empty path is the resource itself."""
    ids: Ids | None = None
    """Those of the resource and of all its parts that exist, if a read shows it."""
    packed: bytes = b""
    """The form that is recorded or proven of the resource: the next plan sends the rest."""
    whole: bool = False
    """Everything that the part had to do has been done."""
    doubt: str = ""
    """Why a read cannot tell."""


def look_for_part(
    session: ApplySession, looker: ResourceFinder, part: CallPart, claimed: Set[str] = frozenset()
) -> Evidence:
    """Looks for what a part makes: a resource, or parts of a recorded one.

    `claimed` are ids that were found for others and are not recorded yet.
    """
    wanted, record = session.wanted_query(part), session.store.find_record(part.address)
    if record is not None:
        return _of_parts(looker, wanted, record)
    taken = session.taken_ids(part.address.kind) | claimed
    look = looker.look_for(wanted, taken)
    if look.doubt:  # a list that proves no absence may still show that it is there
        listed = looker.look_in_list(wanted, taken)
        look = listed if listed.ids else look
    if look.ids is None:
        return Evidence(doubt=look.doubt)
    form = KINDS[part.address.kind].reads.adopted(wanted.form, look.ids, look.answer)
    return Evidence(("",), look.ids, pack_form(form), whole=True)


def _of_parts(looker: ResourceFinder, wanted: LookupQuery, record: Record) -> Evidence:
    """It is done if the call only added parts and all of them exist."""
    answer, kind = looker.read_resource(wanted), KINDS[wanted.address.kind]
    if isinstance(answer, Ambiguity):
        return Evidence(doubt=answer.text)
    shown = kind.reads.reconcile(record.form, wanted.form, record.ids, answer)
    if shown is None:
        return Evidence(doubt="no read shows what was done to it")
    if shown.ambiguity:
        return Evidence(ids=record.ids, doubt=shown.ambiguity)
    every = shown.ids.parts.keys() >= kind.authoring.parts(wanted.form).keys()
    whole = (
        bool(shown.found)
        and every
        and all(map(_adds_part, compare_forms(record.form, wanted.form)))
    )
    return Evidence(shown.found, shown.ids, pack_form(shown.form), whole)


def _adds_part(change: FieldChange) -> bool:
    return change.before is None and change.path.endswith("]")


def make_evidence_record(
    session: ApplySession, call: JournaledCall, part: CallPart, shown: Evidence
) -> Record:
    """The record of what a call has done of a part, if any of it exists."""
    record = session.store.find_record(part.address)
    assert shown.ids is not None
    if shown.whole or record is None:
        return session.make_record(call, part, shown.ids)
    return record.with_form(shown.packed, shown.ids)
