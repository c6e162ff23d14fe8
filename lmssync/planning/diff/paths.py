"""Follows the path of a `FieldChange` into a form: the value there, or the form with another one.

`sections[start].lessons[welcome].title` leads through parts by their ids, `customFields.a.b` to the
key `a.b`, and `sections.order` to the ids of the sections in their order.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...support.decisions import is_within
from .fields import are_parts

ORDER = "order"
ABSENT: Any = object()
"""Stands for a value that is not there, where `None` could be one."""


def value_at(value: Any, path: str) -> Any:
    """The value at the end of a path, or `ABSENT`."""
    if not path:
        return value
    if path == ORDER and are_parts(value):
        return [item["id"] for item in value]
    if isinstance(value, list):
        name, rest = _split_part(path)
        item = next((one for one in value if _id_of(one) == name), ABSENT)
        return value_at(item, rest)
    if not isinstance(value, Mapping):
        return ABSENT
    if path in value:
        return value[path]
    key = _key_in(value, path)
    return ABSENT if key is None else value_at(value[key], _path_below(path, key))


def put_value(value: Any, path: str, new: Any) -> Any:
    """The same with another value at the end of a path; what lies on the way must be there.

    `ABSENT` takes the value away.
    """
    if not path:
        return new
    if path == ORDER and are_parts(value):
        return _order_items(value, new)
    if isinstance(value, list):
        name, rest = _split_part(path)
        return [put_value(item, rest, new) if _id_of(item) == name else item for item in value]
    key = path if path in value else _key_in(value, path)
    if key is None or key == path:
        without = {name: item for name, item in value.items() if name != path}
        return without if new is ABSENT else {**value, path: new}
    return {**value, key: put_value(value[key], _path_below(path, key), new)}


def paths_overlap(path: str, other: str) -> bool:
    """True if the paths are the same, or one leads into what the other leads to."""
    return is_within(path, other) or is_within(other, path)


def top_field(path: str) -> str:
    """The field of the form that a path begins with."""
    return path.partition("[")[0].partition(".")[0]


def _order_items(items: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """The items with those that are named in this order, in the places that they have together."""
    by_id = {item["id"]: item for item in items}
    turn = iter([by_id[name] for name in names if name in by_id])
    return [next(turn) if item["id"] in names else item for item in items]


def _id_of(item: Any) -> Any:
    return item.get("id") if isinstance(item, Mapping) else None


def _split_part(path: str) -> tuple[str, str]:
    """The id in brackets that a path begins with, and the rest of the path."""
    name, _, rest = path.removeprefix("[").partition("]")
    return name, rest.removeprefix(".")


def _key_in(value: Mapping[str, Any], path: str) -> str | None:
    return next((key for key in value if path.startswith((f"{key}.", f"{key}["))), None)


def _path_below(path: str, key: str) -> str:
    return path.removeprefix(key).removeprefix(".")
