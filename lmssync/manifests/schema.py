"""JSON Schemas of manifests, made from the kinds, for editors and other programs."""

import json
from typing import Any

from ..kinds import BY_RESOURCE, KINDS
from ..kinds.kind import Kind, Nested
from ..settings import Project

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by the name of its file."""
    found = {f"{kind.resource}.json": _of_kind(kind) for kind in KINDS.values()}
    found["lmssync.json"] = _of_project()
    found["manifest.json"] = _of_any()
    return found


def spelled(schema: dict[str, Any]) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _of_kind(kind: Kind) -> dict[str, Any]:
    schema = kind.spec.model_json_schema()
    schema["properties"]["resource"] = {"const": kind.resource}
    schema["required"] = [name for name in schema["required"] if name != "resource"]
    schema["required"].insert(0, "resource")
    for nested in kind.nested:
        schema["properties"][nested.field] = _short_form(nested, schema)
    return {"$schema": DIALECT, **schema, "title": kind.noun}


def _short_form(nested: Nested, outer: dict[str, Any]) -> dict[str, Any]:
    """A list of the inner kind without what the outer one says for it, and with an id."""
    schema = BY_RESOURCE[nested.resource].spec.model_json_schema()
    outer.setdefault("$defs", {}).update(schema.pop("$defs", {}))
    implied = {"resource", "key", nested.owner}
    schema["properties"] = {k: v for k, v in schema["properties"].items() if k not in implied}
    required = [name for name in schema["required"] if name not in implied]
    schema["required"] = ["id", *required]
    return {"type": "array", "items": schema}


def _of_project() -> dict[str, Any]:
    return {"$schema": DIALECT, **Project.model_json_schema(), "title": "lmssync.yaml"}


def _of_any() -> dict[str, Any]:
    """One schema for a file that may hold any resource: `resource` picks the rest."""
    picks = [
        {
            "if": {"properties": {"resource": {"const": kind.resource}}},
            "then": {"$ref": f"{kind.resource}.json"},
        }
        for kind in KINDS.values()
    ]
    words = list(BY_RESOURCE)
    return {
        "$schema": DIALECT,
        "title": "a manifest of lmssync",
        "type": "object",
        "required": ["resource", "key"],
        "properties": {"resource": {"enum": words, "description": "Kind of resource."}},
        "allOf": picks,
    }
