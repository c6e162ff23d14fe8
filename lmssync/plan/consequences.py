"""What each change of a plan means for people: audience, words, undo, version."""

from ..diff import Change, Difference
from ..kind import Effect, SubjectKind, UpdatePlan
from ..kinds import KINDS
from ..resource import Form
from .consequence import Consequence, Version
from .context import PlanState
from .plan import Action
from .sayings import sayings
from .undo import ChangeForms, undo_of

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
    state: PlanState,
    change: Change,
    action: Action,
    effect: Effect,
    *,
    asked: bool,
    described: UpdatePlan | None = None,
    after: Form | None = None,
) -> Consequence | None:
    """What a change means; None for what changes nothing. `asked` if it leaves steps to people.

    `after` is its form, where that is unpacked already.
    """
    if action is Action.UNCHANGED:
        return None
    before = change.before if change.recorded else {}
    forms = ChangeForms(change, before, change.after if after is None else after, described)
    touches = KINDS[change.address.kind].impact.touches
    subjects = list(touches(change.address, before, forms.after))
    undo, recipe = undo_of(state, forms, effect, asked=asked)
    course = next((one for one in subjects if one.kind is SubjectKind.COURSE), None)
    sent = action not in _NOTHING_SENT and (change.difference is not Difference.SAME or asked)
    version = ""
    if course and sent:
        is_there = change.difference is not Difference.NEW or state.learners.met([course])
        version = _version(change, effect, is_there=is_there, asked=asked)
    audience = state.learners.audience(subjects)
    return Consequence(
        audience=audience,
        says=list(sayings(state.learners, forms, effect, subjects, audience)),
        undo=undo,
        recipe=recipe,
        version=version,
        version_of=str(course.address or course.node) if course and version else "",
    )


def _version(change: Change, effect: Effect, *, is_there: bool, asked: bool) -> Version:
    """What a change is to the learners of its course, which is there already or made with it."""
    if change.difference is Difference.NEW:
        return Version.BREAKING if is_there and effect is Effect.PROGRESS else Version.ADDITIVE
    breaks = effect is Effect.STRUCTURAL and asked
    return Version.BREAKING if breaks else _VERSIONS[effect]
