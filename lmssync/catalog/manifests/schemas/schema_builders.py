"""Pieces that JSON Schemas of manifests are put together from.

`errorMessage` and `doNotSuggest` are words for editors; other readers of a schema pass over them.
"""

import ast
import inspect
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

from ....kind import Nested
from ....kinds import BY_RESOURCE


def summary_of(model: type[Any]) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(model) or "").split("\n\n")[0].split())


@cache
def field_sentences(model: type[BaseModel]) -> Mapping[str, str]:
    """The description of each field; of two, that of the nearest class."""
    texts: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, BaseModel) and one is not BaseModel:
            texts |= _own_sentences(one)
    return texts


def _own_sentences(model: type[BaseModel]) -> dict[str, str]:
    body = _parse_classes(model.__module__)[model.__name__].body
    texts = {}
    for field, after in pairwise(body):
        match field, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                texts[name] = " ".join(text.split())
    return texts


@cache
def _parse_classes(module: str) -> Mapping[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


Schema = dict[str, Any]


def when_word(field: str, words: Iterable[str]) -> Schema:
    """True if a field is there and is one of some words."""
    return {"properties": {field: {"enum": list(words)}}, "required": [field]}


def when_given(field: str) -> Schema:
    """A condition that is true if a field is there and is not null."""
    return {"properties": {field: {"not": {"type": "null"}}}, "required": [field]}


def must_be_null(message: str) -> Schema:
    return {"type": "null", "doNotSuggest": True, "errorMessage": message}


def without_null(schema: Schema) -> Schema:
    if "anyOf" in schema:
        kept = [branch for branch in schema["anyOf"] if branch != {"type": "null"}]
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return rest | (kept[0] if len(kept) == 1 else {"anyOf": kept})
    result = dict(schema)
    if isinstance(result.get("type"), list):
        kept = [word for word in result["type"] if word != "null"]
        result["type"] = kept[0] if len(kept) == 1 else kept
    if None in result.get("enum", ()):
        result["enum"] = [word for word in result["enum"] if word is not None]
        if "enumDescriptions" in result:
            result["enumDescriptions"] = result["enumDescriptions"][: len(result["enum"])]
    return result


def with_branches(schema: Schema, branches: list[Schema]) -> Schema:
    return schema | {"allOf": [*schema.get("allOf", ()), *branches]}


def any_resource(title: str, description: str, word: Schema, definitions: Schema) -> Schema:
    """A document whose `resource`, which has the schema `word`, picks the definition that holds."""
    return {
        "title": title,
        "description": description,
        "type": "object",
        "required": ["resource", "key"],
        "properties": {"resource": word},
        "allOf": [
            {
                "if": {"properties": {"resource": {"const": name}}, "required": ["resource"]},
                "then": {"$ref": f"#/$defs/{name}"},
            }
            for name in BY_RESOURCE
        ],
        "$defs": definitions,
    }


def short_name(nested: Nested) -> str:
    return f"{nested.resource} in short form".title().replace(" ", "")


def short_list(nested: Nested) -> Schema:
    noun = BY_RESOURCE[nested.resource].noun
    return {
        "type": ["array", "null"],
        "description": f"Each {noun} in short form, without `{nested.owner}` and `key`.",
        "items": {"$ref": f"#/$defs/{short_name(nested)}"},
    }


def short_form(nested: Nested, model: Schema) -> Schema:
    """A mapping of the inner kind without what the outer one says for it, and with an id."""
    implied = {"resource", "key", nested.owner}
    properties = {n: one for n, one in model["properties"].items() if n not in implied}
    properties["id"] = without_null(properties["id"])
    required = ["id", *(name for name in model["required"] if name not in implied | {"id"})]
    changed: Schema = {"properties": properties, "required": required}
    title = f"{BY_RESOURCE[nested.resource].noun} in short form"
    return model | changed | {"title": title}


_INCLUDE: Schema = {
    "description": "A part that courses share, from a part file.",
    "type": "object",
    "properties": {
        "include": {
            "description": "Name of the file.",
            "type": "string",
            "pattern": "[.]part[.]yaml$",
        },
        "id": {"description": "Name of the part here.", "type": "string"},
        "with": {"description": "A value for each parameter of the file.", "type": "object"},
    },
    "required": ["include", "id"],
    "additionalProperties": False,
}


def with_includes(value: Any) -> Any:
    """The schema of a list whose items may come from part files."""
    if isinstance(value, list):
        return [with_includes(one) for one in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("items"), dict) and "$ref" in value["items"]:
        # A choice by one word: with `anyOf`, editors would show the mistakes of both.
        chosen = {"if": {"required": ["include"]}, "then": _INCLUDE, "else": value["items"]}
        return value | {"items": chosen}
    return {key: with_includes(one) for key, one in value.items()}
