"""What each change of a plan means for people: audience, words, undo, version."""

from collections.abc import Sequence

from ..diff import Change, Difference
from ..kind import Effect, Subject, SubjectKind
from ..kinds import KINDS
from .consequence import Consequence, Version
from .context import PlanState
from .plan import Action
from .sayings import sayings
from .undo import undo_of

_VERSIONS = {
    Effect.COSMETIC: Version.EDITORIAL,
    Effect.EDITORIAL: Version.EDITORIAL,
    Effect.STRUCTURAL: Version.ADDITIVE,
    Effect.PROGRESS: Version.BREAKING,
    Effect.ACCESS: Version.BREAKING,
    Effect.COMMERCE: Version.BREAKING,
}
_NOTHING_SENT = frozenset({Action.FORGET, Action.UNCHANGED})


def consequence(
    state: PlanState, change: Change, action: Action, effect: Effect, *, asked: bool
) -> Consequence | None:
    """What a change means; None for what changes nothing. `asked` if it leaves steps to people."""
    if action is Action.UNCHANGED:
        return None
    subjects = _subjects(change)
    undo, recipe = undo_of(state, change, effect, asked=asked)
    version = _version(state, change, action, effect, asked=asked)
    return Consequence(
        audience=state.learners.audience(subjects),
        says=list(sayings(state.learners, change, effect, subjects)),
        undo=undo,
        recipe=recipe,
        version=version,
        version_of=str(subjects[0].address or subjects[0].node) if version else "",
    )


def _version(
    state: PlanState, change: Change, action: Action, effect: Effect, *, asked: bool
) -> str:
    """The version word of what belongs to a course; empty where learners of none are concerned."""
    courses = [one for one in _subjects(change) if one.kind is SubjectKind.COURSE]
    if not courses or action in _NOTHING_SENT:
        return ""
    if change.difference is Difference.NEW:
        new = effect is not Effect.PROGRESS or not state.learners.met(courses)
        return Version.ADDITIVE if new else Version.BREAKING
    if change.difference is Difference.SAME and not asked:
        return ""
    breaks = effect is Effect.STRUCTURAL and asked
    return Version.BREAKING if breaks else _VERSIONS[effect]


def _subjects(change: Change) -> Sequence[Subject]:
    touches = KINDS[change.address.kind].impact.touches
    before = change.before if change.recorded else {}
    return list(touches(change.address, before, change.after))
