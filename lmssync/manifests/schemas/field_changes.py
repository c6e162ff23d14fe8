"""How a field is changed once its resource has been made, as its kind declares it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...kind import Effect
from ...kinds import OWN_FIELDS, WAYS
from .fields import Field, model_schemas
from .in_words import references_in


class ChangeEffect(NamedTuple):
    """What happens when a field is changed."""

    effect: str
    """What it does to people; empty for a field that is never sent."""
    by: str
    """`update`, `person`, `nothing` where the field matters only once something else changes,
    `never` where it is not sent, or empty where the kind of resource inside says it."""
    text: str = ""
    """What the person has to do."""
    route: str = ""
    """The route by which a call makes it, where an instance has that one."""


def change_of(field: Field, example: Any) -> ChangeEffect:
    """What would be done if the field were set to `example`."""
    kind = field.kind
    if kind is None or field.name in {nested.field for nested in kind.authoring.nested}:
        return ChangeEffect("", "")
    keys = _table_keys(field)
    unsent = "never" if field.own[0] in OWN_FIELDS else _first_entry(kind.calls.unsent, keys)
    if unsent == "never":
        return ChangeEffect("", unsent)
    effect = _first_entry(kind.impact.effects, [*keys, field.own[0]]) or Effect.EDITORIAL
    by_hand = _first_entry(kind.calls.by_hand, keys).format(old="OLD", new=example, change="")
    if unsent or by_hand:
        return ChangeEffect(
            effect, unsent or "person", by_hand, _first_entry(kind.calls.further, keys)
        )
    holds_parts = any("id" in model_schemas()[n]["properties"] for n in references_in(field.schema))
    return ChangeEffect(effect, "update", kind.calls.by_hand.get("*", "") if holds_parts else "")


def _table_keys(field: Field) -> list[str]:
    """The names of a field in the tables of its kind, the most exact first."""
    names = ["body" if name in WAYS else name for name in field.own]
    if field.parts:
        return [f"*.{names[field.parts]}"]
    return [".".join(names[:end]) for end in range(len(names), 0, -1)]


def _first_entry(table: Mapping[str, str], keys: Iterable[str]) -> str:
    return next((table[key] for key in keys if key in table), "")
