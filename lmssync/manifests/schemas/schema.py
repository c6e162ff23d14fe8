"""JSON Schemas of the files of a catalog, made from the models, for editors and other programs.

They say what `validate` says of one document by itself: fields, types, words, lengths, and which
fields go together. What needs a second document, a file or the calendar only `validate` can say:
references, a date such as February 30, an id that repeats, a character that nobody can see.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ... import rulebook
from ...kinds import BY_RESOURCE, KINDS
from ...kinds.kind import Kind, Nested
from ...settings import PROJECT_FILE, Project
from . import examples, fields, layer_schema, policy_schema
from .model_schema import definitions
from .pieces import Schema, solid

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, Schema]:
    """Every schema by the name of its file."""
    return {file: schema(file) for file in FILES}


def schema(file: str) -> Schema:
    """The schema that stands in `file`; each is whole in itself."""
    found = _plain(FILES[file]())
    return {"$schema": DIALECT, "$id": file} | found


def spelled(schema: Schema) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _of_kind(kind: Kind) -> Schema:
    found = _definitions([kind])
    top = found.pop(kind.resource)
    return top | {"$defs": found}


def _of_any() -> Schema:
    """One schema for a file that may hold any resource: `resource` picks the rest."""
    return {
        "title": "a manifest of lmssync",
        "description": "A document that describes one resource.",
        "type": "object",
        "required": ["resource", "key"],
        "properties": {
            "resource": {
                "description": "Kind of resource.",
                "enum": list(BY_RESOURCE),
                "enumDescriptions": [fields.summary(k.spec) for k in BY_RESOURCE.values()],
            },
        },
        "allOf": [
            {
                "if": {"properties": {"resource": {"const": word}}, "required": ["resource"]},
                "then": {"$ref": f"#/$defs/{word}"},
            }
            for word in BY_RESOURCE
        ],
        "$defs": _definitions(KINDS.values()),
    }


def _of_project() -> Schema:
    found = definitions([Project])
    top = found.pop(Project.__name__) | {"title": PROJECT_FILE}
    properties = top["properties"]
    if "defaults" in properties:
        properties["defaults"] |= _closed_by_kind()
        found = {**layer_schema.parts(), **found}
    if "rules" in properties:
        properties["rules"] |= _rules(properties["rules"])
    return top | {"$defs": found}


def _closed_by_kind() -> Schema:
    return {
        "properties": {kind.resource: layer_schema.defaults_of(kind) for kind in KINDS.values()},
        "additionalProperties": False,
    }


def _without(names: Iterable[str], properties: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: one for name, one in properties.items() if name not in set(names)}


def _rules(declared: Schema) -> Schema:
    """The rules that a catalog may decide about, each with its meaning, and those of a folder."""
    grades = next(way for way in declared["additionalProperties"]["anyOf"] if "enum" in way)
    known = {
        rule.id: grades | {"description": rule.means}
        for rule in rulebook.RULES.values()
        if not rule.fixed
    }
    folder = {
        "description": "The rules for what is in this folder.",
        "type": "object",
        "properties": known,
        "additionalProperties": grades,
    }
    return {
        "properties": known,
        "patternProperties": {"/$": folder},
        "additionalProperties": grades,
    }


def _definitions(kinds: Iterable[Kind]) -> dict[str, Schema]:
    """The schemas of some kinds by their words, and of all that they refer to by its name."""
    wanted = list(kinds)
    inside = [BY_RESOURCE[nested.resource] for kind in wanted for nested in kind.authoring.nested]
    found = definitions([kind.spec for kind in [*wanted, *inside]])
    tops = {kind.resource: found.pop(kind.spec.__name__) for kind in wanted}
    for kind in inside:
        tops.setdefault(kind.resource, found.pop(kind.spec.__name__, {}))
    result = dict(found)
    for kind in wanted:
        result[kind.resource] = _top(kind, tops[kind.resource])
        for nested in kind.authoring.nested:
            result[_short_name(nested)] = _short_form(nested, tops[nested.resource])
    return result


def _top(kind: Kind, model: Schema) -> Schema:
    """A document of a kind: its word is given, its short forms stand in it."""
    word = {"const": kind.resource, "description": "Kind of resource."}
    short = {nested.field: _short_list(nested) for nested in kind.authoring.nested}
    properties = model["properties"] | {"resource": word} | short
    closed = _closed(model, dict.fromkeys(short, True))
    told = {"title": kind.noun, "examples": examples.documents().get(kind.resource, [])}
    return closed | {"properties": properties} | told


def _closed(model: Schema, names: Mapping[str, bool]) -> Schema:
    """`model` with further names in every branch that closes the mapping."""
    if "allOf" not in model:
        return model
    branches = [
        branch | {"then": branch["then"] | {"properties": branch["then"]["properties"] | names}}
        if "additionalProperties" in branch["then"]
        else branch
        for branch in model["allOf"]
    ]
    return model | {"allOf": branches}


def _short_list(nested: Nested) -> Schema:
    noun = BY_RESOURCE[nested.resource].noun
    return {
        "type": ["array", "null"],
        "description": f"Each {noun} in short form, without `{nested.owner}` and `key`.",
        "items": {"$ref": f"#/$defs/{_short_name(nested)}"},
    }


def _short_name(nested: Nested) -> str:
    return f"{nested.resource} in short form".title().replace(" ", "")


def _short_form(nested: Nested, model: Schema) -> Schema:
    """A mapping of the inner kind without what the outer one says for it, and with an id."""
    implied = {"resource", "key", nested.owner}
    properties = _without(implied, model["properties"])
    properties["id"] = solid(properties["id"])
    branches = [
        branch | {"then": branch["then"] | {"properties": _without(implied, then["properties"])}}
        for branch in model.get("allOf", ())
        for then in [branch["then"]]
    ]
    required = ["id", *(name for name in model["required"] if name not in implied | {"id"})]
    changed: Schema = {"properties": properties, "required": required}
    title = f"{BY_RESOURCE[nested.resource].noun} in short form"
    return model | changed | ({"allOf": branches} if branches else {}) | {"title": title}


def _plain(schema: Schema) -> Schema:
    """Without the definitions that nothing refers to."""
    found = schema.get("$defs", {})
    used: set[str] = set()
    waiting = [_named({key: value for key, value in schema.items() if key != "$defs"})]
    while waiting:
        new = waiting.pop() - used
        used |= new
        waiting += [_named(found[name]) for name in new]
    kept = {name: found[name] for name in sorted(used)}
    return {key: value for key, value in schema.items() if key != "$defs"} | (
        {"$defs": kept} if kept else {}
    )


def _named(value: Any) -> set[str]:
    """Names of the definitions that a schema refers to."""
    if isinstance(value, list):
        return set().union(*map(_named, value))
    if not isinstance(value, dict):
        return set()
    own = value.get("$ref")
    below = set().union(*map(_named, value.values()))
    return below | {own.removeprefix("#/$defs/")} if isinstance(own, str) else below


FILES: Mapping[str, Callable[[], Schema]] = {
    **{
        f"{kind.resource}.json": lambda kind=kind: _of_kind(kind)  # type: ignore[misc]
        for kind in KINDS.values()
    },
    "lmssync.json": _of_project,
    "manifest.json": _of_any,
    "overlay.json": layer_schema.overlay,
    "policy.json": policy_schema.schema,
}
"""What makes each schema, by the name of its file."""
