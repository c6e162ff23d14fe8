"""The schemas of models, as people want to read them in an editor.

What pydantic makes is right for programs. Here it gets the sentence beneath each field, the
platform's defaults and the conditions between fields; and it loses what only makes noise: titles
that spell the name again, defaults of null, and words kept in another place. Marks of fields
(`Shown`) write what they have to say into the schema themselves, so nobody else reads them.
"""

import inspect
from collections import ChainMap
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from ....kinds import KINDS
from .schema_builders import Schema, field_sentences, summary_of
from .schema_conditions import with_belonging

_OF_WORDS = ("type", "enum", "enumDescriptions")


class _Generator(GenerateJsonSchema):
    """Knows the model behind each schema, which pydantic's own result does not say any more."""

    def field_title_should_be_set(self, _schema: Any) -> bool:
        return False

    def sort(self, value: JsonSchemaValue, _parent_key: str | None = None) -> JsonSchemaValue:
        return value

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Only a plain default says something; that of the platform is there already."""
        inside = self.generate_inner(schema["schema"])
        default = schema.get("default")
        return inside | {"default": default} if isinstance(default, (str, int)) else inside

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        made = super().model_schema(schema)
        model: type[BaseModel] = schema["cls"]
        names = [name for own in by_class(model).values() for name in own]
        made["properties"] = {
            alias: _describe_field(field_sentences(model).get(name, ""), made["properties"][alias])
            for name in names
            for alias in [model.model_fields[name].alias or name]
        }
        del made["description"]
        return {"title": model.__name__, "description": summary_of(model), **made}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        made = super().enum_schema(schema)
        known = ChainMap(*(dict(kind.authoring.meanings) for kind in KINDS.values()))
        meanings = [known[schema["cls"]][word] for word in made["enum"]]
        return {"type": made["type"], "enum": made["enum"], "enumDescriptions": meanings}


def by_class(model: type[BaseModel]) -> Mapping[type[BaseModel], list[str]]:
    """The fields of a model by the class that declares them: its own first, then its bases'."""
    left, classes = dict.fromkeys(model.model_fields), {}
    for one in model.__mro__:
        own = [name for name in inspect.get_annotations(one) if name in left]
        if own:
            classes[one] = own
            left = dict.fromkeys(name for name in left if name not in own)
    return classes


def _describe_field(text: str, schema: Schema) -> Schema:
    """A field's schema with the sentence beneath it; that of a model inside it is said there."""
    first = {"description": text} if text else {}
    first |= {key: schema[key] for key in ("examples", "default") if key in schema}
    return first | {key: value for key, value in schema.items() if key != "description"}


def model_definitions(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    """The schemas of models, and of the models inside them, by the names of their classes.

    Every field is among the properties, whatever it goes with.
    """
    wanted = dict.fromkeys(models)
    _, made = models_json_schema(
        [(model, "validation") for model in wanted], schema_generator=_Generator
    )
    schemas = made["$defs"]
    return {
        name: with_belonging(name, _inline_enums(schema, schemas))
        for name, schema in schemas.items()
        if "properties" in schema
    }


def _inline_enums(value: Any, schemas: dict[str, Schema]) -> Any:
    """The schema with the words of enums where they are used, and null as one of several types."""
    if isinstance(value, list):
        return [_inline_enums(item, schemas) for item in value]
    if not isinstance(value, dict):
        return value
    plain: Schema = {key: _inline_enums(item, schemas) for key, item in value.items()}
    name = str(plain.get("$ref", "")).removeprefix("#/$defs/")
    if "enum" in schemas.get(name, ()):
        del plain["$ref"]
        plain |= {key: schemas[name][key] for key in _OF_WORDS if key in schemas[name]}
    return _simplify_nullable(plain)


def _simplify_nullable(schema: Schema) -> Schema:
    """`anyOf: [X, null]` as X that may be null, which editors show in fewer words."""
    branches = schema.get("anyOf")
    if not isinstance(branches, list) or {"type": "null"} not in branches:
        return schema
    other = [branch for branch in branches if branch != {"type": "null"}]
    if len(other) != 1 or "type" not in other[0] or isinstance(other[0]["type"], list):
        return schema
    outer = {key: value for key, value in schema.items() if key != "anyOf"}
    merged: Schema = outer | other[0] | outer | {"type": [other[0]["type"], "null"]}
    if "const" in merged:
        merged["enum"] = [merged.pop("const")]
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    if "enumDescriptions" in merged:
        merged["enumDescriptions"] = [*merged["enumDescriptions"], "Clears it."]
    return merged
