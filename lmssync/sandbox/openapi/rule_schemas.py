"""What a rule of the sandbox takes, as JSON Schema: read from the rule itself.

A rule is a function of `checks`, or one that a factory there made; what the factory was given
stands in the closure. A rule that is not known here is an error that the tests meet.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .. import checks
from ..areas import assignment_activity, course_fields, purchase_paths, sublicense_body, user_change
from ..areas.course_fields import LANGUAGE_RULES
from ..checks import Rule
from . import schema as s
from .schema import Schema

_URL: Schema = {"type": "string", "format": "uri", "pattern": "^https?://"}
_DAY: Schema = {"type": "string", "format": "date"}
_VARIANT: dict[str, Schema] = {name: s.nullable(s.STRING) for name in LANGUAGE_RULES}
_LANGUAGES = s.array(
    s.named(
        "ArticleLanguage",
        {"type": "object", "properties": _VARIANT, "additionalProperties": False},
    )
)
_SAID: Schema = {"type": "string", "minLength": 1, "pattern": r"\S"}
_CUSTOM: Schema = {
    "type": "object",
    "additionalProperties": {"anyOf": [s.nullable(s.STRING), s.array(s.STRING)]},
}
_KNOWN: Mapping[Rule, Schema] = {
    checks.text: s.STRING,
    checks.title: _SAID,
    checks.flag: s.BOOLEAN,
    checks.date: s.any_of(s.DATE_TIME, _DAY),
    checks.url: _URL,
    checks.uuid: s.UUID,
    checks.video_id: {"type": "string", "pattern": "^[A-Za-z0-9]+([_-]+[A-Za-z0-9]+)*$"},
    checks.uuids: s.array(s.UUID),
    checks.many: s.array({}),
    checks.names: s.array(_SAID),
    checks.custom_values: _CUSTOM,
    course_fields.languages: _LANGUAGES,
    course_fields.article_variant: s.named(
        "ArticleVariant",
        {
            "type": "object",
            "properties": {**_VARIANT, "languages": s.nullable(_LANGUAGES)},
            "additionalProperties": False,
        },
    ),
    user_change.email: {"type": "string", "pattern": user_change.ADDRESS},
    assignment_activity.relative_url: s.STRING,
    assignment_activity.number: s.NUMBER,
    sublicense_body.coerced: {"type": ["boolean", "string", "number"]},
}
_MADE: Mapping[str, Callable[[Mapping[str, Any]], Schema]] = {
    "whole": lambda given: {
        "type": "integer",
        "minimum": given["least"],
        "maximum": given["most"],
    },
    "text_up_to": lambda given: {
        "type": "string",
        "minLength": given["least"],
        "maxLength": given["most"],
    },
    "stripped_up_to": lambda _given: s.STRING,
    "uuids_up_to": lambda given: s.array(s.UUID, maxItems=given["most"]),
    "one_of": lambda given: s.enum(given["allowed"]),
}
"""Schemas of rules that a factory made, by the factory's name."""
_OF_ONE_FIELD: Mapping[Rule, Schema] = {
    purchase_paths.RULES["label"]: _SAID,
    purchase_paths.RULES["targetUrl"]: {**_URL, "maxLength": 2048},
}


def schema_of(rule: Rule) -> Schema:
    """The schema of what a rule takes, or a LookupError that names it."""
    schema = _KNOWN.get(rule) or _OF_ONE_FIELD.get(rule)
    if schema is not None:
        return schema
    name = getattr(rule, "__qualname__", repr(rule))
    make = _MADE.get(name.partition(".<locals>")[0])
    if make is None:
        raise LookupError(f"{name}: the OpenAPI document does not know this rule")
    return make(inspect.getclosurevars(rule).nonlocals)


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
        str(field): schema_of(rule) if field in never_null else s.nullable(schema_of(rule))
        for field, rule in rules.items()
    }
    schema: Schema = {**s.OBJECT, "properties": schemas | fields, "required": list(required)}
    return s.named(name, {**schema, "additionalProperties": False} if strict else schema)
