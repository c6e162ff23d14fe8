"""Finds which fields of a form differ, and follows their paths into a form.

`sections[start].lessons[welcome].title` leads through parts by their ids, `customFields.a.b` to the
key `a.b`, and `sections.order` to the ids of the sections in their order.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...catalog.graph import identity_fields
from ...kinds import KINDS
from ...resource import Form, Resource, is_within
from ...support.persons import code_in


def wanted_form(resource: Resource, before: Form) -> Form:
    """The form that git wants; `before` is the recorded form, whose fields in `ignore` stay.

    A new `kind` or `type` changes the meaning of the other fields: then they are all set anew.
    """
    after = resource.form
    words = identity_fields(resource.address.kind)
    if any(after.get(word) != before.get(word) for word in words if word in before):
        return after
    aside = {name for name in resource.lifecycle.ignore if name not in words}
    kept = {name: before[name] for name in aside if name in before}
    return {name: value for name, value in after.items() if name not in aside} | kept


_FREE_FORM = {field for kind in KINDS.values() for field in kind.authoring.free_form}
_ROWS = {field: nouns for kind in KINDS.values() for field, nouns in kind.authoring.rows.items()}


class FieldChange(NamedTuple):
    """One field before and after; `None` stands for a field that did not exist."""

    path: str
    """`sections[start].lessons[welcome].topics[hello].title`."""
    before: Any
    after: Any


def compare_forms(
    before: Mapping[str, Any], after: Mapping[str, Any], path: str = ""
) -> Iterator[FieldChange]:
    """The fields that `after` manages and that differ; a field that it leaves out is not managed.

    `path` is where the two mappings are, if they are inside a form.
    """
    for key, value in after.items():
        old = before.get(key)
        if old != value:
            yield from _compare_values(f"{path}.{key}" if path else key, old, value)


def _compare_values(path: str, before: Any, after: Any) -> Iterator[FieldChange]:
    if path in _ROWS and isinstance(before, list) and isinstance(after, list):
        # Rows of people are counted and never shown: a plan is read by many, and pasted into pull
        # requests.
        yield from _compare_rows(path, before, after)
    elif are_parts(before) and are_parts(after) and (before or after):
        yield from _compare_parts(path, before, after)
    elif path in _FREE_FORM and isinstance(before, dict) and isinstance(after, dict):
        from deepdiff import DeepDiff  # slow to load and rarely needed

        for key in sorted(DeepDiff(before, after).affected_root_keys):
            yield FieldChange(f"{path}.{key}", before.get(key), after.get(key))
    elif is_plain_mapping(before) and is_plain_mapping(after):
        yield from compare_forms(before, after, path)
    else:
        yield FieldChange(path, before, after)


def are_parts(value: Any) -> bool:
    """True for a list whose items have ids of their own."""
    return isinstance(value, list) and all(
        isinstance(item, dict) and "id" in item and "$ref" not in item for item in value
    )


def is_plain_mapping(value: Any) -> bool:
    """True for a mapping of the author's, not for a node that refers to a resource."""
    return isinstance(value, dict) and not any(key.startswith("$") for key in value)


def _compare_parts(
    path: str, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[FieldChange]:
    old = {item["id"]: item for item in before}
    new = {item["id"]: item for item in after}
    for name, item in new.items():
        if name in old:
            yield from compare_forms(old[name], item, f"{path}[{name}]")
        else:
            yield FieldChange(f"{path}[{name}]", None, item)
    for name in (name for name in old if name not in new):
        yield FieldChange(f"{path}[{name}]", old[name], None)
    # Only parts on both sides can change places: what came and what left is shown by itself.
    stayed = [name for name in old if name in new]
    now = [name for name in new if name in old]
    if stayed != now:
        yield FieldChange(f"{path}.order", stayed, now)


def _compare_rows(path: str, before: Sequence[Any], after: Sequence[Any]) -> Iterator[FieldChange]:
    """How many rows were added, removed and changed."""
    # Rows that share an identifier are the same row.
    was, now = (
        {mark for row in rows for mark in _identifying_values(row)} for rows in (before, after)
    )
    come = sum(not was & _identifying_values(row) for row in after)
    gone = sum(not now & _identifying_values(row) for row in before)
    # Rows hold lists and nodes, which cannot be hashed; their texts can.
    known = {repr(sorted(row.items())) for row in before}
    other = sum(repr(sorted(row.items())) not in known for row in after) - come
    parts = ((f"+{come:,}", come), (f"\N{MINUS SIGN}{gone:,}", gone), (f"{other:,} changed", other))
    if difference := ", ".join(text for text, number in parts if number):
        counts = _count_rows(path, before), f"{_count_rows(path, after)} ({difference})"
        yield FieldChange(path, *counts)


def _identifying_values(row: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The values that identify a row, codes or not."""
    values = ((name, code_in(value) or value) for name, value in row.items())
    return {(name, value) for name, value in values if isinstance(value, str)}


def _count_rows(path: str, rows: Sequence[Any]) -> str:
    one, many = _ROWS[path]
    return f"{len(rows):,} {one if len(rows) == 1 else many}"


ORDER = "order"
ABSENT: Any = object()
"""The value of a field that does not exist, where `None` could be a value."""


def value_or_none(form: Form, path: str) -> Any:
    """The value at the end of a path, or `None`, as a `FieldChange` has it."""
    value = value_at(form, path)
    return None if value is ABSENT else value


def value_at(value: Any, path: str) -> Any:
    """The value at the end of a path, or `ABSENT`."""
    if not path:
        return value
    if path == ORDER and are_parts(value):
        return [item["id"] for item in value]
    if isinstance(value, list):
        name, rest = _split_id(path)
        item = next((one for one in value if _id_of(one) == name), ABSENT)
        return value_at(item, rest)
    if not isinstance(value, Mapping):
        return ABSENT
    if path in value:
        return value[path]
    key = _key_in(value, path)
    return ABSENT if key is None else value_at(value[key], _path_below(path, key))


def put_value(value: Any, path: str, new: Any) -> Any:
    """The value with another one at the end of a path; what lies on the way must be there.

    `ABSENT` takes the value away.
    """
    if not path:
        return new
    if path == ORDER and are_parts(value):
        by_id = {item["id"]: item for item in value}
        # Only the parts that `new` names change places: each other part stays where it is.
        turn = iter([by_id[name] for name in new if name in by_id])
        return [next(turn) if item["id"] in new else item for item in value]
    if isinstance(value, list):
        name, rest = _split_id(path)
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


def _id_of(item: Any) -> Any:
    return item.get("id") if isinstance(item, Mapping) else None


def _split_id(path: str) -> tuple[str, str]:
    """The id in brackets that a path begins with, and the rest of the path."""
    name, _, rest = path.removeprefix("[").partition("]")
    return name, rest.removeprefix(".")


def _key_in(value: Mapping[str, Any], path: str) -> str | None:
    return next((key for key in value if path.startswith((f"{key}.", f"{key}["))), None)


def _path_below(path: str, key: str) -> str:
    return path.removeprefix(key).removeprefix(".")
