"""The schemas of models, as people want to read them in an editor.

What pydantic makes is right for programs. Here it gets the sentence beneath each field, the
examples, the platform's defaults and the conditions between fields; and it loses what only makes
noise: titles that spell the name again, defaults of null, and words kept in another place.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from . import fields
from .conditions import conditioned
from .meanings import meanings
from .pieces import Schema

_OF_WORDS = ("type", "enum", "enumDescriptions")


class _Generator(GenerateJsonSchema):
    """Knows the model behind each schema, which pydantic's own result does not say any more."""

    def field_title_should_be_set(self, _schema: Any) -> bool:
        return False

    def sort(self, value: JsonSchemaValue, _parent_key: str | None = None) -> JsonSchemaValue:
        return value

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        found = super().model_schema(schema)
        model = schema["cls"]
        for name, field in fields.fields(model).items():
            found["properties"][name] = _described(field, found["properties"][name])
        del found["description"]
        return {"title": model.__name__, "description": fields.summary(model), **found}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        found = super().enum_schema(schema)
        plain = {"type": found["type"], "enum": found["enum"]}
        told = meanings(schema["cls"])
        return (
            plain | {"enumDescriptions": [told[word] for word in found["enum"]]} if told else plain
        )


def _described(field: fields.Field, schema: Schema) -> Schema:
    told: Schema = {"description": field.text} if field.text else {}
    shape = {key: value for key, value in schema.items() if key not in {"default", "description"}}
    if field.shown.examples:
        told["examples"] = list(field.shown.examples)
    if field.default is not None:
        told["default"] = field.default
    return told | shape


def definitions(models: Iterable[type[BaseModel]], *, conditions: bool = True) -> dict[str, Schema]:
    """The schemas of models, and of the models inside them, by the names of their classes.

    Without conditions every field is among the properties, whatever it goes with.
    """
    wanted = dict.fromkeys(models)
    _, made = models_json_schema(
        [(model, "validation") for model in wanted], schema_generator=_Generator
    )
    known = {model.__name__: model for top in wanted for model in (top, *fields.inner(top))}
    found = made["$defs"]
    plain = {name: _inlined(found[name], found) for name in found if name in known}
    if not conditions:
        return plain
    return {name: conditioned(known[name], schema) for name, schema in plain.items()}


def _inlined(value: Any, found: dict[str, Schema]) -> Any:
    """With the words of enums where they are used, and null as one of several types."""
    if isinstance(value, list):
        return [_inlined(item, found) for item in value]
    if not isinstance(value, dict):
        return value
    plain: Schema = {key: _inlined(item, found) for key, item in value.items()}
    name = str(plain.get("$ref", "")).removeprefix("#/$defs/")
    if "enum" in found.get(name, ()):
        del plain["$ref"]
        plain |= {key: found[name][key] for key in _OF_WORDS if key in found[name]}
    return _nullable(plain)


def _nullable(schema: Schema) -> Schema:
    """`anyOf: [X, null]` as X that may be null, which editors show in fewer words."""
    branches = schema.get("anyOf")
    if not isinstance(branches, list) or {"type": "null"} not in branches:
        return schema
    other = [branch for branch in branches if branch != {"type": "null"}]
    if len(other) != 1 or "type" not in other[0] or isinstance(other[0]["type"], list):
        return schema
    left = {key: value for key, value in schema.items() if key != "anyOf"}
    merged: Schema = left | other[0] | {"type": [other[0]["type"], "null"]}
    if "const" in merged:
        merged["enum"] = [merged.pop("const")]
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    if "enumDescriptions" in merged:
        merged["enumDescriptions"] = [*merged["enumDescriptions"], "Clears it."]
    return merged
