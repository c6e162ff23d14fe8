"""How a change affects people, worked out from its forms: for a plan, and to check a saved one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...kind import CallPart, Effect, Kind, PermanentLoss, UpdatePlan
from ...kinds import KINDS
from ...resource import Address, Form, load_form
from ..diff import ABSENT, ORDER, FieldChange, put_value, value_at, value_or_none
from .plan import Action, Plan, PlannedChange


@lru_cache(maxsize=1)
def _last_calls(plan: Plan) -> Mapping[Address, CallPart]:
    return {part.address: part for part in plan.parts}


def form_after_calls(plan: Plan, address: Address) -> Form:
    """The form after the last call; empty if no call is made."""
    last = _last_calls(plan).get(address)
    return load_form(last.packed_after) if last and last.kept_after else {}


def fields_of_change(plan: Plan, planned: PlannedChange) -> Sequence[FieldChange]:
    """The fields that differ; for something new, everything that its calls make.

    A plan may create thousands, so new forms are opened here and not kept.
    """
    if planned.fields or planned.action is not Action.CREATE:
        return planned.fields
    written = KINDS[planned.address.kind].spec.model_fields  # a call may know more than that
    form = {p: v for p, v in form_after_calls(plan, planned.address).items() if p in written}
    return [FieldChange(path, None, value) for path, value in form.items() if value is not None]


def find_fields_by_hand(plan: Plan, planned: PlannedChange) -> Sequence[FieldChange]:
    """The fields that no call changes as they are to be: people do, by the steps of the change."""
    if not planned.manual or planned.action is Action.CREATE:
        return ()
    form = form_after_calls(plan, planned.address)
    return [one for one in planned.fields if not (form and has_field(form, one))]


def has_field(form: Form, change: FieldChange) -> bool:
    """True if a field of a form has the value that the change gives it."""
    value = value_or_none(form, change.path)
    if change.path.endswith(f".{ORDER}") and value:  # what left may still be there
        value = [name for name in value if name in change.after]
    counted = isinstance(change.after, str) and isinstance(value, list)  # rows are only counted
    return counted or value == change.after


def find_unreached_fields(plan: Plan, planned: PlannedChange, form: Form) -> Iterator[FieldChange]:
    """What is still to change, from the values of a form to those that the calls of the plan leave.

    Where a plan shows only the number of rows, it is the planned change.
    """
    reached = form_after_calls(plan, planned.address)
    asked = {field.path for field in find_fields_by_hand(plan, planned)}
    for path, before, after in fields_of_change(plan, planned):
        now, wanted = value_or_none(form, path), value_or_none(reached, path)
        if now != wanted and path not in asked:
            is_counted = isinstance(after, str) and isinstance(wanted, list)
            yield FieldChange(path, before if is_counted else now, after)


def forms_of_change(plan: Plan, planned: PlannedChange) -> tuple[Form, Form]:
    """The forms before and after a change, as if its steps for people were done; empty for what is
    new, and both empty where no call says what is in it."""
    reached = form_after_calls(plan, planned.address)
    if planned.action is Action.CREATE or not reached:
        return {}, reached
    before = after = reached
    for path, old, new in planned.fields:
        before, after = set_form_value(before, path, old), set_form_value(after, path, new)
    return before, after


def set_form_value(form: Form, path: str, value: Any) -> Form:
    """The form with a value at the path of a field; a part that is not there comes last."""
    new = ABSENT if value is None else value
    if path.endswith("]"):
        path, _, name = path[:-1].rpartition("[")
        items = value_at(form, path)
        if items is ABSENT:  # its parent is not there either
            return form
        there = value_at(items, f"[{name}]") is not ABSENT
        new = [item for item in items if item["id"] != name or value is not None]
        new += [value] * (value is not None and not there)
    changed: Form = put_value(form, path, new)
    return changed


def asks_people_again(planned: PlannedChange, before: Form, after: Form) -> bool:
    """True if it only gives people what an apply has sent for them already, when the platform did
    not know them."""
    kind = KINDS[planned.address.kind]
    roster = kind.reads.roster
    if roster is None or {one.path for one in planned.fields} != {roster.list}:
        return False
    was, now = (
        {(person, repr(license_)) for person, license_ in kind.impact.holders(form)}
        for form in (before, after)
    )
    return was <= now and {person for person, _ in now - was} <= set(before.get(roster.missed, ()))


GRAVE = frozenset({Effect.PROGRESS, Effect.ACCESS, Effect.COMMERCE})


def collect_effects(plan: Plan, planned: PlannedChange) -> set[Effect]:
    """All effects of a planned change: the strictest one does not hide the others."""
    kind = KINDS[planned.address.kind]
    if planned.action is Action.CREATE:
        return {
            planned.effect,
            *_effects_of_creation(kind, form_after_calls(plan, planned.address)),
        }
    return {planned.effect, *(kind.impact.of(field.path) for field in planned.fields)}


def effect_of_creation(kind: Kind, form: Form) -> Effect:
    return Effect.strictest_effect(_effects_of_creation(kind, form))


def _effects_of_creation(kind: Kind, form: Form) -> set[Effect]:
    """The effects of making it, of what that takes away, and of what it sells at once."""
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
    return Effect.strictest_effect([own, *opened, *(loss.effect for loss in losses)])


def effect_of_fields(kind: Kind, fields: Iterable[FieldChange]) -> Effect:
    return Effect.strictest_effect(kind.impact.of(field.path) for field in fields)


def _effects_of_opening(kind: Kind, before: Form, after: Form) -> Iterator[Effect]:
    """The effect of a sale that begins once learners can see it, although no price differs."""
    is_open = kind.impact.open_to_learners
    if is_open(after) and not (before and is_open(before)):
        sold = (name for name, value in after.items() if value)
        yield from {Effect.COMMERCE} & {kind.impact.of(name) for name in sold}


def is_milder(shown: Effect, meant: Effect) -> bool:
    return Effect.strictest_effect([shown, meant]) is not shown
