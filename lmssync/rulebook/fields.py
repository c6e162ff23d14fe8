"""Rules about single fields and keys, whatever the kind."""

from .rule import Rule

TITLE = "Fields"

RULES = (
    Rule(
        "missing-field",
        "A required field is missing.",
        "Add it.",
    ),
    Rule(
        "unknown-field",
        "There is no such field at this place.",
        "Take the field that the hint names, or delete it.",
    ),
    Rule(
        "unknown-resource",
        "`resource:` names no kind of resource.",
        "Take one of the kinds that the hint lists.",
    ),
    Rule(
        "blank",
        "A text that people read is blank.",
        "Write it.",
    ),
    Rule(
        "date",
        "The value is not a date that exists.",
        "Write `2027-01-31` or `2027-01-31T09:00:00Z`.",
    ),
    Rule(
        "uuid",
        "The value is not a uuid.",
        "Copy the id from the platform.",
    ),
    Rule(
        "url",
        "The value is not an http or https address.",
        "Write the full address.",
    ),
    Rule(
        "key-twice",
        "Two resources of a kind have the same key.",
        "Give one of them another key.",
    ),
    Rule(
        "short-form",
        "Resources inside a course are not written as a list.",
        "Write one item a line, after `-`.",
    ),
    Rule(
        "short-form-field",
        "A short form says again what its place says: its course, its key, its kind.",
        "Delete the field, or write the item as a document of its own.",
    ),
    Rule(
        "short-form-id",
        "A resource inside a course has no `id`.",
        "Add one: it is the last part of its address.",
    ),
)
