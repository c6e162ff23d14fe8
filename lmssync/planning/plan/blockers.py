"""What blocks a change: open calls, conflicts, guards, and the same in anything that it needs."""

from collections.abc import Iterable, Mapping

from ...kind import UpdatePlan, body_entries
from ...kinds import KINDS
from ...resource import Address, Reference
from ...support.persons import codes_in, spell_person
from ..diff import Change, Difference
from .plan_context import Blocker, PlanState
from .unclear import why_unclear


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


PROTECT = "protect"
"""The guard that `lifecycle: {protect: true}` sets up."""
REPLACE = "replace"
"""The guard against creating something new that looks like what exists under another name."""


def find_blockers(state: PlanState, changes: Iterable[Change]) -> dict[Address, Blocker]:
    """What is blocked, either in itself or because it needs something that is blocked."""
    by_address = {change.address: change for change in changes}
    blocked = {
        address: blocker
        for address, change in by_address.items()
        if (blocker := _own_blocker(state, change)) is not None
    }
    grown = True
    while grown:
        more = {
            change.address: blocker
            for change in by_address.values()
            if change.address not in blocked and _does_anything(change)
            if (blocker := find_missing(state, by_address, blocked, change)) is not None
        }
        blocked |= more
        grown = bool(more)
    return blocked


def _does_anything(change: Change) -> bool:
    """False if only a record is corrected, which needs nothing."""
    return change.difference is not Difference.SAME or change.was is not None


def _own_blocker(state: PlanState, change: Change) -> Blocker | None:
    """What is wrong with the change itself; unknown outcomes come before guards."""
    reason = why_unclear(state, change)
    decided = state.allowed & {change.address, change.twin}
    if reason or (change.undecided and not decided):
        return Blocker(reason) if reason else Blocker(change.undecided, REPLACE)
    guarded = change.address not in state.allowed and _is_protected(state, change)
    if not guarded and not change.was:
        return None
    described = _describe_update(state, change)
    if described and (undecided := why_refused(state, change, described)):
        return Blocker(undecided)
    if guarded and described is None:
        left = f"it left the catalog and is protected: `--allow {change.address}` allows that"
        return Blocker(left, PROTECT)
    if guarded and described and (described.calls or described.manual):
        return Blocker(f"it is protected: `--allow {change.address}` allows this change", PROTECT)
    return None


def _is_protected(state: PlanState, change: Change) -> bool:
    """By its manifest or by that of the last apply, so that no commit both changes it and takes its
    protection away."""
    was_protected = not state.protected.isdisjoint({change.address, change.was or change.address})
    if change.desired is None:
        return was_protected
    return bool(change.fields) and (was_protected or change.desired.lifecycle.protect)


def _describe_update(state: PlanState, change: Change) -> UpdatePlan | None:
    """How the change would be made; None for what leaves the catalog."""
    if change.desired is None:
        return None
    others = change.desired.lifecycle.ignore
    asked = state.change(change.address, change.before, change.after, others)
    return KINDS[change.address.kind].calls.update(asked)


def why_refused(state: PlanState, change: Change, described: UpdatePlan) -> str:
    """Why a change cannot be made as described: something is undecided, or a person is unknown."""
    if described.undecided:
        return described.undecided
    concealed = KINDS[change.address.kind].concealed
    if concealed is None:
        return ""
    people = [
        stranger
        for call in described.calls
        for entry in body_entries(call.route, call.body)
        if (stranger := next((code for code in codes_in(entry) if not state.knows(code)), None))
    ]
    if not people:
        return ""
    number = "1 person has" if len(people) == 1 else f"{len(people):,} people have"
    return (
        f"{number} left the list, and this machine knows only the code "
        f"({', '.join(map(spell_person, people))}): {concealed.remedy}"
    )
