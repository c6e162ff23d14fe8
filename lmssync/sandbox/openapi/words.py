"""The words of JSON Schema that the description uses."""

from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
UUID: Schema = {"type": "string", "format": "uuid"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
OBJECT: Schema = {"type": "object"}
NULL: Schema = {"type": "null"}


def many(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def words(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [str(value) for value in values]}


def record(fields: Mapping[str, Schema], *, optional: Iterable[str] = ()) -> Schema:
    """An object with these fields, all of them there but the optional ones, and no other."""
    apart = set(optional)
    return {
        "type": "object",
        "properties": {str(name): schema for name, schema in fields.items()},
        "required": [str(name) for name in fields if name not in apart],
        "additionalProperties": False,
    }


def named(name: str, schema: Schema) -> Schema:
    """A schema that the document keeps under its name, among the components.

    What generates clients makes a class of it; some cannot do that of what stands in a place.
    """
    return {**schema, "title": name}


def or_null(schema: Schema) -> Schema:
    """The schema, or null."""
    if "anyOf" in schema and "title" not in schema:
        return schema if NULL in schema["anyOf"] else {"anyOf": [*schema["anyOf"], NULL]}
    if "type" not in schema or "title" in schema or "enum" in schema:
        return {"anyOf": [schema, NULL]}
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return {**schema, "type": [*kinds, "null"]} if "null" not in kinds else schema


def either(*schemas: Schema) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def nullable(fields: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: or_null(schema) for name, schema in fields.items()}
