"""A checker of the JSON Schema words that the sandbox's OpenAPI document uses, and of no other."""

import re
import uuid
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

TYPES = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "object": dict,
    "array": list,
    "null": type(None),
}
FORMATS = {
    "uuid": uuid.UUID,
    "date-time": datetime.fromisoformat,
    "date": datetime.fromisoformat,
    "uri": lambda text: urlsplit(text).port,
}
BOUNDS = {
    "minimum": lambda value, bound: value >= bound,
    "maximum": lambda value, bound: value <= bound,
    "minLength": lambda value, bound: len(value) >= bound,
    "maxLength": lambda value, bound: len(value) <= bound,
    "minItems": lambda value, bound: len(value) >= bound,
    "maxItems": lambda value, bound: len(value) <= bound,
    "pattern": lambda value, bound: re.search(bound, value) is not None,
    "enum": lambda value, bound: value in bound,
    "const": lambda value, bound: value == bound,
}
NESTED = {"type", "format", "properties", "required", "additionalProperties", "items", "anyOf"}


def misfits(value, schema, *, root, place="$") -> Iterator[str]:
    """What does not fit, with its place; an unknown word of a schema is an error."""
    if "$ref" in schema:
        target = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        yield from misfits(value, target, root=root, place=place)
        return
    unknown = set(schema) - NESTED - set(BOUNDS)
    assert not unknown, f"{place}: the schema says {unknown}"
    kinds = schema.get("type", list(TYPES))
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if not any(_is(value, kind) for kind in kinds):
        yield f"{place}: {value!r} is not of type {kinds}"
        return
    yield from _plain(value, schema, place)
    yield from _inner(value, schema, root=root, place=place)
    forms = [list(misfits(value, s, root=root, place=place)) for s in schema.get("anyOf", ())]
    if forms and all(forms):
        yield f"{place}: {value!r} fits none of {forms}"


def _is(value, kind):
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind])


def _plain(value, schema, place):
    for word, holds in BOUNDS.items():
        fits = word not in schema or (value is None and word not in ("enum", "const"))
        if not fits and not holds(value, schema[word]):
            yield f"{place}: {value!r} breaks {word} {schema[word]!r}"
    if "format" in schema and value is not None:
        try:
            FORMATS[schema["format"]](value)
        except (ValueError, LookupError):
            yield f"{place}: {value!r} is no {schema['format']}"


def _inner(value, schema, *, root, place):
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from misfits(item, schema["items"], root=root, place=f"{place}[{index}]")
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{place}: {name} is missing"
        for name, held in value.items():
            if name in known:
                yield from misfits(held, known[name], root=root, place=f"{place}.{name}")
            elif others is False:
                yield f"{place}: {name} is not described"
            elif isinstance(others, dict):
                yield from misfits(held, others, root=root, place=f"{place}.{name}")
