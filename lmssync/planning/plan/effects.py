"""How a change affects people, worked out from its forms: for a plan, and to check a saved one."""

from collections.abc import Iterable, Iterator

from ...kind import Effect, Kind, PermanentLoss, UpdatePlan
from ...kinds import KINDS
from ...resource import Form
from ..diff import FieldChange
from .contents import outcome
from .plan import Action, Plan, PlannedChange

GRAVE = frozenset({Effect.PROGRESS, Effect.ACCESS, Effect.COMMERCE})


def collect_effects(plan: Plan, planned: PlannedChange) -> set[Effect]:
    """All effects of a planned change: the strictest one does not hide the others."""
    kind = KINDS[planned.address.kind]
    if planned.action is Action.CREATE:
        return {planned.effect, *_effects_of_creation(kind, outcome(plan, planned.address))}
    return {planned.effect, *(kind.impact.of(field.path) for field in planned.fields)}


def effect_of_creation(kind: Kind, form: Form) -> Effect:
    return Effect.strictest(_effects_of_creation(kind, form))


def _effects_of_creation(kind: Kind, form: Form) -> set[Effect]:
    """Those of making it, of what that takes away, and of what it sells at once."""
    losses = {loss.effect for loss in kind.impact.losses({}, form)}
    return {kind.impact.creation, *losses, *_effects_of_opening(kind, {}, form)}


def effect_of_update(
    kind: Kind,
    before: Form,
    after: Form,
    fields: Iterable[FieldChange],
    described: UpdatePlan,
    losses: Iterable[PermanentLoss],
) -> Effect:
    """The strictest effect of what a kind describes, of what it opens and of what it takes away."""
    own = described.effect or effect_of_fields(kind, fields)
    opened = _effects_of_opening(kind, before, after)
    return Effect.strictest([own, *opened, *(loss.effect for loss in losses)])


def effect_of_fields(kind: Kind, fields: Iterable[FieldChange]) -> Effect:
    return Effect.strictest(kind.impact.of(field.path) for field in fields)


def _effects_of_opening(kind: Kind, before: Form, after: Form) -> Iterator[Effect]:
    """What is sold once learners can see it, although no price differs."""
    is_open = kind.impact.open_to_learners
    if is_open(after) and not (before and is_open(before)):
        sold = (name for name, value in after.items() if value)
        yield from {Effect.COMMERCE} & {kind.impact.of(name) for name in sold}


def is_milder(shown: Effect, meant: Effect) -> bool:
    return Effect.strictest([shown, meant]) is not shown
