"""Refuses a saved plan once something that it was made from has moved."""

from .. import diff, live
from ..diff import Change, Difference
from ..errors import StalePlan
from ..plan import Action, Plan
from .session import Session


def refuse_stale(session: Session, saved: Plan) -> None:
    """Raises `StalePlan` if the state, or what the plan would change on the platform, has moved."""
    if saved.lineage != session.store.lineage:
        raise StalePlan(
            "the plan was made from another state", "plan again: states of two lineages never mix"
        )
    _state(session, saved)
    _platform(session, saved)


def _state(session: Session, saved: Plan) -> None:
    recorded = session.store.fingerprints()
    unknown = {m.address for op in session.store.open_operations() for m in op.members}
    moved = [
        str(intention.address)
        for intention in saved.intentions
        if recorded.get(intention.address) != intention.basis or intention.address in unknown
    ]
    if moved:
        raise StalePlan(
            f"the state has moved since the plan was made: {', '.join(moved)}", "plan again"
        )


def _platform(session: Session, saved: Plan) -> None:
    """Others may have changed the fields that the plan changes, or taken the whole thing away."""
    changes = [
        Change(intention.address, Difference.CHANGED, recorded=record, fields=intention.fields)
        for intention in saved.of(Action.UPDATE)
        if (record := session.store.record(intention.address))
    ]
    records = [change.recorded for change in changes if change.recorded]
    seen = live.read(session.reader, session.binder, records)
    now = [diff.with_live(change, seen.get(change.address)) for change in changes]
    moved = [str(change.address) for change in now if change.missing or change.conflicts]
    if moved:
        raise StalePlan(
            f"changed on the platform since the plan was made: {', '.join(moved)}", "plan again"
        )
