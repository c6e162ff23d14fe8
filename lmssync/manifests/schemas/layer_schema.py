"""The schemas of what is laid over manifests or stands under them: overlays and defaults.

A layer holds parts of a manifest. So nothing is required in it but what says which resource is
meant, and no field depends on another: they meet only where the layer is laid over the manifest.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from ...kind import Kind, Nested
from ...kinds import BY_RESOURCE, KINDS, OWN_FIELDS
from ..overlays import ID_KEYS, PATCH
from .builders import Schema, any_resource
from .model_schema import model_definitions

_PATCH: Schema = {
    "description": "What to do with the item, instead of merging it with the one in the manifest.",
    "enum": ["delete", "add"],
    "enumDescriptions": ["Remove it.", "Add it: the manifest has none with this id."],
}


def overlay_schema() -> Schema:
    """A patch of one resource, in `overlays/ENVIRONMENT/`."""
    words = {"description": "Kind of the resource that is patched.", "enum": list(BY_RESOURCE)}
    patches = {kind.resource: _patch_of(kind) for kind in KINDS.values()}
    description = "What is different in one environment."
    return any_resource("an overlay of lmssync", description, words, {**part_schemas(), **patches})


@cache
def part_schemas() -> Mapping[str, Schema]:
    """Every model of every kind as a part of a manifest: nothing is required, all may be null."""
    whole = model_definitions(kind.spec for kind in KINDS.values())
    return {name: _part_schema(model) for name, model in whole.items()}


def defaults_of(kind: Kind) -> Schema:
    """What may have a default: the fields of a kind but for those of lmssync's own."""
    properties = part_schemas()[kind.spec.__name__]["properties"]
    return {
        "type": "object",
        "description": f"Values for fields that a {kind.noun} leaves out.",
        "properties": {name: properties[name] for name in properties if name not in OWN_FIELDS},
        "additionalProperties": False,
    }


def _part_schema(model: Schema) -> Schema:
    part = {key: value for key, value in model.items() if key != "required"}
    if model["properties"].keys() & set(ID_KEYS):
        part["properties"] = {**model["properties"], PATCH: _PATCH}
    return part


def _patch_of(kind: Kind) -> Schema:
    """The whole resource; of its short forms each item as a part."""
    model = part_schemas()[kind.spec.__name__]
    word = {"const": kind.resource, "description": "Kind of the resource that is patched."}
    own = {name: one for name, one in model["properties"].items() if name != PATCH}
    short = {nested.field: _short_list(nested) for nested in kind.authoring.nested}
    return model | {"title": kind.noun, "properties": own | {"resource": word} | short}


def _short_list(nested: Nested) -> Schema:
    kind = BY_RESOURCE[nested.resource]
    reference: dict[str, Any] = {"$ref": f"#/$defs/{kind.spec.__name__}"}
    text = f"Each {kind.noun} that is patched, by its `id`."
    return {"type": ["array", "null"], "description": text, "items": reference}
