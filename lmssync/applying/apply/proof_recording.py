"""Keeps what an apply has read of the platform as proofs, for the plans after it."""

from collections.abc import Sequence
from typing import Any

from ...planning.diff import Drift, Resolution, count_form_fields, proof_of_new
from ...planning.plan import Plan, PlannedChange
from ...planning.verification_coverage import count_fields
from ...platform.live import NOTICED, WHOLE, Certainty
from ...resource import Form, is_within, load_form
from ...state import Counts, Proof, Record
from .session import ApplySession

_MANY = 200
"""Proofs that are written together: each has the path of every topic, so more fill the memory."""


def keep_planning_proofs(session: ApplySession, plan: Plan) -> None:
    """Records what was proven while the plan was made, and when it was compared once more.

    What git has won is no longer noticed: its value has taken the place of the unseen one.
    """
    unseen = {
        planned.was or planned.address: noticed
        for planned in plan.changes
        if (noticed := [drift for drift in planned.drift if drift.noticed_at])
    }
    proofs = session.store.find_proofs(unseen)
    proofs |= {proof.address: proof for proof in (*plan.proofs, *session.rechecked)}
    session.store.keep_proofs(
        _without_decided(one, unseen.get(one.address, ())) for one in proofs.values()
    )


def compare_created(session: ApplySession, record: Record, form: Form, answer: Any) -> None:
    """Compares something that was just made, and has this form, with the answer that shows it."""
    session.report.shown.add(record.address)
    if proof := proof_of_new(session.binder, record, form, answer, session.routes):
        session.proofs.append(proof)


def count_unread(session: ApplySession, record: Record) -> None:
    """Counts the fields of something that was just made and is read later, while its form is at
    hand."""
    counts = count_form_fields(record.address.kind, load_form(record.packed), session.routes)
    session.proofs.append(Proof(record.address, record.fingerprint, counts=counts))


def write_many_proofs(session: ApplySession) -> None:
    """Records what read-backs have proven, once it is a lot."""
    if len(session.proofs) >= _MANY:
        write_proofs(session)


def write_proofs(session: ApplySession) -> None:
    """Records what read-backs have proven."""
    session.store.keep_proofs(session.proofs)
    session.proofs.clear()


def flush_proofs(session: ApplySession, plan: Plan) -> None:
    """Records what read-backs have proven, and counts the fields of everything else that is new:
    plans and `status` sum up the counts without opening every record."""
    write_proofs(session)
    store = session.store
    recorded = store.uncounted_fingerprints()
    rest = count_fields(store, recorded, session.routes)
    before = store.find_proofs(rest)
    planned = {one.address: one for one in plan.changes if one.address in rest}
    store.keep_proofs(
        _proof_after(before.get(a, Proof(a, "")), planned.get(a), one)._replace(
            fingerprint=recorded[a]
        )
        for a, one in rest.items()
    )


def _proof_after(before: Proof, planned: PlannedChange | None, now: Counts) -> Proof:
    """The part of a proof that still counts once the fields of a plan were sent."""
    if planned is None or not before.readings:
        return before._replace(readings=(), proved_at="", counts=now)
    # What was sent was not read since.
    sent = list(planned.evidence.values())
    proven = min(before.counts.proven - sent.count(Certainty.PROVEN), now.fields)
    noticed = before.counts.noticed - sent.count(Certainty.NOTICED)
    known = now._replace(proven=max(proven, 0), noticed=max(noticed, 0))
    marks = {part: mark for part, mark in before.marks.items() if part != WHOLE}
    return before._replace(counts=known, marks=marks)


def _without_decided(proof: Proof, noticed: Sequence[Drift]) -> Proof:
    """The proof without the marks of what git has won; other fields of such a part stay noticed."""
    sent = [drift.path for drift in noticed if drift.decision is Resolution.GIT]
    left = [drift.path for drift in noticed if drift.decision is not Resolution.GIT]
    won = [part for part in proof.marks if any(is_within(path, part) for path in sent)]
    marks = {part: mark for part, mark in proof.marks.items() if part not in won}
    rest = (path for path in left if any(is_within(path, part) for part in won))
    return proof._replace(marks=marks | dict.fromkeys(rest, NOTICED))
