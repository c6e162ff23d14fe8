"""The schemas of short forms: resources of their own, written inside another."""

from ...kind import Nested
from ...kinds import BY_RESOURCE
from .builders import Schema, solid


def name_of(nested: Nested) -> str:
    """The name of its definition."""
    return f"{nested.resource} in short form".title().replace(" ", "")


def list_of(nested: Nested) -> Schema:
    """The field that holds the short forms."""
    noun = BY_RESOURCE[nested.resource].noun
    return {
        "type": ["array", "null"],
        "description": f"Each {noun} in short form, without `{nested.owner}` and `key`.",
        "items": {"$ref": f"#/$defs/{name_of(nested)}"},
    }


def short_form(nested: Nested, model: Schema) -> Schema:
    """A mapping of the inner kind without what the outer one says for it, and with an id."""
    implied = {"resource", "key", nested.owner}
    properties = {n: one for n, one in model["properties"].items() if n not in implied}
    properties["id"] = solid(properties["id"])
    required = ["id", *(name for name in model["required"] if name not in implied | {"id"})]
    changed: Schema = {"properties": properties, "required": required}
    title = f"{BY_RESOURCE[nested.resource].noun} in short form"
    return model | changed | {"title": title}
