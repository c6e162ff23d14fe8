"""Why a change is planned as it is, or what blocks it, in words.

A change is blocked by open calls, conflicts, guards, and whatever blocks what it needs.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from ...kind import UpdatePlan, body_entries, part_name
from ...kinds import KINDS
from ...resource import Address, Reference
from ...support.persons import codes_in, spell_person
from ..diff import ORDER, Change, Difference, Drift, Resolution, explain_decision
from .plan import PlannedChange
from .plan_context import Blocker, PlanState

_LONGEST = 100
"""Characters of a value that a reason shows."""
_LEFT_OPEN = "an earlier apply left it open"
MISSING = (
    "{what} is no longer on the platform: `--recreate {address}` creates {it} again, "
    "or take {it} out of the catalog"
)
MOVED_MISSING = "{was} is no longer on the platform: remove `moved` to create it as something new"


def why_unclear(state: PlanState, change: Change) -> str:
    """The reason; empty if everything is clear."""
    if change.move_conflict or (change.difference is Difference.SAME and not change.missing):
        return change.move_conflict
    if change.address in state.waiting:
        advice = advise_on_open_call(change.address, shown=change.address in state.findable)
        return f"{_LEFT_OPEN}: {advice}"
    if change.missing:
        text = MOVED_MISSING if change.was else MISSING
        return text.format(was=change.was, what="it", address=change.address, it="it")
    gone = _gone_parts(change) if change.address not in state.recreate else []
    if gone:
        what = " and ".join(f"`{path}`" for path in gone)
        return MISSING.format(
            what=what, address=change.address, it="it" if len(gone) == 1 else "them"
        )
    # After what is missing: nobody should allow a second one that could not be made anyway.
    if change.unclear and change.address not in state.allowed:
        return _maybe_there(change)
    conflicts = "" if change.blocked_fields else describe_conflicts(change)
    return conflicts or _aged_reason(change, recreates=change.address in state.recreate)


def advise_on_open_call(address: Address, *, shown: bool) -> str:
    """What to do about a call with an unknown outcome: whether it was done is `shown` by reads of
    the next apply, or only a person can tell."""
    if shown:
        return f"run `lmssync apply` again, or `lmssync resolve {address}`"
    return f"no read shows whether it was done; `lmssync resolve {address}` says what to look for"


def is_left_open(planned: PlannedChange) -> bool:
    """True for what waits because the outcome of an earlier call is not known."""
    return any(reason.startswith(_LEFT_OPEN) for reason in planned.reasons)


def _gone_parts(change: Change) -> list[str]:
    """Parts that somebody has deleted by hand and that the change would touch."""
    parts = [(part_name(one.path), one.path.endswith(f".{ORDER}")) for one in change.fields]
    return [
        gone
        for gone in change.gone
        if any(
            path == gone
            or path.startswith(f"{gone}/")
            # An order names all siblings, so it cannot be sent without the part that is gone.
            or (orders and path == gone.rpartition("/")[0])
            for path, orders in parts
        )
    ]


def _aged_reason(change: Change, *, recreates: bool) -> str:
    """Why a resource must not be opened to learners now, or a part not be made again: what somebody
    has attested was changed or deleted."""
    gone = [one for one in change.aged if not one.changed_at]
    aged = change.aged if change.aged and change.opens_to_learners else gone if recreates else ()
    named = "; ".join(f"{part_name(one.path)} was {one.in_words}" for one in aged)
    return f"{named}: {aged[0].remedy}" if aged else ""


def _maybe_there(change: Change) -> str:
    """The advice where a look cannot tell whether something would be created a second time."""
    if change.recorded is not None:
        return f"{change.unclear}: delete or retitle the others in the authoring interface"
    return (
        f"it may be on the platform already: {change.unclear}; "
        f"`lmssync adopt {change.address}=ID` takes it over, "
        f"`--allow {change.address}` creates another"
    )


def describe_conflicts(change: Change) -> str:
    """The conflict in words: the fields, what waits with them, and the two ways out."""
    conflicts = change.conflicts
    if not conflicts:
        return ""
    differing = "; ".join(map(_describe_difference, conflicts))
    whose = str(change.address)
    if len(conflicts) == 1:
        whose = f"{change.address}:{conflicts[0].path}"
    return (
        f"changed on the platform and in git: {differing}; "
        f"`--keep git {whose}` sends the value from git, "
        f"`--keep platform {whose}` leaves what is there{_describe_waiting(change)}"
    )


def _describe_waiting(change: Change) -> str:
    """The words that say what waits along with the conflicts, and that the rest does not."""
    paths = [one.path for one in change.drift if one.decision is Resolution.WAITING]
    wait = f", and {', '.join(paths)} {'waits' if len(paths) == 1 else 'wait'} with it"
    rest = f"{wait if paths else ''}; the other changes do not wait"
    return rest if change.blocked_fields else ""


def _describe_difference(one: Drift) -> str:
    if one.noticed_at:
        return f"{one.path} may have been changed there by hand, and no route shows its value"
    if one.places:
        return f"{one.path}: {one.describe_places()}"
    live, recorded = map(_short_value, (one.live, one.recorded))
    return f"{one.path} is {live} there and was {recorded} when it was last applied"


def _short_value(value: Any) -> str:
    """A value on a short line, a body by its text."""
    if value is None:
        return "not set"
    text = repr(value.get("$markdown", value) if isinstance(value, dict) else value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


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
        # Something new can be made first, and refer to it in a later plan.
        if _is_left_out(state, reference) and not (is_new and reference.deferrable):
            return Blocker(f"it needs {address}, which this plan leaves out")
        if reference.deferrable:
            continue
        # A call whose outcome is unknown may or may not have made it: only a record is proof.
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
    """The blocked changes: blocked in themselves, or because of one that they need."""
    by_address = {change.address: change for change in changes}
    blocked = {
        address: blocker
        for address, change in by_address.items()
        if (blocker := _own_blocker(state, change)) is not None
    }
    grown = True
    while grown:  # what needs something blocked is blocked as well, however long the chain is
        more = {
            change.address: blocker
            for change in by_address.values()
            if change.address not in blocked and change.does_anything
            if (blocker := find_missing(state, by_address, blocked, change)) is not None
        }
        blocked |= more
        grown = bool(more)
    return blocked


def _own_blocker(state: PlanState, change: Change) -> Blocker | None:
    """The reason why a change itself is blocked."""
    reason = why_unclear(state, change)
    # Whichever of the two a person names, it is one decision: new, or the same as the other.
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
    # A protected resource may change in what nobody sends: only calls and steps need leave.
    if guarded and described and (described.calls or described.manual):
        return Blocker(f"it is protected: `--allow {change.address}` allows this change", PROTECT)
    return None


def _is_protected(state: PlanState, change: Change) -> bool:
    """Whether a resource is protected, by its manifest or by that of the last apply."""
    # Both count, so that no commit changes it and takes its protection away.
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
        unknown
        for call in described.calls
        for entry in body_entries(call.route, call.body)
        if (unknown := next((code for code in codes_in(entry) if not state.knows(code)), None))
    ]
    if not people:
        return ""
    number = "1 person has" if len(people) == 1 else f"{len(people):,} people have"
    return (
        f"{number} left the list, and this machine knows only the code "
        f"({', '.join(map(spell_person, people))}): {concealed.remedy}"
    )


_DRIFT = {
    Resolution.KEPT: "changed on the platform, and left as it is there: `--keep git {address}` "
    "sends the value from git",
    Resolution.PLATFORM: "the platform keeps its value: `lmssync pull {address}` writes it into "
    "the manifest",
    Resolution.GIT: "changed on the platform: the value from git is sent",
    Resolution.CONVERGED: "changed on the platform to the value in git: nothing is sent",
}
_LEFT = frozenset({Resolution.KEPT, Resolution.PLATFORM})
_SHOWN = 5
"""The most parts that a reason names."""


def moved_reasons(change: Change) -> list[str]:
    return [f"it was {change.was}: the same thing under a new key"] if change.was else []


def seen_reasons(change: Change) -> list[str]:
    """Where a resource was before, and what a look at the platform has shown of it."""
    parts = [f"`{path}`" for path in change.found if path]
    reasons = moved_reasons(change)
    if change.returned:
        reasons.append("it is back in the catalog: what was made before is managed again")
    if "" in change.found:
        reasons.append(_describe_adoption(change))
    if parts:
        reasons.append(f"on the platform already, and taken over: {', '.join(parts)}")
    if change.named:
        moved = change.desired is not None and bool(change.desired.lifecycle.moved_parts)
        reasons.append(_given_ids(change.named, moved=moved))
    if change.gone:
        reasons.append(f"deleted on the platform: {', '.join(f'`{path}`' for path in change.gone)}")
    return [*reasons, *_came_reasons(change), *_drifted_reasons(change)]


def _describe_adoption(change: Change) -> str:
    """Which list shows something that the state does not know, and what is recorded of it."""
    mention = KINDS[change.address.kind].reads.mention if change.mentioned else None
    if mention is None:
        return "it is on the platform already: it is taken over, and what no read shows is sent"
    return (
        f"it is on the platform already, as its mark in {mention.where} shows: it is taken over, "
        "and its fields, which no route of this instance shows, are recorded as git has them"
    )


def _came_reasons(change: Change) -> Iterator[str]:
    """The parts that people have added or moved: no update of ours touches them."""
    home = f"`lmssync pull {change.address}` writes it into the manifest" if change.came else ""
    for part in change.came[:_SHOWN]:
        what = f"{part.noun} “{part.title}” (`{part.name}`)"
        was = f"moved there on the platform, from `{part_name(part.was)}`" if part.was else ""
        yield f"{what} {was or 'added on the platform'}: {home}"
    if len(change.came) > _SHOWN:
        yield f"{len(change.came) - _SHOWN} more parts added or moved on the platform"


def _drifted_reasons(change: Change) -> Iterator[str]:
    """Says what is done with fields that people have changed on the platform."""
    apart = [one for one in change.drift if one.places and one.decision in _LEFT]
    outcomes = {one.decision for one in change.drift if one not in apart}
    yield from (
        text.format(address=change.address) for at, text in _DRIFT.items() if at in outcomes
    )
    yield from (explain_decision(change.address, one) for one in apart)


def _given_ids(paths: Mapping[str, str], *, moved: bool) -> str:
    """Parts that are now known by other ids, without those that only stand in such a part."""
    verb = "had another id before, or none" if moved else "had no id before"
    own = [now for was, now in paths.items() if was.rpartition("/")[2] != now.rpartition("/")[2]]
    shown = ", ".join(f"`{path}`" for path in own[:_SHOWN])
    more = f" and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
    return f"{shown}{more} {verb}: the platform keeps what it has"


def replaced_reasons(change: Change) -> list[str]:
    """Reasons for creating something that looks, or may look, like something that exists."""
    if not change.undecided:
        return list(change.hints)
    reason = "parts of it are replaced by new ones: `--allow` says so"
    if change.twin:
        reason = f"`--allow` says that {change.twin} is another thing"
    return [reason, *change.hints]


def permitted_reasons(state: PlanState, change: Change) -> list[str]:
    protected = change.desired.lifecycle.protect if change.desired else False
    guarded = protected or change.address in state.protected
    allowed = guarded and change.address in state.allowed
    return ["it is protected, and `--allow` names it"] if allowed else []


def released_reasons(change: Change, clears: Set[str] = frozenset()) -> list[str]:
    kept, cleared = "the platform keeps it (`{}: null` clears it)", "this change clears it"
    return [
        f"{name} left the manifest: {(cleared if name in clears else kept).format(name)}"
        for name in change.released
    ]
