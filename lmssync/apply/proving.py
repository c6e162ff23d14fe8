"""Keeps what an apply has read of the platform as proofs, for the plans after it."""

from collections.abc import Mapping

from ..address import Address
from ..diff import Outcome, proof
from ..live import shown_by
from ..plan import Plan
from ..state import Proof
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
    known = session.store.proofs()
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


def flush(session: Session) -> None:
    """Records what read-backs have proven."""
    session.store.prove(session.proofs)
    session.proofs.clear()


def _without(proof: Proof, parts: Mapping[Address, set[str]]) -> Proof:
    gone = parts.get(proof.address)
    if not gone:
        return proof
    return proof._replace(marks={p: mark for p, mark in proof.marks.items() if p not in gone})
