"""The order in which the keys of a manifest stand, taken from the models of the kinds.

Identity first, then what is set in one line, in the order of the models; then prose, then the
structure that holds further mappings; then the short forms, and last what a manifest says about
itself. A class that is mixed in stands where the class that mixes it in has named its required
fields.
"""

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....kinds import BY_RESOURCE, WAYS, Managed
from ....settings import Project
from ....support.annotations import Leaf, leaf_types
from ..models import fields_of
from ..overlays import PATCH
from ..policies import PolicyFile

IDENTITY = ("policy", "resource", "key", "id")
"""What something is comes first."""
ANYWHERE = ("<<", PATCH)
"""What no model knows: what a mapping is like, and what an overlay does with it."""
LAST = tuple(name for name in Managed.model_fields if name not in IDENTITY)
"""What a manifest says to lmssync, not about the thing it describes."""

Models = tuple[type[BaseModel], ...]


class Below(NamedTuple):
    """What is known of a value: the models that it, or each item of it, may follow."""

    models: Models = ()
    by_name: bool = False
    """The value is a mapping whose keys are the author's own, and its values follow them."""


NOTHING = Below()


class MappingShape(NamedTuple):
    """What is known of a mapping: its keys in order, and what their values are."""

    ranks: Mapping[str, int]
    values: Mapping[str, Below]
    others: Below = NOTHING

    def rank_of_key(self, key: str | None) -> int:
        """Where a key belongs; unknown ones come after all others."""
        return self.ranks.get(key or "", len(self.ranks))

    def shape_of_value(self, key: str | None) -> "MappingShape | None":
        """What is known of the value of a key."""
        below = self.values.get(key or "", self.others)
        return (
            MappingShape({}, {}, Below(below.models)) if below.by_name else of_models(below.models)
        )


def of_document(data: Any, *, is_project: bool = False) -> MappingShape | None:
    """What is known of a document: a manifest or an overlay, a policy, or the project file."""
    if not isinstance(data, dict):
        return None
    if "policy" in data:
        return of_models((PolicyFile,))
    word = data.get("resource")
    if isinstance(word, str) and word in BY_RESOURCE:
        return of_resource(word)
    looks_like_it = {"version", "environments"} <= data.keys()
    return of_models((Project,)) if word is None and (is_project or looks_like_it) else None


@cache
def of_resource(word: str) -> MappingShape:
    """The shape of a kind of resource, short forms included."""
    kind = BY_RESOURCE[word]
    short = {
        nested.field: Below((BY_RESOURCE[nested.resource].spec,))
        for nested in kind.authoring.nested
    }
    names = [*_ordered_keys(kind.spec), *short]
    return _make_shape(names, _shapes_of_values(kind.spec) | short)


@cache
def of_models(models: Models) -> MappingShape | None:
    """One shape for a value that may follow any of several models."""
    if not models:
        return None
    names = dict.fromkeys(name for model in models for name in _ordered_keys(model))
    values: dict[str, Below] = {}
    for model in reversed(models):
        values |= _shapes_of_values(model)
    return _make_shape(list(names), values)


def _make_shape(names: list[str], values: Mapping[str, Below]) -> MappingShape:
    first = [*(name for name in IDENTITY if name in names), *ANYWHERE]
    last = [name for name in LAST if name in names]
    between = [name for name in names if name not in {*first, *last}]
    return MappingShape({name: n for n, name in enumerate([*first, *between, *last])}, values)


def _ordered_keys(model: type[BaseModel]) -> list[str]:
    """The keys of a model: those of one line, then prose, then structure."""
    fields = model.model_fields
    ordered = sorted(
        dict.fromkeys(_declared_fields(model, model)), key=lambda name: _key_tier(model, name)
    )
    return [fields[name].alias or name for name in ordered]


def _key_tier(model: type[BaseModel], name: str) -> int:
    if name in WAYS:
        return 1
    return 2 if any(map(_is_structure, leaf_types(model.model_fields[name].annotation))) else 0


def _is_structure(leaf: Leaf) -> bool:
    """True for lists of mappings, and for a mapping that may hold prose."""
    return leaf.model is not None and (
        leaf.listed or not fields_of(leaf.model).keys().isdisjoint(WAYS)
    )


def _declared_fields(cls: type, model: type[BaseModel]) -> Iterator[str]:
    """Fields in the order of the classes: up to the last required one, those mixed in, the rest."""
    own = [name for name in inspect.get_annotations(cls) if name in model.model_fields]
    required = [n for n, name in enumerate(own) if model.model_fields[name].is_required()]
    leading = required[-1] + 1 if required else 0
    yield from own[:leading]
    for mixed_in in cls.__bases__:
        yield from _declared_fields(mixed_in, model)
    yield from own[leading:]


def _shapes_of_values(model: type[BaseModel]) -> dict[str, Below]:
    """What is known of the values of the fields that hold mappings."""
    values = {name: _shape_below(field.annotation) for name, field in fields_of(model).items()}
    return {name: below for name, below in values.items() if below.models}


def _shape_below(annotation: Any) -> Below:
    models = {leaf.model: leaf for leaf in leaf_types(annotation) if leaf.model}
    return Below(tuple(models), by_name=any(leaf.keyed for leaf in models.values()))
