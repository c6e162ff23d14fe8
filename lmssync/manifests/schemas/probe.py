"""What becomes of a change of a field: the kind is asked with two manifests that differ in it.

So nothing is said here that an update would not do. The manifests are the examples.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from ...address import Address
from ...kinds import KINDS
from ...kinds.body import WAYS
from ...kinds.kind import Change, Effect, Kind, UpdatePlan
from ...resource import Form
from . import examples, samples
from .deciders import DECIDERS, words_with
from .fields import Field
from .spots import Spot

OLD = "00000000-0000-4000-8000-000000000000"


class Later(NamedTuple):
    """How a field is changed once its resource has been made."""

    effect: str
    """What a change does to people; empty for a field that is never sent."""
    by: str
    """`update`, `person`, `nothing` where the field matters only once something else changes,
    `never` where it is not sent, or empty where the kind of resource inside says it."""
    text: str = ""
    """What the person has to do."""


def later(spot: Spot, example: Any) -> Later:
    """What would be done if the field came to be `example`."""
    if spot.kind is None:
        return Later("", "")
    if any(kind.spec in spot.field.models for kind in KINDS.values()):
        return Later("", "")
    before, after = _pair(spot, spot.kind, example)
    old, new = (spot.kind.authoring.normalise("example", data) for data in (before, after))
    if old == new:
        return Later("", "never")
    effect = _effect(spot.kind, spot)
    found = _update(spot.kind, old, new)
    if found.calls:
        lost = _holds_parts(spot.field) and _update(spot.kind, new, old).manual
        return Later(
            effect, "update", "a person deletes what is removed from the list" if lost else ""
        )
    text = found.undecided or "; ".join(manual.text for manual in found.manual)
    return Later(effect, "person" if text else "nothing", text)


def _update(kind: Kind, old: Form, new: Form) -> UpdatePlan:
    return kind.calls.update(Change(Address(kind.name, "example"), old, new))


def _effect(kind: Kind, spot: Spot) -> Effect:
    """By the field of the innermost part on the way, else by the field at the top."""
    way = _own_way(kind, spot)
    names = ["body" if field.name in WAYS else field.name for field in way]
    parts = [place for place, field in enumerate(way[:-1]) if _holds_parts(field)]
    leaf = names[parts[-1] + 1] if parts else ""
    return kind.impact.effects.get(f"*.{leaf}") or kind.impact.effects.get(
        names[0], Effect.EDITORIAL
    )


def _holds_parts(field: Field) -> bool:
    return any("id" in model.model_fields for model in field.models)


def _own_way(kind: Kind, spot: Spot) -> tuple[Field, ...]:
    """The way from the top of the kind itself: a short form begins inside another."""
    places = [n for n, field in enumerate(spot.way) if kind.spec in field.models]
    return spot.way[places[-1] + 1 :] if places else spot.way


def _pair(spot: Spot, kind: Kind, example: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two documents that differ in the field alone."""
    *above, last = _own_way(kind, spot)
    after = deepcopy(_base(spot, kind))
    holder = _holder(after, above)
    name = _written(kind, after, last.name)
    if name in WAYS:
        name = WAYS[0]
        for other in WAYS:
            holder.pop(other, None)
    words = _exchangeable(spot, holder.get(name)) or last.words
    if name != last.name:
        example = "<p>New.</p>" if name in WAYS else []
    elif words:
        example = words[0]
    holder[name] = example
    before = deepcopy(after)
    _holder(before, above)[name] = _other(example, words)
    return before, after


def _exchangeable(spot: Spot, word: Any) -> tuple[str, ...]:
    """Words in whose place another may stand while all else stays."""
    decider = DECIDERS.get(spot.model)
    if not decider or decider.field != spot.field.name:
        return ()
    words = decider.words()
    alike = [other for other, says in words.items() if says == words.get(word)]
    return tuple(alike) if len(alike) > 1 else ()


def _base(spot: Spot, kind: Kind) -> dict[str, Any]:
    """The example that has most of the way to the field; of several, one of a word that fits."""
    known = examples.documents()[kind.resource]
    words = words_with(spot.model, spot.path[-1])
    way = [field.name for field in _own_way(kind, spot)]

    def fit(data: dict[str, Any]) -> tuple[int, bool]:
        return _steps(data, way), bool({*words} & {str(value) for value in data.values()})

    return max(known, key=fit)


def _steps(data: Any, way: list[str]) -> int:
    """How many steps of a way a document has."""
    here = data
    for place, name in enumerate(way):
        here = here[0] if isinstance(here, list) and here else here
        if not isinstance(here, dict) or name not in here:
            return place
        here = here[name]
    return len(way)


def _holder(data: dict[str, Any], way: list[Field]) -> dict[str, Any]:
    """The mapping at the end of a way, made where it is not there."""
    here = data
    for field in way:
        below = here.setdefault(field.name, samples.of_field(field))
        here = below[0] if isinstance(below, list) else below
    return here


def _written(kind: Kind, data: Mapping[str, Any], name: str) -> str:
    """The field that a form has in place of the name of a file."""
    tables = {
        table.field: table.into for table in kind.authoring.tables({**data, name: "file.csv"})
    }
    return tables.get(name, name)


def _other(value: Any, words: tuple[str, ...]) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if words:
        return next((word for word in words if word != value), value)
    if isinstance(value, list):
        return [] if value else [{"email": "old@example.com"}]
    if isinstance(value, dict):
        return {}
    return OLD if value.count("-") == OLD.count("-") and len(value) == len(OLD) else f"{value}0"
