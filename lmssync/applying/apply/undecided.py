"""Lists calls that wait for the decision of a person, and records what that person has found."""

from collections.abc import Iterator, Set
from typing import NamedTuple

from ...errors import WrongUse
from ...kind import CallPart
from ...kinds import KINDS
from ...platform.live import LookupQuery, read_live_states
from ...resource import Address, Resource, pack_form
from ...state import JournaledCall, Record, Store
from . import person_decisions, proof_recording
from .identify import identify_object, shows_ids
from .person_decisions import makes_id
from .session import ApplySession


def take_over(
    session: ApplySession,
    desired: Resource,
    platform_id: str,
    marker: str | None,
    *,
    unverified: bool,
) -> str:
    """Records the object with this id as the resource; returns in words how it was checked.

    Raises `WrongUse` and `LmssyncError` if it is something else, or cannot be read.
    """
    address, form, id_ = desired.address, desired.form, platform_id.lower()
    if address in session.store.unresolved_addresses():
        remark = person_decisions.adopt_outcome(session, address, id_, unverified=unverified)
        return "; ".join(filter(None, ["recorded as it was sent", remark]))
    _not_recorded(session, address, id_)
    before = session.store.find_record(address)
    ids_before = before.known_ids if before and not before.unpaired else None
    wanted = LookupQuery(address, lambda: form, marker, ids_before)
    reads = KINDS[address.kind].reads
    ids, answer, checked, remark = identify_object(session, wanted, id_, unverified=unverified)
    if answer is not None:
        bound = session.binder.bind_known(form)
        if reads.observed(bound, ids, answer) is None:
            raise WrongUse(
                f"{id_} has been deleted on the platform", "copy the id of one that still exists"
            )
    known = form if answer is None else reads.adopted(form, ids, answer)
    record = session.record_without_call(address, ids, pack_form(known))
    if answer is None and checked:
        record = _as_shown(session, record)
    session.store.put_records([record], reason=f"a person says: it is {id_}")
    if answer is not None:
        proof_recording.compare_created(session, record, known, answer)
        proof_recording.write_proofs(session)
    return "; ".join(filter(None, ["adopted", remark]))


def _as_shown(session: ApplySession, record: Record) -> Record:
    """With the fields that a list shows in place of those of the manifest: the next plan sends
    what differs."""
    for _, shown in read_live_states(session.reader, session.binder, [record], session.routes):
        return record.with_form(pack_form(shown.form))
    return record


def _not_recorded(session: ApplySession, address: Address, id_: str) -> None:
    record, ids = session.store.find_record(address), session.possible_ids(address)
    if record is not None and id_ not in ids:
        raise WrongUse(
            f"{address} is recorded already, with {', '.join(sorted(ids))}",
            f"if that is wrong: `lmssync state forget --drop-ids {address}`",
        )


class Undecided(NamedTuple):
    """One resource in a call with an unknown outcome."""

    address: Address
    title: str
    call: JournaledCall
    mark: str
    """The mark of the resource if it was made, as `field=value`; empty if it has none."""
    place: str
    """The list of the admin interface in which to look."""
    id: str
    """The id of the resource, if it was there before the call."""
    makes_id: bool
    """True if the call makes something with an id: whoever has found it gives that."""
    checkable: bool
    """A route of the instance shows what has that id."""


def undecided(store: Store, routes: Set[str]) -> list[Undecided]:
    """All of it, oldest call first; the instance has these `routes`."""
    return list(_all(store, routes))


def _all(store: Store, routes: Set[str]) -> Iterator[Undecided]:
    for call in store.open_calls():
        for part in call.parts:
            yield _one(store, call, part, routes)


def _one(store: Store, call: JournaledCall, part: CallPart, routes: Set[str]) -> Undecided:
    kind, record = KINDS[part.address.kind], store.find_record(part.address)
    return Undecided(
        part.address,
        kind.authoring.title(part.after),
        call,
        part.marker or "",
        kind.reads.place(part.after) or f"the list of {kind.nouns}",
        record.known_ids.own.get(kind.reads.id_name, "") if record else "",
        makes_id(part),
        shows_ids(part, routes),
    )
