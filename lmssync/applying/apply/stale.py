"""Refuses a saved plan once something that it was made from has changed."""

from ...errors import StalePlan
from ...kind import Ids
from ...planning.plan import Action, Plan, PlannedChange
from ...resource import Address
from .edited import refuse_edited
from .session import ApplySession


def refuse_stale(session: ApplySession, saved: Plan) -> None:
    """Raises `StalePlan` if the state, or what the plan changes on the platform, has changed."""
    if saved.lineage != session.store.lineage:
        raise StalePlan(
            "the plan was made from another state",
            "plan again: a plan fits only the state that it was made from",
        )
    _state(session, saved)
    refuse_edited(session, saved)


def _state(session: ApplySession, saved: Plan) -> None:
    recorded = session.store.fingerprints()
    unknown = session.store.unresolved_addresses()
    moved = [
        str(planned.address)
        for planned in saved.changes
        if recorded.get(_known_as(planned)) != planned.basis
        or {planned.address, planned.was} & unknown
        or (planned.action is Action.MOVE and not _can_move(session, planned))
        or _is_made(session, saved, planned)
    ]
    moved += [str(a) for a, one in saved.adoptions.items() if _has_come(session, a, one.ids)]
    if moved:
        raise StalePlan(
            f"the state has changed since the plan was made: {', '.join(moved)}", "plan again"
        )


def _known_as(planned: PlannedChange) -> Address:
    """The address at which the state had it when the plan was made."""
    return planned.was or planned.address


def _can_move(session: ApplySession, planned: PlannedChange) -> bool:
    """False if it has already moved, or something else has taken its address."""
    here = session.store.find_record(planned.address)
    return here is None and session.store.find_record(_known_as(planned)) is not None


def _is_made(session: ApplySession, saved: Plan, planned: PlannedChange) -> bool:
    """True if the plan would create it but it already has ids, even as something forgotten."""
    again = planned.address in saved.made_again
    creates = planned.action is Action.CREATE and not again
    return creates and session.store.find_record(planned.address) is not None


def _has_come(session: ApplySession, address: Address, ids: Ids) -> bool:
    """True if what it takes over has been recorded under another address."""
    known = session.recorded_ids(address)
    mine = set(known.own.values()) if known else set()
    return bool((set(ids.own.values()) - mine) & session.taken_ids(address.kind))
