"""Checks whether a saved plan's updates follow from what is recorded and what the plan shows."""

from collections.abc import Sequence, Set

from ..address import Address
from ..diff import merged
from ..errors import WrongUse
from ..kind import CallPart, FormChange, as_meant
from ..kinds import KINDS
from ..resource import Form, unpack
from ..state import Store, renamed, spelled
from ..vocabulary.routes import CORE_ROUTES
from .contents import outcome
from .plan import Action, Plan, PlannedChange


def refuse_underived(plan: Plan, store: Store, routes: Set[str] = CORE_ROUTES) -> None:
    """Raises `WrongUse` if an update sends anything but the difference between record and form.

    The state must be the one that the plan was made from, and `routes` are those that the instance
    has. It skips what cannot be derived again: updates with manual steps, and calls whose answer
    decides the outcome.
    """
    moved = {i.was: i.address for i in plan.of(Action.MOVE) if i.was}
    sent: dict[Address, list[CallPart]] = {}
    for part in plan.parts:
        sent.setdefault(part.address, []).append(part)
    for planned in (*plan.of(Action.UPDATE), *plan.of(Action.MOVE), *plan.of(Action.ADOPT)):
        kind = KINDS[planned.address.kind]
        calls = sent.get(planned.address, [])
        if planned.manual or not calls or kind.calls.result is not as_meant:
            continue
        known = plan.adoptions.get(planned.address)
        before = unpack(known.packed) if known else _before(store, planned, moved)
        after = outcome(plan, planned.address)
        before, after, _ = merged(before, after, planned.drift)
        change = FormChange(planned.address, before, after, routes, planned.address in plan.allowed)
        if not _same(kind.calls.update(change).calls, calls):
            raise WrongUse(
                f"the plan contradicts itself: what it sends for {planned.address} "
                "is not what it shows",
                "make it again with `plan --out`",
            )


def _before(store: Store, planned: PlannedChange, moved: dict[Address, Address]) -> Form:
    """The recorded form with the addresses that the plan uses."""
    record = store.record(planned.was or planned.address)
    if record is None:
        return {}
    return unpack(renamed(record.packed, spelled(moved)) if moved else record.packed)


def _same(meant: Sequence[CallPart], sent: Sequence[CallPart]) -> bool:
    return len(meant) == len(sent) and all(map(CallPart.sends_as, meant, sent))
