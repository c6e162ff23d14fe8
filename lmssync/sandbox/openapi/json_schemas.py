"""JSON Schema as the document writes it, and what a rule of the sandbox takes, read from the rule.

A rule is a function of `value_checks`, or one with the limits that a `partial` gives it. A rule
that is not known here is an error that the tests meet.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from .. import value_checks
from ..handlers import (
    activity_routes,
    course_fields,
    purchase_path_routes,
    sublicense_routes,
    user_writes,
)
from ..handlers.course_fields import check_stripped_text
from ..value_checks import Rule

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
    """An object with these fields that may have others.

    It says so, although that is the default: what generates clients for Go takes silence for no.
    """
    required = [str(field) for field in fields if field not in set(optional)]
    properties = {str(field): schema for field, schema in fields.items()}
    schema = {**OBJECT, "properties": properties, "required": required}
    return named_schema(name, {**schema, "additionalProperties": True})


def named_schema(name: str, schema: Schema) -> Schema:
    """A schema that the document keeps under its name, among the components.

    What generates clients makes a class of it; some cannot do that with a nested schema.
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


def _language_variant(name: str, **fields: Schema) -> Schema:
    """A language of an article: any of its fields, and no other."""
    texts = {field: nullable_schema(STRING) for field in course_fields.LANGUAGE_RULES}
    schema = {**OBJECT, "properties": {**texts, **fields}, "additionalProperties": False}
    return named_schema(name, schema)


_URL = string_schema(format="uri", pattern="^https?://")
_FILLED = string_schema(minLength=1, pattern=r"\S")
_LANGUAGES = array_schema(_language_variant("ArticleLanguage"))
_CUSTOM_VALUE = any_of(nullable_schema(STRING), array_schema(STRING))
_KNOWN: Mapping[Rule, Schema] = {
    value_checks.check_text: STRING,
    value_checks.check_title: _FILLED,
    value_checks.check_flag: BOOLEAN,
    value_checks.check_number: NUMBER,
    value_checks.check_date: any_of(DATE_TIME, string_schema(format="date")),
    value_checks.check_url: _URL,
    value_checks.check_uuid: UUID,
    value_checks.video_id: string_schema(pattern="^[A-Za-z0-9]+([_-]+[A-Za-z0-9]+)*$"),
    value_checks.check_uuids: array_schema(UUID),
    value_checks.check_list: array_schema({}),
    value_checks.check_names: array_schema(_FILLED),
    value_checks.custom_values: {**OBJECT, "additionalProperties": _CUSTOM_VALUE},
    course_fields.check_languages: _LANGUAGES,
    course_fields.article_variant: _language_variant(
        "ArticleVariant", languages=nullable_schema(_LANGUAGES)
    ),
    user_writes.check_email: string_schema(pattern=user_writes.ADDRESS),
    activity_routes.relative_url: STRING,
    sublicense_routes.coerce_flag: {"type": ["boolean", "string", "number"]},
    purchase_path_routes.RULES["label"]: _FILLED,
    purchase_path_routes.RULES["targetUrl"]: {**_URL, "maxLength": 2048},
}
_LIMITED: Mapping[Callable[..., Any], Callable[..., Schema]] = {
    value_checks.check_whole_number: integer_schema,
    value_checks.check_length: lambda least, most: string_schema(minLength=least, maxLength=most),
    value_checks.check_uuid_list: lambda most: array_schema(UUID, maxItems=most),
    value_checks.check_choice: enum_schema,
    check_stripped_text: lambda **_limits: STRING,
}
"""Schemas of rules with limits, made of the names of the limits."""


def schema_of(rule: Rule) -> Schema:
    """The schema of what a rule takes, or a LookupError that names it."""
    if (schema := _KNOWN.get(rule)) is not None:
        return schema
    if isinstance(rule, partial) and rule.func in _LIMITED:
        return _LIMITED[rule.func](**rule.keywords)
    name = getattr(rule, "__qualname__", repr(rule))
    raise LookupError(f"{name}: the OpenAPI document does not know this rule")


def object_of(
    rules: Mapping[str, Rule],
    *,
    name: str = "",
    required: Iterable[str] = (),
    filled: Iterable[str] = (),
    strict: bool = True,
    **fields: Schema,
) -> Schema:
    """An object whose fields go through rules, but for `fields`, whose schemas are given; one that
    is neither required nor always `filled` may be null."""
    never_null = {*required, *filled}
    schemas = {
        str(field): schema_of(rule) if field in never_null else nullable_schema(schema_of(rule))
        for field, rule in rules.items()
    }
    schema: Schema = {**OBJECT, "properties": schemas | fields, "required": list(required)}
    return named_schema(name, {**schema, "additionalProperties": not strict})
