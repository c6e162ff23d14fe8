"""Finds parts that have been given an id: the parts are the same, so their record follows.

Otherwise, writing down an id that differs from the one made from the title would create a second
part, since nothing can be deleted (O11).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...kinds import is_structure, part_names
from ...resource import (
    SHORT_ID,
    Address,
    Form,
    canonical_spelling,
    canonical_text,
    fingerprint_of,
    pack_text,
)
from ...state import Record
from .retitled import Item, Unpaired, find_unpaired

Paths = Mapping[str, str]
"""Paths of parts as they are recorded, to their paths in the manifest, where the two differ."""

_PART = re.compile(rb'("\$ref":"([^"\\]*)","id":"[^"\\]*","part":")([^"\\]*)')


def find_named_parts(before: Form, after: Form) -> Paths:
    """The parts whose paths differ because they or their parents have been given ids."""
    return {old: new for old, new in _parts_in_both(before, after, "", "") if old != new}


def _parts_in_both(
    before: Item, after: Item, old_path: str, new_path: str
) -> Iterator[tuple[str, str]]:
    """Every part that is in both: its path before and its path after."""
    for field, old in before.items():
        new: Any = after.get(field)
        if not (is_structure(old) and is_structure(new)):
            continue
        wanted, called = {item["id"]: item for item in new}, _new_ids(old, new)
        for item in old:
            name = called.get(item["id"], item["id"])
            if name in wanted:
                was, now = f"{old_path}{item['id']}", f"{new_path}{name}"
                yield was, now
                yield from _parts_in_both(item, wanted[name], f"{was}/", f"{now}/")


def _new_ids(old: Sequence[Item], new: Sequence[Item]) -> dict[str, str]:
    """New ids of siblings whose ids came from their titles until now.

    The short form of an id shows what it was, even if the title has changed as well. Several
    siblings with the same title and type are paired in order, if their number is the same.
    """
    kept = {item["id"] for item in old} & {item["id"] for item in new}
    left = [part.item for part in find_unpaired(old, kept) if _is_made(part)]
    if not left:
        return {}
    came = [part.item for part in find_unpaired(new, kept)]
    called = _shortened_ids(old, left, came)
    by_title = _by_title(item for item in left if item["id"] not in called)
    named_now = _by_title(
        part.item
        for part in find_unpaired(new, kept)
        if not part.nameless and part.item["id"] not in called.values()
    )
    for look, ids in by_title.items():
        if len(ids) == len(named_now.get(look, ())):
            called |= zip(ids, named_now[look], strict=True)
    return called


def _shortened_ids(
    old: Sequence[Item], left: Sequence[Item], came: Sequence[Item]
) -> dict[str, str]:
    """Ids to the short ones that `fmt --short-ids` writes, for those that are there now."""
    made = {item["id"] for item in left}
    nameless = ({**item, "id": None} if item["id"] in made else item for item in old)
    types = {item["id"]: item.get("type") for item in came}
    pairs = zip(old, part_names(nameless, SHORT_ID), strict=True)
    return {
        item["id"]: short
        for item, short in pairs
        if item["id"] in made and short in types and types[short] == item.get("type")
    }


def _is_made(part: Unpaired) -> bool:
    """True for an id that was made from the title, and is longer than people type.

    A short one may be the author's own; then another id means another part.
    """
    return part.nameless and len(part.item["id"]) > SHORT_ID


def _by_title(items: Iterable[Item]) -> dict[tuple[Any, Any], list[str]]:
    groups: dict[tuple[Any, Any], list[str]] = {}
    for item in items:
        groups.setdefault((item["title"], item.get("type")), []).append(item["id"])
    return groups


def follow_names(record: Record, paths: Paths) -> Record:
    """The record with the ids that its parts have now."""
    parts = {paths.get(path, path): id_ for path, id_ in record.ids.parts.items()}
    ids = record.ids._replace(parts=parts)
    return _with_form(
        record._replace(ids=ids), canonical_text(_rename_parts(record.form, paths, ""))
    )


def _with_form(record: Record, text: bytes) -> Record:
    return record._replace(packed=pack_text(text), fingerprint=fingerprint_of(text))


def _rename_parts(holder: Item, paths: Paths, path: str) -> dict[str, Any]:
    return {
        field: [_rename_part(item, paths, path) for item in value] if is_structure(value) else value
        for field, value in holder.items()
    }


def _rename_part(item: Item, paths: Paths, parent: str) -> dict[str, Any]:
    path = f"{parent}{item['id']}"
    name = paths.get(path, path).rpartition("/")[2]
    return {**_rename_parts(item, paths, f"{path}/"), "id": name}


def point_to_parts(record: Record, paths: Mapping[Address, Paths]) -> Record:
    """The record with the current paths of parts of other resources.

    The same record comes back if it names none of them.
    """
    text = canonical_spelling(record.packed)

    def current_node(node: re.Match[bytes]) -> bytes:
        there = paths.get(Address.parse(node[2].decode())) or {}
        path = there.get(node[3].decode())
        return node[0] if path is None else node[1] + path.encode()

    current = _PART.sub(current_node, text)
    return record if current == text else _with_form(record, current)
