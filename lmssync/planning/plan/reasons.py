"""Why a change is planned as it is, in words."""

from collections.abc import Iterator, Mapping, Set

from ...kind import part_name
from ...kinds import KINDS
from ..diff import Change, Resolution, explain_decision
from .plan_context import PlanState

_DRIFT = {
    Resolution.KEPT: "changed on the platform, and left as it is there: `--keep git {address}` "
    "sends the value from git",
    Resolution.PLATFORM: "left as the platform has it: `lmssync pull {address}` brings it home",
    Resolution.GIT: "changed on the platform: the value from git is sent",
    Resolution.CONVERGED: "changed on the platform to what git says: nothing is sent",
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
        reasons.append(_given_ids(change.named))
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
    home = f"`lmssync pull {change.address}` brings it home" if change.came else ""
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


def _given_ids(paths: Mapping[str, str]) -> str:
    """Parts that are now known by other ids, without those that only stand in such a part."""
    own = [now for was, now in paths.items() if was.rpartition("/")[2] != now.rpartition("/")[2]]
    shown = ", ".join(f"`{path}`" for path in own[:_SHOWN])
    more = f" and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
    return f"{shown}{more} had no id before: what the platform holds stays as it is"


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
