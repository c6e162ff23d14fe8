"""The JSON Schema of a policy file: fields, groups, operators; paths only `validate` knows."""

from collections.abc import Mapping
from typing import Any

from ...kinds import BY_RESOURCE
from ..policies import PATTERN, PolicyFile
from .model_schema import definitions

Schema = dict[str, Any]

_GROUP = {"$ref": "#/$defs/Group"}
_CONDITION = {"$ref": "#/$defs/Condition"}
_VALUE = {"$ref": "#/$defs/Value"}
_VALUES = {"$ref": "#/$defs/Values"}
_FIELD = {"$ref": "#/$defs/Field"}
_VALUE_OR_FIELD = {"anyOf": [_VALUE, _FIELD]}
_NUMBER_OR_FIELD = {"anyOf": [{"type": "number"}, _FIELD]}
_DATE_OR_FIELD = {"anyOf": [{"type": "string"}, _FIELD]}
_COUNT = {"type": "integer", "minimum": 0}
_PATTERN = {"type": "string", "minLength": 1, "maxLength": PATTERN}

_OPERATORS: Mapping[str, tuple[str, Schema]] = {
    "present": (
        "True: there is a value. False: there is none; null and blank text count as none.",
        {"type": "boolean"},
    ),
    "is": ("The value is this one. A value without an operator means the same.", _VALUE_OR_FIELD),
    "not": ("The value is not this one.", _VALUE_OR_FIELD),
    "oneOf": ("The value is one of these. A list without an operator means the same.", _VALUES),
    "noneOf": ("The value is none of these.", _VALUES),
    "matches": ("The regular expression is found in the text.", _PATTERN),
    "notMatches": ("The regular expression is not found in the text.", _PATTERN),
    "contains": ("The list has this item, or the text contains this.", _VALUE),
    "notContains": (
        "The list does not have this item, or the text does not contain this.",
        _VALUE,
    ),
    "min": ("The number is at least this.", _NUMBER_OR_FIELD),
    "max": ("The number is at most this.", _NUMBER_OR_FIELD),
    "minLength": (
        "The text has at least this many characters, or the list this many items.",
        _COUNT,
    ),
    "maxLength": (
        "The text has at most this many characters, or the list this many items.",
        _COUNT,
    ),
    "minWords": ("The text has at least this many words.", _COUNT),
    "maxWords": ("The text has at most this many words.", _COUNT),
    "before": ("The date is earlier than this one.", _DATE_OR_FIELD),
    "after": ("The date is later than this one.", _DATE_OR_FIELD),
    "some": (
        "At least one of the values that the path leads to meets these conditions.",
        _CONDITION,
    ),
    "every": ("All values that the path leads to meet these conditions.", _CONDITION),
    "where": ("The fields of the item meet these conditions.", _GROUP),
}
"""What each operator says, for those who write one, and what stands after it."""


def schema() -> Schema:
    """The schema of `policies/*.yaml`, whole in itself, with its definitions under `$defs`."""
    found = definitions([PolicyFile])
    top = found.pop(PolicyFile.__name__) | {"title": "a policy of lmssync"}
    properties = dict(top["properties"])
    for name in ("each", "hint"):
        properties[name].pop("default")  # that it is empty is nobody's business
    properties["resource"] |= _resource()
    for name in ("when", "where", "require"):
        properties[name] = _group_in(properties[name])
    return top | {"properties": properties, "$defs": found | _DEFINITIONS}


def _resource() -> Schema:
    word = {"enum": list(BY_RESOURCE)}
    many = {"type": "array", "items": word, "minItems": 1}
    return {"anyOf": [word, many]}


def _group_in(declared: Schema) -> Schema:
    kept = {key: declared[key] for key in ("description", "examples") if key in declared}
    return kept | _GROUP


def _operators() -> Schema:
    return {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            name: {"description": text} | shape for name, (text, shape) in _OPERATORS.items()
        },
    }


def _groups(text: str) -> Schema:
    return {"description": text, "type": "array", "minItems": 1, "items": _GROUP}


_DEFINITIONS: Schema = {
    "Group": {
        "description": "Conditions by the path of a field; all of them hold.",
        "type": "object",
        "minProperties": 1,
        "properties": {
            "any": _groups("At least one of these groups holds."),
            "all": _groups("All of these groups hold."),
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
    "Operators": _operators(),
}
