"""What the rules of a model say of its fields together, as conditions of a JSON Schema."""

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from ...kinds.body import WAYS, Body
from ...kinds.license_assignment.people import IDENTIFIERS
from ...kinds.license_assignment.spec import EnrollmentOptions, LicenseAssignmentSpec, Person
from ...kinds.purchase_path.spec import Target
from .deciders import DECIDERS, by_word
from .pieces import Schema, absent, branched, given, solid, some_of


def conditioned(model: type[BaseModel], schema: Schema) -> Schema:
    """The schema of a model with the conditions that its rules set."""
    if issubclass(model, Body):
        schema = _one_body(schema)
    decider, decide = DECIDERS.get(model), _DECIDED.get(model)
    if decider:
        schema = by_word(schema, decider.field, decider.words(), decider.holder)
    return decide(schema) if decide else schema


def _one_body(schema: Schema) -> Schema:
    """A body is written in one of three ways; each that is there forbids those after it."""
    message = f"A body is given in one way: keep one of {', '.join(f'`{way}`' for way in WAYS)}."
    branches = [
        {
            "if": {"required": [way]},
            "then": {
                "properties": dict.fromkeys(WAYS[place + 1 :], False),
                "errorMessage": message,
            },
        }
        for place, way in enumerate(WAYS[:-1])
    ]
    return branched(schema, branches)


def _target(schema: Schema) -> Schema:
    """Exactly one target, and a title for an address only (spec 4)."""
    message = "A target is either `item`, or `url` with a `title`."
    properties = schema["properties"]
    return branched(
        schema,
        [
            {
                "if": given("url"),
                "then": {
                    "properties": {
                        "item": absent(message),
                        "title": solid(properties["title"]),
                    },
                    "required": ["title"],
                    "errorMessage": "A `url` needs a `title`.",
                },
                "else": {
                    "properties": {
                        "item": solid(properties["item"]),
                        "title": absent("`title` goes with `url` only."),
                    },
                    "required": ["item"],
                    "errorMessage": message,
                },
            }
        ],
    )


def _users(schema: Schema) -> Schema:
    """The people are named once: in the manifest, or in a file."""
    message = "Name the people once: keep `users` or `usersFile`."
    properties = schema["properties"]
    branch = {
        "if": given("users"),
        "then": {"properties": {"usersFile": absent(message)}},
        "else": {
            "properties": {"usersFile": solid(properties["usersFile"])},
            "required": ["usersFile"],
            "errorMessage": "No people are named: add `users` or `usersFile`.",
        },
    }
    return branched(schema, [branch])


def _options(schema: Schema) -> Schema:
    """Progress goes only together with the enrollment (spec 4, sublicense rule 2)."""
    message = "Progress can only be deleted with `preserveEnrollments: false`."
    lost: Schema = {"const": False, "errorMessage": message}
    loses = {"properties": {"preserveProgress": {"const": False}}, "required": ["preserveProgress"]}
    then = {"properties": {"preserveEnrollments": lost}, "required": ["preserveEnrollments"]}
    branches = [
        {"if": loses, "then": then | {"errorMessage": message}},
        some_of(("preserveEnrollments", "preserveProgress"), "boolean"),
    ]
    return branched(schema, branches)


def _person(schema: Schema) -> Schema:
    """Each person needs an identifier (spec 2.7)."""
    return branched(schema, [some_of(IDENTIFIERS, "string")])


_DECIDED: Mapping[type[BaseModel], Callable[[Schema], Schema]] = {
    Target: _target,
    LicenseAssignmentSpec: _users,
    EnrollmentOptions: _options,
    Person: _person,
}
