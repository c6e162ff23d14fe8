"""Records what a person has found on the platform for a resource of the catalog."""

from ...errors import WrongUse
from ...kinds import KINDS
from ...platform.live import LookupQuery, read_live_states
from ...resource import Address, Resource, pack_form
from ...state import Record
from . import by_person, proving
from .identify import identify_object
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
        remark = by_person.adopt_outcome(session, address, id_, unverified=unverified)
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
        proving.compare_created(session, record, known, answer)
        proving.write_proofs(session)
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
