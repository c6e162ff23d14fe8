"""The schemas of models, as people want to read them in an editor.

What pydantic makes is right for programs. Here it gets the sentence beneath each field, the
platform's defaults and the conditions between fields; and it loses what only makes noise: titles
that spell the name again, defaults of null, and words kept in another place. Marks of fields
(`Shown`) write what they have to say into the schema themselves, so nobody else reads them.
"""

import inspect
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from ....kind import ByWord, Combination, Either, OneAtMost, SomeOf, Without, Word
from ....kinds import KINDS
from .schema_builders import (
    Schema,
    field_sentences,
    must_be_null,
    summary_of,
    when_given,
    when_word,
    with_branches,
    without_null,
)

_NAMED = 3
"""The most words that a message names; more would hide what it is about."""


@cache
def _combinations_by_model() -> Mapping[str, Sequence[Combination]]:
    """The combinations of fields that each model declares, by the name of its class."""
    pairs = (pair for kind in KINDS.values() for pair in kind.authoring.together.items())
    return {model.__name__: combinations for model, combinations in pairs}


def with_conditions(name: str, schema: Schema) -> Schema:
    """The schema of a model with the conditions that its kind sets."""
    for one in _combinations_by_model().get(name, ()):
        if isinstance(one, ByWord):
            schema = _by_word(schema, one)
        else:
            schema = with_branches(schema, _branches_of(schema["properties"], one))
    return schema


def with_belonging(name: str, schema: Schema) -> Schema:
    properties = dict(schema["properties"])
    by_word = (one for one in _combinations_by_model().get(name, ()) if isinstance(one, ByWord))
    for decision in by_word:
        for field in decision.apart:
            words = [word for word, says in decision.words.items() if field in says.allowed]
            belongs = {"x-belongs-to": f"{decision.holder} {' or '.join(words)}"}
            properties[field] = properties[field] | belongs
    return schema | {"properties": properties}


def _branches_of(properties: Schema, one: Combination) -> list[Schema]:
    match one:
        case Either():
            return [_either_branches(properties, one)]
        case SomeOf():
            return [_some_of(properties, one.fields)]
        case OneAtMost():
            return _one_at_most(one)
        case Without():
            messages = {name: one.stray.format(field=name) for name in sorted(one.fields)}
            inside = {name: must_be_null(message) for name, message in messages.items()}
            return [{"properties": {one.holder: {"properties": inside}}}]
    return [dict(cast("Mapping[str, Any]", one))]


def _either_branches(properties: Schema, one: Either) -> Schema:
    """Where the first is given, the second is not; otherwise the second is needed."""
    first = [companion for companion in one.companions if companion.of == one.first]
    second = [companion for companion in one.companions if companion.of == one.second]
    needed = [companion for companion in first if companion.missing]
    then: Schema = {
        "properties": {
            one.second: must_be_null(one.both),
            **{companion.field: must_be_null(companion.stray) for companion in second},
            **{companion.field: without_null(properties[companion.field]) for companion in needed},
        }
    }
    for companion in needed:
        then |= {"required": [companion.field], "errorMessage": companion.missing}
    otherwise: Schema = {
        "properties": {
            one.second: {
                "type": without_null(properties[one.second])["type"],
                "errorMessage": one.none,
            },
            **{companion.field: must_be_null(companion.stray) for companion in first},
        },
        "required": [one.second],
        "errorMessage": one.none,
    }
    return {"if": when_given(one.first), "then": then, "else": otherwise}


def _some_of(properties: Schema, names: Iterable[str]) -> Schema:
    """The condition that at least one of some fields is given; its message is at the last field."""
    *others, last = names
    message = f"Write one of {', '.join(f'`{name}`' for name in names)}."
    texts = {"errorMessage": message}
    own = {"type": without_null(properties[last])["type"]} | texts
    lacking = {"properties": {last: own}, "required": [last]}
    return {"if": {"anyOf": list(map(when_given, others))}, "then": {}, "else": lacking | texts}


def _one_at_most(one: OneAtMost) -> list[Schema]:
    """Each that is there forbids those after it."""
    return [
        {
            "if": {"required": [name]},
            "then": {
                "properties": dict.fromkeys(one.fields[place:], False),
                "errorMessage": one.several,
            },
        }
        for place, name in enumerate(one.fields[:-1], 1)
    ]


def _by_word(schema: Schema, one: ByWord) -> Schema:
    """The properties apart by word: a field that does not belong may still be null.

    What is common stays; a branch for each set of fields closes the mapping. So completion offers
    what fits the word, and before there is one, what always fits.
    """
    properties, apart = schema["properties"], one.apart
    branches = []
    for alike in _group_words(one.words):
        word = one.words[alike[0]]
        few = len(alike) <= _NAMED
        holder = f"{one.holder} {' or '.join(alike)}" if few else f"this {one.field}"
        inside = {
            name: _own_fields(properties[name], name, word, holder) if name in apart else True
            for name in properties
        }
        then: Schema = {"properties": inside, "additionalProperties": False}
        then |= {"required": sorted(word.needed)} if word.needed else {}
        further = [branch for one in word.further for branch in _branches_of(properties, one)]
        then |= {"allOf": further} if further else {}
        branches.append({"if": when_word(one.field, alike), "then": then})
    left = {key: value for key, value in schema.items() if key != "additionalProperties"}
    left["properties"] = {name: properties[name] for name in properties if name not in apart}
    return with_branches(left, branches)


def _group_words(words: Mapping[str, Word]) -> list[list[str]]:
    """The words in groups, each of words that let in the same fields."""
    groups: list[list[str]] = []
    for word, says in words.items():
        same = next((group for group in groups if words[group[0]] == says), None)
        if same is None:
            groups.append([word])
        else:
            same.append(word)
    return groups


def _own_fields(schema: Schema, name: str, word: Word, holder: str) -> Schema:
    if name not in word.allowed:
        none = must_be_null(f"`{name}` does not belong to {holder}.")
        may_be_null = without_null(schema) != schema
        return none if may_be_null else none | {"not": {"type": "null"}}
    return without_null(schema) if name in word.needed else schema


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
