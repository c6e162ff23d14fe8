"""Checks whether what a resource needs will exist."""

from collections.abc import Mapping

from ...kinds import KINDS
from ...resource import Address, Reference
from ..diff import Change, Difference
from .context import Blocker, PlanState


def find_missing(
    state: PlanState,
    changes: Mapping[Address, Change],
    blocked: Mapping[Address, Blocker],
    change: Change,
) -> Blocker | None:
    """Why something that it needs will not exist; only what must exist first counts."""
    is_new = change.difference is Difference.NEW
    for reference in change.desired.references if change.desired else ():
        address = reference.address
        if address == change.address:
            continue
        if _is_left_out(state, reference) and not (is_new and reference.deferrable):
            return Blocker(f"it needs {address}, which this plan leaves out")
        if reference.deferrable:
            continue
        blocker = blocked.get(address) or (Blocker("") if address in state.waiting else None)
        if blocker and not (
            _will_exist(state, changes, blocked, address) and _has_part(state, reference)
        ):
            return Blocker(f"it needs {address}, which is blocked", blocker.guard)
        if not blocker and not (_has_part(state, reference) or _will_come(changes, reference)):
            return Blocker(
                f"it needs `{reference.part}` of {address}, which is not on the platform: "
                f"`lifecycle.ignore` of {address} leaves its parts as they are"
            )
    return None


def _will_exist(
    state: PlanState,
    changes: Mapping[Address, Change],
    blocked: Mapping[Address, Blocker],
    address: Address,
) -> bool:
    """True if it is on the platform and its record can be found under this address."""
    if address in state.recorded:
        return True
    change = changes.get(address)
    return change is not None and change.was is not None and address not in blocked


def _is_left_out(state: PlanState, reference: Reference) -> bool:
    """True if what it names, or the part of it, comes with a change that is not in this plan."""
    address = reference.address
    return address in state.left_out and not (
        address in state.recorded and _has_part(state, reference)
    )


def _has_part(state: PlanState, reference: Reference) -> bool:
    """False if it names a part that has no id yet."""
    return reference.part is None or reference.part in state.parts_of(reference.address)


def _will_come(changes: Mapping[Address, Change], reference: Reference) -> bool:
    """True if the plan makes the part that a reference names."""
    change = changes.get(reference.address)
    if change is None or change.desired is None:
        return False
    new = change.difference is Difference.NEW
    return new or reference.part in KINDS[reference.address.kind].authoring.parts(change.after)
