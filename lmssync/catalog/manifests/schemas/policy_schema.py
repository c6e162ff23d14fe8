"""The JSON Schema of a policy file: fields, groups, operators; paths only `validate` knows."""

from collections.abc import Mapping

from ..policies import OPERATORS, PATTERN, SUBJECTS, PolicyFile
from .model_schema import model_definitions
from .schema_builders import Schema

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
"""What stands after an operator, by the name of its check."""
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
    word = {"enum": list(SUBJECTS)}
    properties["resource"] |= {"anyOf": [word, {"type": "array", "items": word, "minItems": 1}]}
    for name in ("when", "where", "require"):
        kept = ((key, properties[name].get(key)) for key in ("description", "examples"))
        properties[name] = {key: value for key, value in kept if value} | _GROUP
    return top | {"properties": properties, "$defs": schemas | _DEFINITIONS}


def _operators_schema() -> Schema:
    return {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            name: {"description": text} | (_NESTED.get(name) or _TAKES[OPERATORS[name].takes])
            for name, text in _MEANING.items()
        },
    }


def _groups_schema(text: str) -> Schema:
    return {"description": text, "type": "array", "minItems": 1, "items": _GROUP}


_DEFINITIONS: Schema = {
    "Group": {
        "description": "Conditions by the path of a field; all of them hold.",
        "type": "object",
        "minProperties": 1,
        "properties": {
            "any": _groups_schema("At least one of these groups holds."),
            "all": _groups_schema("All of these groups hold."),
            "not": {"description": "This group does not hold."} | _GROUP,
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
    "Operators": _operators_schema(),
}
