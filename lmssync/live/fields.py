"""The fields of a form, as paths, and the patterns under which kinds declare something of them."""

from collections.abc import Container, Mapping
from typing import Any

from ..kinds import KINDS
from ..resource import Form

_ROWS = {field for kind in KINDS.values() for field in kind.authoring.rows}
"""Lists of people and the like: one field each, whatever their items are known by."""


def leaves(form: Form, path: str = "") -> list[str]:
    """Every managed field, spelled as in `FieldChange.path`: `target.url`,
    `sections[start].lessons[welcome].title`. Ids of parts are no fields."""
    paths: list[str] = []
    _collect(paths, form, path)
    return paths


def _collect(paths: list[str], form: Mapping[str, Any], path: str) -> None:
    for key, value in form.items():
        below = f"{path}.{key}" if path else key
        if key not in _ROWS and is_parts(value):
            for item in value:
                inner = {name: held for name, held in item.items() if name != "id"}
                _collect(paths, inner, f"{below}[{item['id']}]")
        elif is_mapping(value):
            _collect(paths, value, below)
        else:
            paths.append(below)


def pattern(path: str) -> str:
    """The name under which kinds declare something of a field: `*.title` inside parts."""
    return f"*.{path.rpartition('].')[2]}" if "[" in path else path


def declared(patterns: Container[str], path: str) -> bool:
    """Whether a field is among `patterns`, itself or with the mapping that it stands in."""
    name = pattern(path)
    outer = f"*.{name[2:].partition('.')[0]}" if name.startswith("*.") else name.partition(".")[0]
    return name in patterns or outer in patterns


def within(path: str, outer: str) -> bool:
    """Whether a field is `outer`, or stands in it."""
    return path == outer or path.startswith((f"{outer}.", f"{outer}["))


def is_parts(value: Any) -> bool:
    """True for a list of parts with ids of their own that is not empty."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "id" in item and "$ref" not in item for item in value)
    )


def is_mapping(value: Any) -> bool:
    """True for a mapping of the author's, not for a node that stands for something else."""
    return isinstance(value, dict) and bool(value) and not any(k.startswith("$") for k in value)
