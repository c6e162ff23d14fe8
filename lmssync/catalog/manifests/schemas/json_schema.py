"""JSON Schemas of the files of a catalog, made from the models, for editors and other programs.

They say what `validate` says of one document by itself: fields, types, words, lengths, and which
fields go together. What needs a second document, a file or the calendar only `validate` can say:
references, a date such as February 30, an id that repeats, a character that nobody can see.
The schema of a policy file has its fields, groups and operators.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from ....kind import Kind, Nested
from ....kinds import BY_RESOURCE, KINDS, OWN_FIELDS
from ....resource import PROJECT_FILE
from ....settings import Platform, Project
from ....support import rulebook
from ....support.declared_values import checks_of
from ....vocabulary.routes import CAPABILITIES, LIST_TIMES, ROUTES
from ..overlays import ID_KEYS, PATCH
from ..policies import OPERATORS, PATTERN, SUBJECTS, PolicyFile
from ..release_documents import NAMES, ReleaseFile
from ..story_documents import DOES, EXPECTS, AssertionFile, Expectation, StoryFile, StoryStep
from .example_manifests import example_documents
from .model_schema import model_definitions, with_conditions
from .schema_builders import (
    Schema,
    any_resource,
    short_form,
    short_list,
    short_name,
    summary_of,
    with_includes,
)

_GROUP = {"$ref": "#/$defs/Group"}
_CONDITION = {"$ref": "#/$defs/Condition"}
_VALUE = {"$ref": "#/$defs/Value"}
_VALUES = {"$ref": "#/$defs/Values"}
_FIELD = {"$ref": "#/$defs/Field"}
_TAKES: Mapping[str, Schema] = {
    "flag": {"type": "boolean"},
    "value": {"anyOf": [_VALUE, _FIELD]},
    "values": _VALUES,
    "piece": _VALUE,
    "number": {"anyOf": [{"type": "number"}, _FIELD]},
    "count": {"type": "integer", "minimum": 0},
    "date": {"anyOf": [{"type": "string"}, _FIELD]},
    "pattern": {"type": "string", "minLength": 1, "maxLength": PATTERN},
}
"""The schema of an operand, by the name of its check."""
_NESTED: Mapping[str, Schema] = {"some": _CONDITION, "every": _CONDITION, "where": _GROUP}
_MEANING: Mapping[str, str] = {
    "present": "True: there is a value. False: there is none; null and blank text count as none.",
    "is": "The value is this one. A value without an operator means the same.",
    "not": "The value is not this one.",
    "oneOf": "The value is one of these. A list without an operator means the same.",
    "noneOf": "The value is none of these.",
    "matches": "The regular expression is found in the text.",
    "notMatches": "The regular expression is not found in the text.",
    "contains": "The list has this item, or the text contains this.",
    "notContains": "The list does not have this item, or the text does not contain this.",
    "min": "The number is at least this.",
    "max": "The number is at most this.",
    "minLength": "The text has at least this many characters, or the list this many items.",
    "maxLength": "The text has at most this many characters, or the list this many items.",
    "minWords": "The text has at least this many words.",
    "maxWords": "The text has at most this many words.",
    "before": "The date is earlier than this one.",
    "after": "The date is later than this one.",
    "some": "At least one of the values that the path leads to meets these conditions.",
    "every": "All values that the path leads to meet these conditions.",
    "where": "The fields of the item meet these conditions.",
}
"""What each operator says, for those who write one."""


def policy_schema() -> Schema:
    """The schema of `policies/*.yaml`, whole in itself, with its definitions under `$defs`."""
    schemas = model_definitions([PolicyFile])
    top = schemas.pop(PolicyFile.__name__) | {"title": "a policy of lmssync"}
    properties = dict(top["properties"])
    for name in ("each", "hint"):
        properties[name].pop("default")  # that it is empty is nobody's business
    # The model has plain text there; editors should offer the words.
    word = {"enum": list(SUBJECTS)}
    properties["resource"] |= {"anyOf": [word, {"type": "array", "items": word, "minItems": 1}]}
    for name in ("when", "where", "require"):
        kept = ((key, properties[name].get(key)) for key in ("description", "examples"))
        properties[name] = {key: value for key, value in kept if value} | _GROUP
    return top | {"properties": properties, "$defs": schemas | _DEFINITIONS}


def story_schema() -> Schema:
    """The schema of `stories/*.yaml`: a story, whose steps and expectations say one thing each, or
    an assertion."""
    schemas = model_definitions([StoryFile, AssertionFile])
    for model, fields in ((StoryStep, DOES), (Expectation, EXPECTS)):
        schemas[model.__name__]["oneOf"] = [{"required": [field]} for field in fields]
    both = [{"$ref": f"#/$defs/{model.__name__}"} for model in (StoryFile, AssertionFile)]
    by_word = {"if": {"required": ["assert"]}, "then": both[1], "else": both[0]}
    return {"title": "a story of lmssync", "type": "object", **by_word, "$defs": schemas}


def release_schema() -> Schema:
    """The schema of `releases/*.yaml`: a release, which says what it changes."""
    schemas = model_definitions([ReleaseFile])
    top = schemas.pop(ReleaseFile.__name__) | {"title": "a release of lmssync"}
    named = [{"required": [name]} for name in NAMES]
    return top | {"anyOf": named} | ({"$defs": schemas} if schemas else {})


def _groups_schema(text: str) -> Schema:
    return {"description": text, "type": "array", "minItems": 1, "items": _GROUP}


_DEFINITIONS: Schema = {
    "Group": {
        "description": "Conditions by the path of a field; all of them must be met.",
        "type": "object",
        "minProperties": 1,
        "properties": {
            "any": _groups_schema("At least one of these groups must be met."),
            "all": _groups_schema("All of these groups must be met."),
            "not": {"description": "This group must not be met."} | _GROUP,
        },
        "additionalProperties": _CONDITION,
    },
    "Condition": {"anyOf": [_VALUE, _VALUES, {"$ref": "#/$defs/Operators"}]},
    "Value": {"type": ["string", "number", "boolean"]},
    "Values": {"type": "array", "minItems": 1, "items": _VALUE},
    "Field": {
        "description": "The value of another field.",
        "type": "object",
        "required": ["field"],
        "properties": {"field": {"description": "Its path.", "type": "string"}},
        "additionalProperties": False,
    },
    "Operators": {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            name: {"description": text} | (_NESTED.get(name) or _TAKES[OPERATORS[name].takes])
            for name, text in _MEANING.items()
        },
    },
}


Names = Mapping[str, Sequence[str]]
"""Names that exist, by the kind of thing that they name."""


def offer_names(schema: Schema, names: Names) -> Schema:
    """The schema of a file of manifests with `names` as the examples of the fields that take them.

    Whatever else it is about, it stays as it is.
    """
    made = dict(schema)
    for kind in KINDS.values():
        # A kind is the whole schema of its own file, and a definition in those of others.
        if made["$id"] == f"{kind.resource}.json":
            made |= {"properties": _offered_fields(made["properties"], kind, names)}
        inside = made.get("$defs", {}).get(kind.resource)
        if inside is not None:
            fields = _offered_fields(inside["properties"], kind, names)
            made["$defs"] = {**made["$defs"], kind.resource: inside | {"properties": fields}}
    return made


def _offered_fields(fields: Mapping[str, Any], kind: Kind, names: Names) -> dict[str, Any]:
    offers = {field: names[what] for field, what in kind.relations.names.items() if what in names}
    return {**fields, **dict(_with_examples(fields, offers))}


def _with_examples(fields: Mapping[str, Any], offers: Names) -> Iterator[tuple[str, Any]]:
    """A list is offered the names for each of its items."""
    for field, known in offers.items():
        if "items" in fields[field]:
            items = {**fields[field]["items"], "examples": [*known]}
            yield field, {**fields[field], "items": items}
        else:
            yield field, {**fields[field], "examples": [*known]}


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
    """The fields that may have a default: those of a kind but for lmssync's own."""
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


DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = re.compile(r'"#/\$defs/(\w+)"')


def all_schemas() -> dict[str, Schema]:
    return {file: make_schema(file) for file in FILES}


def make_schema(file: str) -> Schema:
    """The schema that stands in `file`; each is whole in itself."""
    return {"$schema": DIALECT, "$id": file} | _drop_unused_definitions(FILES[file]())


def spell_schema(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _of_kind(kind: Kind) -> Schema:
    schemas = _kind_definitions([kind])
    top = schemas.pop(kind.resource)
    return top | {"$defs": schemas}


def _of_any() -> Schema:
    """One schema for a file that may hold any resource: `resource` picks the rest."""
    word = {
        "description": "Kind of resource.",
        "enum": list(BY_RESOURCE),
        "enumDescriptions": [summary_of(kind.spec) for kind in BY_RESOURCE.values()],
    }
    description = "A document that describes one resource."
    inside = _kind_definitions(KINDS.values())
    return any_resource("a manifest of lmssync", description, word, inside)


def _of_project() -> Schema:
    schemas = model_definitions([checks_of(Project)])
    top = schemas.pop(Project.__name__) | {"title": PROJECT_FILE}
    properties = top["properties"]
    by_kind = {kind.resource: defaults_of(kind) for kind in KINDS.values()}
    properties["defaults"] |= {"properties": by_kind, "additionalProperties": False}
    properties["rules"] |= _rules_schema(properties["rules"])
    schemas[Platform.__name__]["properties"]["capabilities"] |= {
        "properties": {
            name: {"type": "boolean", "description": _describe_capability(name)}
            for name in sorted(CAPABILITIES)
        },
        "additionalProperties": False,
    }
    return top | {"$defs": {**part_schemas(), **schemas}}


def _describe_capability(name: str) -> str:
    if name == LIST_TIMES:
        return "updatedAt of content search moves with every change of a course and of its parts"
    return f"{ROUTES[name].method} {ROUTES[name].path}"


def _rules_schema(declared: Schema) -> Schema:
    """The rules that a catalog may decide about, each with its meaning, and those of a folder."""
    grades = next(way for way in declared["additionalProperties"]["anyOf"] if "enum" in way)
    known = {
        rule.id: grades | {"description": rule.means}
        for _, rule in sorted(rulebook.all_rules().items())
        # Those alone: the grade of a fixed rule cannot be changed.
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
        # A key that ends with a slash is a folder of the catalog, any other one a rule.
        "patternProperties": {"/$": folder},
        "additionalProperties": grades,
    }


def _kind_definitions(kinds: Iterable[Kind]) -> dict[str, Schema]:
    """The schemas of some kinds by their words, and of all that they refer to by its name."""
    wanted = list(kinds)
    inside = {
        nested: BY_RESOURCE[nested.resource].spec for k in wanted for nested in k.authoring.nested
    }
    models = model_definitions([*(kind.spec for kind in wanted), *inside.values()])
    tops = {
        kind.resource: with_conditions(
            kind.spec.__name__, _document_schema(kind, models[kind.spec.__name__])
        )
        for kind in wanted
    }
    short = {
        short_name(nested): with_conditions(
            spec.__name__, short_form(nested, models[spec.__name__])
        )
        for nested, spec in inside.items()
    }
    whole = {name: with_conditions(name, model) for name, model in models.items()} | short | tops
    lists = {field for kind in KINDS.values() for field in kind.authoring.part_lists}
    for schema in whole.values():
        for field in lists & schema["properties"].keys():
            schema["properties"] |= {field: with_includes(schema["properties"][field])}
    return whole


def _document_schema(kind: Kind, model: Schema) -> Schema:
    """A document of a kind: its word is given, its short forms stand in it."""
    word = {"const": kind.resource, "description": "Kind of resource."}
    short = {nested.field: short_list(nested) for nested in kind.authoring.nested}
    properties = model["properties"] | {"resource": word} | short
    documents = example_documents().get(kind.resource, [])
    return model | {"properties": properties, "title": kind.noun, "examples": documents}


def _drop_unused_definitions(schema: Schema) -> Schema:
    """The schema without the definitions that nothing refers to."""
    known = schema.get("$defs", {})
    plain = {key: value for key, value in schema.items() if key != "$defs"}
    used: dict[str, Schema] = {}
    waiting = [plain]
    # Definitions refer to others: a definition is used if anything that is used names it.
    while waiting:
        names = _REFERENCE.findall(json.dumps(waiting.pop()))
        new = {name: known[name] for name in names if name not in used}
        used |= new
        waiting += new.values()
    return plain | ({"$defs": dict(sorted(used.items()))} if used else {})


FILES: Mapping[str, Callable[[], Schema]] = {
    **{f"{kind.resource}.json": partial(_of_kind, kind) for kind in KINDS.values()},
    "lmssync.json": _of_project,
    "manifest.json": _of_any,
    "overlay.json": overlay_schema,
    "policy.json": policy_schema,
    "story.json": story_schema,
    "release.json": release_schema,
}
"""The function that makes each schema, by the name of its file."""
