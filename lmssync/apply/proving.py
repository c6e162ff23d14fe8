"""Keeps what an apply has read of the platform as proofs, for the plans after it."""

from collections.abc import Mapping

from ..address import Address
from ..diff import Evidence, Outcome, proof
from ..live import shown_by
from ..plan import Plan, PlannedChange, counts
from ..state import Counts, Proof
from .session import Session


def prove(session: Session, plan: Plan) -> None:
    """Records what was proven while the plan was made.

    What git has won is no longer noticed: its value has taken the place of the unseen one.
    """
    won = {
        planned.address: {
            one.path.rpartition("].")[0] + "]"
            for one in planned.drift
            if one.noticed_at and one.decision is Outcome.GIT
        }
        for planned in plan.changes
    }
    known = session.store.proofs([a for a, parts in won.items() if parts])
    proofs = {a: known[a] for a, parts in won.items() if parts and a in known}
    proofs |= {proof.address: proof for proof in plan.proofs}
    session.store.prove(_without(proof, won) for proof in proofs.values())


def compare(session: Session) -> None:
    """Compares what was made with the answers that have shown it, now that the ids are known."""
    for record, answer in session.shown:
        state = shown_by(session.binder, record, answer)
        if state is not None and state.present:
            session.proofs.append(proof(record, state, session.routes))
    session.shown.clear()


def flush(session: Session, plan: Plan) -> None:
    """Records what read-backs have proven, and counts the fields of everything else that is new:
    plans and `status` sum up the counts without opening every record."""
    store = session.store
    store.prove(session.proofs)
    session.proofs.clear()
    rest = counts(store, store.uncounted(), session.routes)
    before, recorded = store.proofs(rest), store.fingerprints()
    planned = {one.address: one for one in plan.changes}
    store.prove(
        _after(before.get(a), planned.get(a), one)._replace(address=a, fingerprint=recorded[a])
        for a, one in rest.items()
    )


def _after(before: Proof | None, planned: PlannedChange | None, now: Counts) -> Proof:
    """What is left of a proof once the fields of a plan were sent: these were not read since."""
    if before is None:
        return Proof(Address("", ""), "", counts=now)
    if planned is None or not before.readings:
        return before._replace(readings=(), proved_at="", counts=now)
    sent = list(planned.evidence.values())
    proven = min(before.counts.proven - sent.count(Evidence.PROVEN), now.fields)
    noticed = before.counts.noticed - sent.count(Evidence.NOTICED)
    known = now._replace(proven=max(proven, 0), noticed=max(noticed, 0))
    return before._replace(counts=known)


def _without(proof: Proof, parts: Mapping[Address, set[str]]) -> Proof:
    gone = parts.get(proof.address)
    if not gone:
        return proof
    return proof._replace(marks={p: mark for p, mark in proof.marks.items() if p not in gone})
