"""The fields of a form, as paths, and the patterns under which kinds declare something of them."""

from collections.abc import Callable, Container, Mapping
from typing import Any

from ...kinds import KINDS
from ...resource import Form

ROWS = {field for kind in KINDS.values() for field in kind.authoring.rows}
"""Lists of people and the like: one field each, whatever their items are known by."""
HOLDERS = (dict, list)
"""Nothing else holds fields."""


def leaf_paths(form: Form, path: str = "") -> list[str]:
    """Every managed field, spelled as in `FieldChange.path`: `target.url`,
    `sections[start].lessons[welcome].title`. Ids of parts are no fields."""
    paths: list[str] = []
    _collect_paths(paths, form, f"{path}." if path else "")
    return paths


def _collect_paths(paths: list[str], form: Mapping[str, Any], above: str, own_id: str = "") -> None:
    """`above` is what the paths begin with; `own_id` is the field that holds the id of a part."""
    for key, value in form.items():
        holds = isinstance(value, HOLDERS)
        if holds and key not in ROWS and is_parts(value):
            for item in value:
                _collect_paths(paths, item, f"{above}{key}[{item['id']}].", "id")
        elif holds and is_mapping(value):
            _collect_paths(paths, value, f"{above}{key}.")
        elif key != own_id:
            paths.append(above + key)


def form_patterns(form: Form) -> set[str]:
    """The patterns of all fields, each once, and without the path of any."""
    paths = set[str]()
    _collect_alike(paths, form, "")
    return {pattern_of(path) for path in paths}


def _collect_alike(paths: set[str], form: Mapping[str, Any], above: str, own_id: str = "") -> None:
    """Collects patterns in place of paths: all parts of a level have one pattern."""
    for key, value in form.items():
        holds = isinstance(value, HOLDERS)
        if holds and key not in ROWS and is_parts(value):
            for item in value:
                _collect_alike(paths, item, "[].", "id")
        elif holds and is_mapping(value):
            _collect_alike(paths, value, f"{above}{key}.")
        elif key != own_id:
            paths.add(above + key)


def keep_fields(
    form: Mapping[str, Any], keeps: Callable[[str], bool], above: str = "", own_id: str = ""
) -> Form:
    """A form with the fields whose paths, as `leaf_paths` spells them, are kept; parts keep their
    ids."""
    kept: Form = {}
    for key, value in form.items():
        path = above + key
        if key not in ROWS and is_parts(value):
            kept[key] = [keep_fields(one, keeps, f"{path}[{one['id']}].", "id") for one in value]
        elif is_mapping(value):
            if inner := keep_fields(value, keeps, f"{path}."):
                kept[key] = inner
        elif key == own_id or keeps(path):
            kept[key] = value
    return kept


def pattern_of(path: str) -> str:
    """The name under which kinds declare something of a field: `*.title` inside parts."""
    return f"*.{path.rpartition('].')[2]}" if "[" in path else path


def is_declared(patterns: Container[str], path: str) -> bool:
    """Whether a field is among `form_patterns`, itself or with the mapping that it is in."""
    name = pattern_of(path)
    outer = f"*.{name[2:].partition('.')[0]}" if name.startswith("*.") else name.partition(".")[0]
    return name in patterns or outer in patterns


def is_within(path: str, outer: str) -> bool:
    """Whether a field is `outer`, or in it."""
    return path == outer or path.startswith((f"{outer}.", f"{outer}["))


def is_parts(value: Any) -> bool:
    """True for a list of parts with ids of their own that is not empty."""
    if not isinstance(value, list) or not value:
        return False
    for item in value:  # in loops: every field of every form comes by here
        if not isinstance(item, dict) or "id" not in item or "$ref" in item:
            return False
    return True


def is_mapping(value: Any) -> bool:
    """True for a mapping of the author's, not for a node that refers to a resource."""
    if not isinstance(value, dict) or not value:
        return False
    for key in value:  # noqa: SIM110 - as above
        if key.startswith("$"):
            return False
    return True
