"""What people have done: steps that they confirm, and what they found that is taken over."""

from collections.abc import Callable, Collection, Iterable, Sequence

from ...errors import WrongUse
from ...kind import ManualStep
from ...kinds import KINDS
from ...planning.diff import Change, Difference, make_proof
from ...planning.plan import Action, Plan, PlannedChange
from ...platform.live import (
    LiveState,
    LookupQuery,
    Unchanged,
    is_declared,
    keep_fields,
    order_for_reading,
    read_compared,
    readable_fields,
    shown_by,
    shows_more,
)
from ...problems import suggest_near
from ...resource import Address, Form, Resource, pack_form
from ...state import Record, Store
from . import open_calls, proof_recording
from .identify import IdentifiedObject, identify_object
from .session import ApplySession

_OURS = {Action.CREATE, Action.UPDATE, Action.ADOPT, Action.MOVE}


def keep_manual_steps(store: Store, plan: Plan) -> None:
    """Remembers the manual steps of a plan, except those recorded with a creation."""
    store.keep_requests({i.address: _steps_of_comparison(i) for i in plan.changes if i.manual})


def _steps_of_comparison(planned: PlannedChange) -> list[ManualStep]:
    """Leaves out the steps of a creation."""
    # They may have been confirmed since the plan was saved.
    afterwards = {step.field for step in KINDS[planned.address.kind].calls.after_create}
    return [step for step in planned.manual if step.field not in afterwards]


def confirm_manual_steps(
    store: Store,
    plan: Plan,
    addresses: Sequence[Address],
    look: Callable[[Collection[Address]], Iterable[Change]],
) -> list[Address]:
    """Records resources as desired, drops those that left; returns the ones with manual steps.

    The plan says what is open; `look` gives the changes without the fields in conflict, which keep
    their record. Raises `WrongUse` and records nothing if one of them waits for lmssync itself.
    """
    meant = {old: i for i in plan.changes for old in (i.was, i.address) if old}
    for address in addresses:
        _refuse_unclear(store, address, meant.get(address))
    done = {a for a in addresses if a in meant and meant[a].manual}
    if done:
        differing = list(look(done))
        store.confirm_steps(
            sorted(done),
            records=[_as_desired(c) for c in differing if c.difference is Difference.CHANGED],
            gone=[c.address for c in differing if c.difference is Difference.GONE],
        )
    return sorted(done)


def _refuse_unclear(store: Store, address: Address, meant: PlannedChange | None) -> None:
    """Refuses addresses that are unknown, undecided, or for lmssync itself to handle."""
    if address in store.unresolved_addresses():
        raise WrongUse(
            f"a call for {address} waits for a decision, so its steps cannot be confirmed yet",
            f"run `lmssync apply` to look for it, or `lmssync resolve {address} --adopt ID`",
        )
    if meant is None:
        _refuse_unknown(store, address)
    elif meant.action is Action.BLOCKED:
        raise WrongUse(f"{address} is blocked: {'; '.join(meant.reasons)}")
    elif meant.action in _OURS:
        raise WrongUse(
            f"{address} has changes that lmssync makes itself",
            "run `lmssync apply` first, and decide with `--keep` about what it leaves",
        )
    elif meant.action is Action.FORGET:
        raise WrongUse(
            f"{address} has left the catalog, and no manual step was open for it",
            "`lmssync apply` forgets it",
        )


def _refuse_unknown(store: Store, address: Address) -> None:
    known = store.fingerprints()
    if address not in known:
        raise WrongUse(
            f"{address} is neither in the catalog nor in the state, so it has no manual step",
            suggest_near(str(address), [str(one) for one in known]),
        )


def _as_desired(change: Change) -> Record:
    """The record after a person has done everything; parts that were removed have no id."""
    record = change.recorded
    assert record is not None
    if record.unpaired:
        return record.with_form(change.packed_after)
    paths = KINDS[change.address.kind].authoring.parts(change.after)
    parts = {path: id_ for path, id_ in record.ids.parts.items() if path in paths}
    return record.with_form(change.packed_after, record.ids._replace(parts=parts))


def take_over(
    session: ApplySession,
    desired: Resource,
    platform_id: str,
    marker: str | None,
    *,
    unverified: bool,
    sends_unread: bool,
) -> str:
    """Records the object with this id as the resource; returns in words how it was checked.

    What no read shows is recorded as the manifest has it, and counts as unverified. It is left out,
    so that the next plan sends it, with `sends_unread`, and where the manifest was edited since it
    was recorded. Raises `WrongUse` and `LmssyncError` if the object is something else, or cannot be
    read.
    """
    address, form, id_ = desired.address, desired.form, platform_id.lower()
    if address in session.store.unresolved_addresses():
        remark = open_calls.adopt_outcome(session, address, id_, unverified=unverified)
        return "; ".join(filter(None, ["recorded as it was sent", remark]))
    _refuse_recorded(session, address, id_)
    before = session.store.find_record(address)
    ids_before = before.known_ids if before and not before.unpaired else None
    wanted = LookupQuery(address, lambda: form, marker, ids_before)
    reads = KINDS[address.kind].reads
    found = identify_object(session, wanted, id_, unverified=unverified)
    ids, answer, remark = found.ids, found.answer, found.remark
    if answer is not None:
        bound = session.binder.bind_known(form)
        if reads.observed(bound, ids, answer) is None:
            raise WrongUse(
                f"{id_} has been deleted on the platform", "copy the id of one that still exists"
            )
        record = session.record_without_call(address, ids, pack_form(form))
        if sends_unread or (before and _was_edited(session, before, record, found)):
            form = reads.adopted(form, ids, answer) | _keep_readable(session, address.kind, form)
    elif before:
        form = before.form
    record = session.record_without_call(address, ids, pack_form(form))
    session.store.put_records([record], reason=f"a person says: it is {id_}")
    if answer is not None:
        _compare_brought(session, record, form, found)
    return "; ".join(filter(None, ["adopted", remark]))


def compare_adopted(session: ApplySession, addresses: Iterable[Address]) -> None:
    """Compares what was taken over with all that the routes of the instance show of it, where that
    is more than the read by which it was recognised."""
    find = session.store.find_record
    more = [a for a in addresses if (one := find(a)) and shows_more(one, session.routes)]

    def find_written_before(address: Address) -> Record | None:
        # A list may be behind a write of ours, and this run has made none.
        record = find(address)
        return record and record._replace(applied_at="")

    looks = read_compared(
        session.reader,
        session.binder,
        order_for_reading(more),
        session.routes,
        find_written_before,
        before=session.kept,
    )
    for looked, seen in looks:
        if seen.present:
            _keep_shown(session, find(looked.address) or looked, seen)
            proof_recording.write_many_proofs(session)
    proof_recording.write_proofs(session)


def _keep_readable(session: ApplySession, kind: str, form: Form) -> Form:
    """What the routes of the instance can show of a form."""
    # The next plan sends the rest: nothing proves what it is now.
    shown = readable_fields(kind, session.routes)
    return keep_fields(form, lambda path: is_declared(shown, path))


def _compare_brought(
    session: ApplySession, record: Record, form: Form, found: IdentifiedObject
) -> None:
    """Compares a record with the answer by which it was recognised."""
    seen = shown_by(session.binder, record, form, found.answer, session.routes, found.route)
    if seen and seen.present:
        _keep_shown(session, record, seen)
        proof_recording.write_many_proofs(session)


def _keep_shown(session: ApplySession, record: Record, seen: LiveState | Unchanged) -> None:
    now = record.with_form(pack_form(seen.form))
    # So the next plan sends what differs.
    if now.fingerprint != record.fingerprint:
        session.store.put_records([now], reason="it differs on the platform")
    session.proofs.append(make_proof(now, seen, session.routes))


def _was_edited(
    session: ApplySession, before: Record, now: Record, found: IdentifiedObject
) -> bool:
    """True if the manifest differs from the record in fields that the answer does not show."""
    recorded, desired = before._replace(kept_ids=now.ids), now
    return len({_join_shown(session, one, found) for one in (recorded, desired)}) > 1


def _join_shown(session: ApplySession, record: Record, found: IdentifiedObject) -> str:
    """The fingerprint of a record with what an answer shows of it."""
    form, routes = record.form, session.routes
    seen = shown_by(session.binder, record, form, found.answer, routes, found.route)
    return record.with_form(pack_form(seen.form)).fingerprint if seen else record.fingerprint


def _refuse_recorded(session: ApplySession, address: Address, id_: str) -> None:
    record, ids = session.store.find_record(address), session.possible_ids(address)
    if record is not None and id_ not in ids:
        raise WrongUse(
            f"{address} is recorded already, with {', '.join(sorted(ids))}",
            f"if that is wrong: `lmssync state forget --drop-ids {address}`",
        )
