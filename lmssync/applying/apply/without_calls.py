"""Records what needs no call: moves, what already exists, and what only a person does."""

from ...planning.plan import Action, Plan
from . import by_hand
from .result import Done
from .session import ApplySession


def move(session: ApplySession, plan: Plan) -> None:
    """Moves all records first: every later step uses the new addresses."""
    pairs = {i.was: i.address for i in plan.with_action(Action.MOVE) if i.was}
    if pairs:
        session.store.move_records(pairs, because={"plan": session.plan, "commit": session.commit})
    for address in pairs.values():
        session.report.note(address, Done.MOVED)


def take_over(session: ApplySession, plan: Plan) -> None:
    """Records what already exists on the platform, and drops what no longer exists."""
    if plan.made_again:
        reason = "deleted on the platform by hand, and made again"
        session.store.forget_addresses(plan.made_again, reason=reason, wholly=True)
    records = [
        session.record_without_call(a, one.ids, one.packed) for a, one in plan.adoptions.items()
    ]
    if records:
        session.store.put_records(records, reason="on the platform before it was recorded")
    for planned in plan.with_action(Action.ADOPT):
        session.report.note(planned.address, Done.ADOPTED)


def finish(session: ApplySession, plan: Plan) -> None:
    """Things that left the catalog, fields that left a manifest, protections, manual steps."""
    gone = [planned.address for planned in plan.with_action(Action.FORGET)]
    if gone:
        session.store.forget_addresses(gone, reason="left the catalog")
    for address in gone:
        session.report.note(address, Done.FORGOTTEN)
    _note(session, plan)
    released = [
        record.with_form(packed)
        for address, packed in plan.releases.items()
        if (record := session.store.find_record(address))
    ]
    if plan.releases:
        session.store.put_records(released, reason="fields left the manifest")
    protections = {a: on for a, on in plan.protections.items() if session.is_recorded(a)}
    if protections:
        session.store.set_protections(protections)
    by_hand.keep_manual_steps(session.store, plan)


def _note(session: ApplySession, plan: Plan) -> None:
    for planned in plan.with_action(Action.MANUAL):
        session.report.note(planned.address, Done.MANUAL)
    for planned in plan.changes:
        if planned.blocked_fields:
            paths = ", ".join(field.path for field in planned.blocked_fields)
            session.report.undecided_fields[planned.address] = (
                f"{paths} not sent: {planned.blocked_because}"
            )
    for planned in plan.with_action(Action.BLOCKED):
        session.report.note(planned.address, Done.BLOCKED, planned.block_reason)
        if planned.guard:
            session.report.forbidden.add(planned.address)
