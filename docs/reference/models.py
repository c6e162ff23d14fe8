"""Fields of a pydantic model as a page shows them: what type, which rule, which sentence."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from lmssync.catalog.manifests.schemas import model_schema
from lmssync.catalog.manifests.schemas.field_descriptions import (
    limits_of,
    quote_choices,
    type_of,
    words_of,
)
from lmssync.catalog.manifests.schemas.schema_builders import summary_of
from lmssync.vocabulary.enums import CriterionType, TopicType

LONG_ENUMS: Mapping[tuple[str, ...], str] = {
    tuple(TopicType): "a [topic type](#topic-types)",
    tuple(CriterionType): "a [rule of completion](#rules-of-completion)",
}
"""Enums with a table of their own on the page."""


class Row(NamedTuple):
    """One field as a page shows it."""

    name: str
    type: str
    rule: str
    text: str


def rows(model: type[BaseModel]) -> list[Row]:
    """The fields of a model: its own first, then those of its bases."""
    return [row for _, found in groups(model) for row in found]


def groups(model: type[BaseModel]) -> Iterator[tuple[type[BaseModel], list[Row]]]:
    """The same rows by the class that declares them; a field belongs to the nearest."""
    schema = model_schema.model_definitions([model])[model.__name__]
    for one, names in model_schema.by_class(model).items():
        yield one, [_row(model.model_fields[name].alias or name, schema) for name in names]


summary = summary_of


def inner(model: type[BaseModel]) -> list[type[BaseModel]]:
    """The models that stand inside a model, each once, outermost first."""
    known = [model]
    for one in known:
        for name in (name for names in model_schema.by_class(one).values() for name in names):
            inside = models_in(one.model_fields[name].annotation)
            known += [other for other in inside if other not in known]
    return known[1:]


def models_in(hint: Any) -> Iterator[type[BaseModel]]:
    """The models that a type names."""
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    for argument in get_args(hint):
        yield from models_in(argument)


def _row(name: str, schema: Mapping[str, Any]) -> Row:
    field = schema["properties"][name]
    rules = ["required"] if name in schema.get("required", ()) else []
    rules += limits_of(field)
    if "default" in field:
        rules.append(f"default {_default(field['default'])}")
    return Row(name, type_of(field, _named), "; ".join(rules), field["description"])


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value}`" if value != "" else "no text"


def _named(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return f"[{name}](#{name.lower()})"
    words = words_of(schema)
    return LONG_ENUMS.get(tuple(words)) or quote_choices(*words)
