"""What a schema asks of a value, in words: its type, its limits, the words that it may be."""

from collections.abc import Callable, Iterator
from typing import Any

from .builders import Schema

_PLAIN = {
    "string": "text",
    "integer": "whole number",
    "boolean": "true or false",
    "number": "number",
    "": "anything",
}


def type_of(schema: Schema, named: Callable[[Schema], str]) -> str:
    """A type as people call it; `named` is asked for models and for enums."""
    if "x-type" in schema:
        return str(schema["x-type"])
    if "$ref" in schema or "enum" in schema:
        return named(schema)
    if "anyOf" in schema:
        branches = [branch for branch in schema["anyOf"] if branch != {"type": "null"}]
        return " or ".join(type_of(branch, named) for branch in branches)
    if "items" in schema:
        return f"list of {type_of(schema['items'], named)}"
    if "additionalProperties" in schema:
        return f"mapping of name to {type_of(values_of(schema), named)}"
    return quote_choices(schema["const"]) if "const" in schema else _PLAIN[json_type(schema)]


def values_of(schema: Schema) -> Schema:
    """The schema of what stands under any name in a mapping; of anything, an empty one."""
    inside = schema.get("additionalProperties")
    return inside if isinstance(inside, dict) else {}


def quote_choices(*words: Any) -> str:
    """`a` or `b`."""
    return " or ".join(f"`{word}`" for word in words)


def json_type(schema: Schema) -> str:
    """The type as JSON Schema calls it, null aside; nothing where any will do."""
    declared = schema.get("type", "")
    return declared if isinstance(declared, str) else next(t for t in declared if t != "null")


def words_of(schema: Schema) -> list[str]:
    """The words that a value may be; of a list, those of its items."""
    if "items" in schema:
        return words_of(schema["items"])
    words = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return [str(word) for word in words if word is not None]


def meanings_of(schema: Schema) -> dict[str, str]:
    """The same with what each word means, where that is said."""
    words = words_of(schema)
    meanings = schema.get("items", schema).get("enumDescriptions", [""] * len(words))
    return dict(zip(words, meanings, strict=False))


def range_of(schema: Schema) -> str:
    """`1 to 100`; nothing where a number has no limits."""
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f"{least or 0:,} to {most:,}"
    return f"{least:,} or more" if least is not None else ""


def length_of(schema: Schema) -> str:
    """`at most 200 characters`; nothing where the length has no limit."""
    if "maxItems" in schema:
        return f"at most {schema['maxItems']:,} items"
    return f"at most {schema['maxLength']:,} characters" if "maxLength" in schema else ""


def pattern_of(schema: Schema) -> str:
    """The pattern of a text, unless the name of the type or a rule of its own says more."""
    own = schema.keys() & {"x-type", "x-rule"}
    return f"matches `{schema['pattern']}`" if "pattern" in schema and not own else ""


def limits_of(schema: Schema) -> list[str]:
    """All of these that there are."""
    return [limit for limit in (range_of(schema), length_of(schema), pattern_of(schema)) if limit]


def references_in(schema: Schema) -> Iterator[str]:
    """The names of the models that stand inside a value."""
    if "$ref" in schema:
        yield schema["$ref"].removeprefix("#/$defs/")
    inside = [schema[key] for key in ("items", "additionalProperties") if key in schema]
    for below in (*schema.get("anyOf", ()), *inside):
        if isinstance(below, dict):
            yield from references_in(below)
