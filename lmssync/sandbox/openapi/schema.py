"""JSON Schema as the document writes it: types, the shapes made of them, and components."""

from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
BOOLEAN: Schema = {"type": "boolean"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
UUID: Schema = {"type": "string", "format": "uuid"}
DATE_TIME: Schema = {"type": "string", "format": "date-time"}
OBJECT: Schema = {"type": "object"}
NULL: Schema = {"type": "null"}
_COMPONENTS = "#/components/schemas/"


def string_schema(**more: Any) -> Schema:
    return {**STRING, **more}


def integer_schema(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def array_schema(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def enum_schema(allowed: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [str(value) for value in allowed]}


def any_of(*schemas: Schema) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def nullable_schema(schema: Schema) -> Schema:
    """The schema, or null."""
    if "anyOf" in schema and "title" not in schema:
        return schema if NULL in schema["anyOf"] else {"anyOf": [*schema["anyOf"], NULL]}
    if "type" not in schema or "title" in schema or "enum" in schema:
        return {"anyOf": [schema, NULL]}
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return {**schema, "type": [*types, "null"]} if "null" not in types else schema


def fields_with(schema: Schema, *names: str) -> dict[str, Schema]:
    """Fields of these names, all with this schema."""
    return dict.fromkeys(names, schema)


def all_nullable(fields: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: nullable_schema(schema) for name, schema in fields.items()}


def record_schema(name: str = "", /, *, optional: Iterable[str] = (), **fields: Schema) -> Schema:
    """An object with these fields, all of them required but the optional ones, and no other."""
    return {**open_record(name, optional=optional, **fields), "additionalProperties": False}


def open_record(name: str = "", /, *, optional: Iterable[str] = (), **fields: Schema) -> Schema:
    """An object with these fields that may have others."""
    required = [str(field) for field in fields if field not in set(optional)]
    properties = {str(field): schema for field, schema in fields.items()}
    return named_schema(name, {**OBJECT, "properties": properties, "required": required})


def named_schema(name: str, schema: Schema) -> Schema:
    """A schema that the document keeps under its name, among the components.

    What generates clients makes a class of it; some cannot do that of what stands in a place.
    """
    return {**schema, "title": name} if name else schema


def schema_ref(name: str) -> Schema:
    return {"$ref": _COMPONENTS + name}


def components_of(value: Any, components: dict[str, Schema]) -> Any:
    """The value with references in the place of named schemas, which are added to `components`.

    Raises ValueError where two different schemas have one name.
    """
    if isinstance(value, list):
        return [components_of(item, components) for item in value]
    if not isinstance(value, dict):
        return value
    schema = {key: components_of(inner, components) for key, inner in value.items()}
    name = schema.get("title")
    if not isinstance(name, str) or not ({"type", "anyOf"} & schema.keys()):
        return schema
    del schema["title"]
    if components.setdefault(name, schema) != schema:
        raise ValueError(f"{name}: two schemas have this name")
    return schema_ref(name)
