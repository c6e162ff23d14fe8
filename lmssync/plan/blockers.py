"""What keeps a change from being made: open calls, conflicts, guards, and needs of all these."""

import re
from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from ..address import Address
from ..diff import Change, Difference, FieldChange
from ..kinds import KINDS
from ..kinds.kind import Change as KindChange
from ..kinds.kind import Described
from ..persons import codes, told
from ..resource import Reference

RESOLVE = "an earlier apply left it open: run `lmssync apply` again, or `lmssync resolve {address}`"
MISSING = (
    "{what} is no longer on the platform: `--recreate {address}` creates {it} again, "
    "or take {it} out of the catalog"
)
MOVED_MISSING = "{was} is no longer on the platform: remove `moved` to create it as something new"
PROTECT = "protect"
"""The guard that `lifecycle: {protect: true}` sets up."""
REPLACE = "replace"
"""The guard before something new that looks like what is there under another name."""


class Blocker(NamedTuple):
    """Why something is blocked, and the guard that the author can lift."""

    reason: str
    guard: str = ""


class PlanState(NamedTuple):
    """What a plan stands on, beside the changes."""

    recorded: Mapping[Address, str]
    """Fingerprints of everything that exists."""
    waiting: Set[Address]
    """Addresses of open calls."""
    parts_of: Callable[[Address], Mapping[str, str]]
    """Recorded parts by address: a callable, so that few records are opened."""
    protected: Set[Address] = frozenset()
    """What the last apply knew to be protected."""
    allowed: Set[Address] = frozenset()
    """Named by `--allow`: it may be changed though it is protected, or replaced, or created though
    a look cannot tell whether it exists."""
    recreate: Set[Address] = frozenset()
    """What is made again where somebody has deleted it by hand."""
    knows: Callable[[str], bool] = lambda _code: True
    """Whether the person behind a code can be named to the platform."""


def blockers(state: PlanState, changes: Iterable[Change]) -> dict[Address, Blocker]:
    """What is blocked, for its own sake or because it needs something that is."""
    by_address = {change.address: change for change in changes}
    blocked = {
        address: blocker
        for address, change in by_address.items()
        if (blocker := _own(state, change)) is not None
    }
    grown = True
    while grown:
        more = {
            change.address: blocker
            for change in by_address.values()
            if change.address not in blocked and _acts(change)
            if (blocker := _of_needs(state, by_address, blocked, change)) is not None
        }
        blocked |= more
        grown = bool(more)
    return blocked


def _acts(change: Change) -> bool:
    """False where only a record is corrected, which needs nothing."""
    return change.difference is not Difference.SAME or change.was is not None


def _own(state: PlanState, change: Change) -> Blocker | None:
    """What is wrong with the change itself; unknown outcomes come before guards."""
    reason = _unclear(state, change)
    decided = state.allowed & {change.address, change.twin}
    if reason or (change.undecided and not decided):
        return Blocker(reason) if reason else Blocker(change.undecided, REPLACE)
    guarded = change.address not in state.allowed and _protected(state, change)
    if not guarded and not change.was:
        return None
    described = _described(change)
    if described and (undecided := refusal(state, change, described)):
        return Blocker(undecided)
    if guarded and described is None:
        left = f"it left the catalog and is protected: `--allow {change.address}` allows that"
        return Blocker(left, PROTECT)
    if guarded and described and (described.calls or described.manual):
        return Blocker(f"it is protected: `--allow {change.address}` allows this change", PROTECT)
    return None


def _protected(state: PlanState, change: Change) -> bool:
    """By its manifest; what has left the catalog, by the manifest of the last apply."""
    if change.desired is None:
        return change.address in state.protected
    return change.desired.care.protect and bool(change.fields)


def _described(change: Change) -> Described | None:
    """How the change would be made; nothing for what leaves the catalog."""
    if change.desired is None:
        return None
    asked = KindChange(change.address, change.before, change.after)
    return KINDS[change.address.kind].update(asked)


def refusal(state: PlanState, change: Change, described: Described) -> str:
    """Why a change cannot be made as described: something is undecided, or a person is unknown."""
    if described.undecided:
        return described.undecided
    concealed = KINDS[change.address.kind].concealed
    if concealed is None:
        return ""
    people = [
        stranger
        for call in described.calls
        for entry in call.entries
        if (stranger := next((code for code in codes(entry) if not state.knows(code)), None))
    ]
    if not people:
        return ""
    number = "1 person has" if len(people) == 1 else f"{len(people):,} people have"
    return (
        f"{number} left the list, and this machine knows only the code "
        f"({', '.join(map(told, people))}): {concealed.remedy}"
    )


def _unclear(state: PlanState, change: Change) -> str:
    if change.move_conflict or (change.difference is Difference.SAME and not change.missing):
        return change.move_conflict
    if change.address in state.waiting:
        return RESOLVE.format(address=change.address)
    if change.missing:
        text = MOVED_MISSING if change.was else MISSING
        return text.format(was=change.was, what="it", address=change.address, it="it")
    gone = _gone(change) if change.address not in state.recreate else []
    if gone:
        what = " and ".join(f"`{path}`" for path in gone)
        return MISSING.format(
            what=what, address=change.address, it="it" if len(gone) == 1 else "them"
        )
    if change.unclear and change.address not in state.allowed:
        return _maybe_there(change)
    return _conflicts(change)


def _gone(change: Change) -> list[str]:
    """Parts that somebody has deleted by hand, and that the change would touch."""
    touched = [part_of(field) for field in change.fields]
    return [path for path in change.gone if any(_concerns(part, path) for part in touched)]


def part_of(field: FieldChange) -> tuple[str, str]:
    """The path of the part that a field stands in, and the field: `a/b` and `title`."""
    names = re.findall(r"\[([^\]]*)\]", field.path)
    return "/".join(names), field.path.rpartition(".")[2]


def _concerns(part: tuple[str, str], gone: str) -> bool:
    """True for what changes a part, or something in it, or its place among its siblings."""
    path, field = part
    inside = path == gone or path.startswith(f"{gone}/")
    return inside or (field == "order" and path == gone.rpartition("/")[0])


def _maybe_there(change: Change) -> str:
    """What to do where a look cannot tell whether it would be made a second time."""
    if change.recorded is not None:
        return f"{change.unclear}: delete or retitle the others in the authoring interface"
    return (
        f"it may be on the platform already: {change.unclear}; "
        f"`lmssync adopt {change.address}=ID` takes it over, "
        f"`--allow {change.address}` creates another"
    )


def _conflicts(change: Change) -> str:
    if not change.conflicts:
        return ""
    differing = "; ".join(
        f"{c.path} is {c.after!r} there and was {c.before!r} when it was last applied"
        for c in change.conflicts
    )
    return (
        f"changed on the platform and in git: {differing}; "
        f"`--keep git {change.address}` sends the value from git"
    )


def _of_needs(
    state: PlanState,
    changes: Mapping[Address, Change],
    blocked: Mapping[Address, Blocker],
    change: Change,
) -> Blocker | None:
    """Why what it needs will not be there; only what must be there first counts."""
    for reference in change.desired.references if change.desired else ():
        address = reference.address
        if reference.deferrable or address == change.address:
            continue
        blocker = blocked.get(address) or (Blocker("") if address in state.waiting else None)
        if blocker and not (_exists(state, changes, blocked, address) and _has(state, reference)):
            return Blocker(f"it needs {address}, which is blocked", blocker.guard)
        if not blocker and not (_has(state, reference) or _comes(changes, reference)):
            return Blocker(
                f"it needs `{reference.part}` of {address}, which is not on the platform: "
                f"`lifecycle.ignore` of {address} leaves its parts as they are"
            )
    return None


def _exists(
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


def _has(state: PlanState, reference: Reference) -> bool:
    """False if a part is named that has no id yet."""
    return reference.part is None or reference.part in state.parts_of(reference.address)


def _comes(changes: Mapping[Address, Change], reference: Reference) -> bool:
    """True if the plan makes the part that a reference names."""
    change = changes.get(reference.address)
    if change is None or change.desired is None:
        return False
    new = change.difference is Difference.NEW
    return new or reference.part in KINDS[reference.address.kind].parts(change.after)
