"""Finds which fields of a form differ: children are paired by id, and a move counts as a move."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...kinds import KINDS
from ...resource import Form
from ...support.persons import code_in

_FREE_FORM = {field for kind in KINDS.values() for field in kind.authoring.free_form}
_ROWS = {field: nouns for kind in KINDS.values() for field, nouns in kind.authoring.rows.items()}


class FieldChange(NamedTuple):
    """One field before and after; `None` stands for a field that did not exist."""

    path: str
    """`sections[start].lessons[welcome].topics[hello].title`."""
    before: Any
    after: Any


def compare_forms(before: Form, after: Form) -> Iterator[FieldChange]:
    """The fields managed by `after` that differ; fields that it leaves out are not managed."""
    yield from _compare_mappings("", before, after)


def released_fields(before: Form, after: Form) -> list[str]:
    """Fields that left the manifest: the platform keeps their values."""
    return sorted(before.keys() - after.keys())


def _compare_mappings(
    path: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[FieldChange]:
    for key, value in after.items():
        old = before.get(key)
        if old != value:
            yield from _compare_values(f"{path}.{key}" if path else key, old, value)


def _compare_values(path: str, before: Any, after: Any) -> Iterator[FieldChange]:
    if path in _ROWS and isinstance(before, list) and isinstance(after, list):
        yield from _compare_rows(path, before, after)
    elif are_parts(before) and are_parts(after) and (before or after):
        yield from _compare_parts(path, before, after)
    elif path in _FREE_FORM and isinstance(before, dict) and isinstance(after, dict):
        yield from _free_form(path, before, after)
    elif is_plain_mapping(before) and is_plain_mapping(after):
        yield from _compare_mappings(path, before, after)
    else:
        yield FieldChange(path, before, after)


def are_parts(value: Any) -> bool:
    """True for a list whose items have ids of their own."""
    return isinstance(value, list) and all(
        isinstance(item, dict) and "id" in item and "$ref" not in item for item in value
    )


def is_plain_mapping(value: Any) -> bool:
    """True for a mapping of the author's, not for a node that stands for something else."""
    return isinstance(value, dict) and not any(key.startswith("$") for key in value)


def _compare_parts(
    path: str, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[FieldChange]:
    old = {item["id"]: item for item in before}
    new = {item["id"]: item for item in after}
    for name, item in new.items():
        if name in old:
            yield from _compare_mappings(f"{path}[{name}]", old[name], item)
        else:
            yield FieldChange(f"{path}[{name}]", None, item)
    for name in (name for name in old if name not in new):
        yield FieldChange(f"{path}[{name}]", old[name], None)
    stayed = [name for name in old if name in new]
    now = [name for name in new if name in old]
    if stayed != now:
        yield FieldChange(f"{path}.order", stayed, now)


def _compare_rows(path: str, before: Sequence[Any], after: Sequence[Any]) -> Iterator[FieldChange]:
    """How many were added, removed and changed: rows that share an identifier are the same row."""
    was, now = (
        {mark for row in rows for mark in _identifying_values(row)} for rows in (before, after)
    )
    come = sum(not was & _identifying_values(row) for row in after)
    gone = sum(not now & _identifying_values(row) for row in before)
    known = {repr(sorted(row.items())) for row in before}
    other = sum(repr(sorted(row.items())) not in known for row in after) - come
    parts = ((f"+{come:,}", come), (f"\N{MINUS SIGN}{gone:,}", gone), (f"{other:,} changed", other))
    difference = ", ".join(text for text, number in parts if number)
    if difference:
        yield FieldChange(
            path, _count_rows(path, before), f"{_count_rows(path, after)} ({difference})"
        )


def _identifying_values(row: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The values that identify a row, codes or not."""
    values = ((name, code_in(value) or value) for name, value in row.items())
    return {(name, value) for name, value in values if isinstance(value, str)}


def _count_rows(path: str, rows: Sequence[Any]) -> str:
    one, many = _ROWS[path]
    return f"{len(rows):,} {one if len(rows) == 1 else many}"


def _free_form(path: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[FieldChange]:
    from deepdiff import DeepDiff  # slow to load and rarely needed

    for key in sorted(DeepDiff(before, after).affected_root_keys):
        yield FieldChange(f"{path}.{key}", before.get(key), after.get(key))
