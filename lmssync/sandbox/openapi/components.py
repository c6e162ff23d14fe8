"""Components: every schema with a name, taken out of its places and put under that name."""

from typing import Any

from .words import Schema

_AT = "#/components/schemas/"


def parted(value: Any) -> tuple[Any, dict[str, Schema]]:
    """The value with references in the place of named schemas, and these by their names.

    Raises ValueError where two different schemas have one name.
    """
    found: dict[str, Schema] = {}
    return _referring(value, found), found


def ref(name: str) -> Schema:
    return {"$ref": _AT + name}


def _referring(value: Any, found: dict[str, Schema]) -> Any:
    if isinstance(value, list):
        return [_referring(item, found) for item in value]
    if not isinstance(value, dict):
        return value
    held = {key: _referring(inner, found) for key, inner in value.items()}
    name = held.get("title")
    if not isinstance(name, str) or not ({"type", "anyOf"} & held.keys()):
        return held
    schema = {key: inner for key, inner in held.items() if key != "title"}
    if found.setdefault(name, schema) != schema:
        raise ValueError(f"{name}: two schemas have this name")
    return ref(name)
