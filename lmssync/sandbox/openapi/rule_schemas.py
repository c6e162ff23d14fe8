"""What a rule of the sandbox takes, as JSON Schema: read from the rule itself.

A rule is a function of `checks`, or one that a factory there made; what the factory was given
stands in the closure. A rule that is not known here is an error that the tests meet.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .. import checks
from ..checks import Rule
from ..handlers import (
    assignment_activity,
    course_fields,
    purchase_paths,
    sublicense_body,
    users,
)
from ..handlers.course_fields import LANGUAGE_RULES
from .words import (
    FLAG,
    MOMENT,
    NUMBER,
    OBJECT,
    TEXT,
    UUID,
    Schema,
    either,
    many,
    named,
    or_null,
    words,
)

_URL: Schema = {"type": "string", "format": "uri", "pattern": "^https?://"}
_DAY: Schema = {"type": "string", "format": "date"}
_VARIANT: dict[str, Schema] = {name: or_null(TEXT) for name in LANGUAGE_RULES}
_LANGUAGES = many(
    named(
        "ArticleLanguage",
        {"type": "object", "properties": _VARIANT, "additionalProperties": False},
    )
)
_SAID: Schema = {"type": "string", "minLength": 1, "pattern": r"\S"}
_CUSTOM: Schema = {
    "type": "object",
    "additionalProperties": {"anyOf": [or_null(TEXT), many(TEXT)]},
}
_KNOWN: Mapping[Rule, Schema] = {
    checks.text: TEXT,
    checks.title: _SAID,
    checks.flag: FLAG,
    checks.date: either(MOMENT, _DAY),
    checks.url: _URL,
    checks.uuid: UUID,
    checks.video_id: {"type": "string", "pattern": "^[A-Za-z0-9]+([_-]+[A-Za-z0-9]+)*$"},
    checks.uuids: many(UUID),
    checks.many: many({}),
    checks.names: many(_SAID),
    checks.custom_values: _CUSTOM,
    course_fields.languages: _LANGUAGES,
    course_fields.article_variant: named(
        "ArticleVariant",
        {
            "type": "object",
            "properties": {**_VARIANT, "languages": or_null(_LANGUAGES)},
            "additionalProperties": False,
        },
    ),
    users.email: {"type": "string", "pattern": users.ADDRESS},
    assignment_activity.relative_url: TEXT,
    assignment_activity.number: NUMBER,
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
    "stripped_up_to": lambda _given: TEXT,
    "uuids_up_to": lambda given: many(UUID, maxItems=given["most"]),
    "one_of": lambda given: words(given["allowed"]),
}
"""Schemas of rules that a factory made, by the factory's name."""
_OF_ONE_FIELD: Mapping[Rule, Schema] = {
    purchase_paths.RULES["label"]: _SAID,
    purchase_paths.RULES["targetUrl"]: {**_URL, "maxLength": 2048},
}


def schema_of(rule: Rule) -> Schema:
    """The schema of what a rule takes, or a LookupError that names it."""
    found = _KNOWN.get(rule) or _OF_ONE_FIELD.get(rule)
    if found is not None:
        return found
    name = getattr(rule, "__qualname__", repr(rule))
    made = _MADE.get(name.partition(".<locals>")[0])
    if made is None:
        raise LookupError(f"{name}: the OpenAPI document does not know this rule")
    return made(inspect.getclosurevars(rule).nonlocals)


def object_of(
    rules: Mapping[str, Rule],
    *,
    required: Iterable[str] = (),
    filled: Iterable[str] = (),
    strict: bool = True,
) -> Schema:
    """An object whose fields go through rules; one that is neither required nor always `filled`
    may be null."""
    needed = list(required)
    full = {*needed, *filled}
    schema: Schema = {
        **OBJECT,
        "properties": {
            str(name): schema_of(rule) if name in full else or_null(schema_of(rule))
            for name, rule in rules.items()
        },
        "required": needed,
    }
    return {**schema, "additionalProperties": False} if strict else schema
