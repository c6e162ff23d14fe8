"""What a rule of the sandbox takes, as JSON Schema: read from the rule itself.

A rule is a function of `checks`, or one with the limits that a `partial` gives it. A rule that is
not known here is an error that the tests meet.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from .. import checks
from ..checks import Rule
from ..handlers import assignment_activity, course_fields, purchase_paths, sublicense_body, users
from ..plain_text import check_stripped_text
from . import schema as s
from .schema import Schema


def _language_variant(name: str, **fields: Schema) -> Schema:
    """A language of an article: any of its fields, and no other."""
    texts = {field: s.nullable_schema(s.STRING) for field in course_fields.LANGUAGE_RULES}
    schema = {**s.OBJECT, "properties": {**texts, **fields}, "additionalProperties": False}
    return s.named_schema(name, schema)


_URL = s.string_schema(format="uri", pattern="^https?://")
_FILLED = s.string_schema(minLength=1, pattern=r"\S")
_LANGUAGES = s.array_schema(_language_variant("ArticleLanguage"))
_CUSTOM_VALUE = s.any_of(s.nullable_schema(s.STRING), s.array_schema(s.STRING))
_KNOWN: Mapping[Rule, Schema] = {
    checks.check_text: s.STRING,
    checks.check_title: _FILLED,
    checks.check_flag: s.BOOLEAN,
    checks.check_date: s.any_of(s.DATE_TIME, s.string_schema(format="date")),
    checks.check_url: _URL,
    checks.check_uuid: s.UUID,
    checks.video_id: s.string_schema(pattern="^[A-Za-z0-9]+([_-]+[A-Za-z0-9]+)*$"),
    checks.check_uuids: s.array_schema(s.UUID),
    checks.check_list: s.array_schema({}),
    checks.check_names: s.array_schema(_FILLED),
    checks.custom_values: {**s.OBJECT, "additionalProperties": _CUSTOM_VALUE},
    course_fields.check_languages: _LANGUAGES,
    course_fields.article_variant: _language_variant(
        "ArticleVariant", languages=s.nullable_schema(_LANGUAGES)
    ),
    users.check_email: s.string_schema(pattern=users.ADDRESS),
    assignment_activity.relative_url: s.STRING,
    assignment_activity.check_grade: s.NUMBER,
    sublicense_body.coerce_flag: {"type": ["boolean", "string", "number"]},
    purchase_paths.RULES["label"]: _FILLED,
    purchase_paths.RULES["targetUrl"]: {**_URL, "maxLength": 2048},
}
_LIMITED: Mapping[Callable[..., Any], Callable[..., Schema]] = {
    checks.check_whole_number: s.integer_schema,
    checks.check_length: lambda least, most: s.string_schema(minLength=least, maxLength=most),
    checks.check_uuid_list: lambda most: s.array_schema(s.UUID, maxItems=most),
    checks.check_choice: s.enum_schema,
    check_stripped_text: lambda **_limits: s.STRING,
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
        str(field): schema_of(rule) if field in never_null else s.nullable_schema(schema_of(rule))
        for field, rule in rules.items()
    }
    schema: Schema = {**s.OBJECT, "properties": schemas | fields, "required": list(required)}
    return s.named_schema(name, {**schema, "additionalProperties": False} if strict else schema)
