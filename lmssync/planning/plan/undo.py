"""Whether a planned change can be undone, and how: worked out from what its kind declares.

An update is undone by the opposite update. So the kind is asked how it would make that one: what
it leaves to a person there, a person has to undo.
"""

from typing import NamedTuple

from ...kind import Effect, ManualStep, Reversal, Undo, UpdatePlan
from ...kinds import KINDS
from ...resource import Form
from ..diff import Change, Difference, Resolution
from .plan_context import PlanState

FOREVER = Reversal(Undo.PERMANENT, "")
_BACK = "put the earlier values back into the manifest and apply"
_BACK_BY_HAND = "put the earlier values back into the manifest: an apply alone does not undo it"
_UNKNOWN = "write the values that held before, which are not recorded, and apply"
_LEFT = Reversal(Undo.REVERSIBLE, "put its manifest back: lmssync then manages it again")
_ENDED = Reversal(
    Undo.BY_HAND,
    "put what has left back into the catalog before a person has deleted it; after that, the next "
    "apply makes it anew, without what learners did there",
)


class ChangeForms(NamedTuple):
    """A change with its forms, which are unpacked once."""

    change: Change
    before: Form
    """Empty for what is new."""
    after: Form
    """Empty for what is gone."""
    described: UpdatePlan | None = None
    """How it is made, if it is an update and that is known."""


def undo_of(state: PlanState, forms: ChangeForms, effect: Effect, *, asked: bool) -> Reversal:
    """How a change can be undone; `asked` if it leaves steps to people."""
    change, before, after, described = forms
    kind = KINDS[change.address.kind]
    if change.difference is Difference.GONE:
        return _ENDED if asked else _LEFT
    if any(not loss.later for loss in kind.impact.losses(before, after)) or _overwrites_value(
        change
    ):
        return FOREVER
    remains = kind.impact.remains.get(effect, "")
    if change.recorded is None:
        return _with_remains(kind.impact.unmaking, remains)
    ahead = described or _reverse_update(state, change, before, after)
    if ahead.permanent:
        return FOREVER
    if not ahead.calls and not ahead.manual:
        return _undo_unsent(change)
    back = _opposite_of(_reverse_update(state, change, after, before))
    deleted = back.undo is Undo.REVERSIBLE and any(_ends(step, after) for step in ahead.manual)
    return _ENDED if deleted else _with_remains(back, remains)


def _reverse_update(state: PlanState, change: Change, before: Form, after: Form) -> UpdatePlan:
    others = change.desired.lifecycle.ignore if change.desired else ()
    update = KINDS[change.address.kind].calls.update
    return update(state.change(change.address, before, after, others))


def _ends(step: ManualStep, after: Form) -> bool:
    """True if a person deletes something; one that sets a text to another deletes nothing."""
    return not isinstance(after.get(step.field), str)


def _opposite_of(back: UpdatePlan) -> Reversal:
    if back.manual:
        step, *others = back.manual
        more = f", and {len(others):,} more" * bool(others)
        rest = _BACK if back.calls else _BACK_BY_HAND
        return Reversal(Undo.BY_HAND, f"{rest}; by hand, {step.field}: {step.text}{more}")
    if back.undecided:
        return Reversal(Undo.REVERSIBLE, f"{_BACK}: lmssync then asks what it needs to know")
    return Reversal(Undo.REVERSIBLE, _BACK if back.calls else _UNKNOWN)


def _undo_unsent(change: Change) -> Reversal:
    """How to undo what only the state records."""
    if change.was:
        text = f"call it {change.was.key} again, with `moved: [{{from: {change.address}}}]`"
        return Reversal(Undo.REVERSIBLE, text)
    return Reversal(Undo.REVERSIBLE, f"`lmssync state rm {change.address}` forgets it")


def _overwrites_value(change: Change) -> bool:
    """True if a value is lost that somebody wrote on the platform and that no read shows (O24)."""
    return any(one.noticed_at and one.decision is Resolution.GIT for one in change.drift)


def _with_remains(reversal: Reversal, remains: str) -> Reversal:
    return reversal._replace(recipe=f"{reversal.recipe}; {remains}") if remains else reversal
