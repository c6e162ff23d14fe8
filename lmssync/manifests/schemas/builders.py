"""Pieces that JSON Schemas of manifests are put together from.

`errorMessage` and `doNotSuggest` are words for editors; other readers of a schema pass over them.
"""

from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]


def when(field: str, words: Iterable[str]) -> Schema:
    """True if a field is there and is one of some words."""
    return {"properties": {field: {"enum": list(words)}}, "required": [field]}


def given(field: str) -> Schema:
    """True if a field is there and is not null."""
    return {"properties": {field: {"not": {"type": "null"}}}, "required": [field]}


def absent(message: str) -> Schema:
    """A value that may only be null."""
    return {"type": "null", "doNotSuggest": True, "errorMessage": message}


def solid(schema: Schema) -> Schema:
    """A schema without its null."""
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


def branched(schema: Schema, branches: list[Schema]) -> Schema:
    return schema | {"allOf": [*schema.get("allOf", ()), *branches]}


def by_resource(words: Iterable[str]) -> list[Schema]:
    """The word under `resource` picks the definition that holds."""
    return [
        {
            "if": {"properties": {"resource": {"const": word}}, "required": ["resource"]},
            "then": {"$ref": f"#/$defs/{word}"},
        }
        for word in words
    ]
