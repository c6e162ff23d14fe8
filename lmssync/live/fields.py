"""The fields of a form, as paths, and the patterns under which kinds declare something of them."""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from ..resource import Form


def leaves(form: Form, path: str = "") -> Iterator[str]:
    """Every managed field, spelled as in `FieldChange.path`: `target.url`,
    `sections[start].lessons[welcome].title`. Ids of parts are no fields."""
    for key, value in form.items():
        below = f"{path}.{key}" if path else key
        if is_parts(value):
            for item in value:
                inner = {name: held for name, held in item.items() if name != "id"}
                yield from leaves(inner, f"{below}[{item['id']}]")
        elif is_mapping(value):
            yield from leaves(value, below)
        else:
            yield below


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
        and all(isinstance(item, Mapping) and "id" in item and "$ref" not in item for item in value)
    )


def is_mapping(value: Any) -> bool:
    """True for a mapping of the author's, not for a node that stands for something else."""
    return isinstance(value, Mapping) and bool(value) and not any(k.startswith("$") for k in value)
