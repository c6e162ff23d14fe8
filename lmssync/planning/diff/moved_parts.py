"""Finds parts of a course that go to another lesson or section, or have been given an id.

The platform cannot move a part (O11): a new one is made under the new parent, the old one is left
to be deleted by hand, and what learners did in it does not come along.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from operator import itemgetter
from typing import Any, NamedTuple

from ...kind import Ids
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
from .retitled_parts import Item, Unpaired, content_without_names, find_unpaired

Paths = Mapping[str, str]
"""Paths of parts as they are recorded, to their paths in the manifest, where the two differ."""

# In a canonical spelling keys are sorted, so those of a node come in this order.
_PART = re.compile(rb'("\$ref":"([^"\\]*)","id":"[^"\\]*","part":")([^"\\]*)')


def find_named_parts(before: Form, after: Form, moved: Paths) -> Paths:
    """The parts whose paths differ because they or their parents have been given ids, or other ids
    as the manifest says in `moved`."""
    return {old: new for old, new in _parts_in_both(before, after, "", "", moved) if old != new}


def _parts_in_both(
    before: Item, after: Item, old_path: str, new_path: str, moved: Paths
) -> Iterator[tuple[str, str]]:
    """Every part that is in both and may have moved: its path before and its path after."""
    for field, old in before.items():
        new: Any = after.get(field)
        if old == new and old_path == new_path:
            continue
        if not (is_structure(old) and is_structure(new)):
            continue
        wanted, called = {item["id"]: item for item in new}, _moved_ids(old, new, new_path, moved)
        called |= _new_ids(
            [{**item, "id": called.get(item["id"], item["id"])} for item in old], new
        )
        for item in old:
            name = called.get(item["id"], item["id"])
            if name in wanted:
                was, now = f"{old_path}{item['id']}", f"{new_path}{name}"
                yield was, now
                yield from _parts_in_both(item, wanted[name], f"{was}/", f"{now}/", moved)


def _moved_ids(
    old: Sequence[Item], new: Sequence[Item], above: str, moved: Paths
) -> dict[str, str]:
    """New ids of siblings as the manifest says; none that a part of before has already."""
    known, wanted = {item["id"] for item in old}, {item["id"] for item in new}
    found: dict[str, str] = {}
    for id_ in known - wanted:
        name = moved.get(f"{above}{id_}", "").removeprefix(above)
        if name in wanted - known and name not in found.values():
            found[id_] = name
    return found


def _new_ids(old: Sequence[Item], new: Sequence[Item]) -> dict[str, str]:
    """New ids of siblings whose ids came from their titles until now."""
    kept = {item["id"] for item in old} & {item["id"] for item in new}
    left = [part.item for part in find_unpaired(old, kept) if _is_made(part)]
    if not left:
        return {}
    came = [part.item for part in find_unpaired(new, kept)]
    # The short form of an id shows what it was, even if the title has changed as well.
    called = _shortened_ids(old, left, came)
    by_title = _by_title(item for item in left if item["id"] not in called)
    named_now = _by_title(
        part.item
        for part in find_unpaired(new, kept)
        if not part.nameless and part.item["id"] not in called.values()
    )
    # Several siblings with the same title and type are paired in order, if they are as many.
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
    """True for an id that was made from the title, and is longer than people type."""
    # A short one may be the author's own: then another id means another part.
    return part.nameless and len(part.item["id"]) > SHORT_ID


def _by_title(items: Iterable[Item]) -> dict[tuple[Any, Any], list[str]]:
    groups: dict[tuple[Any, Any], list[str]] = {}
    for item in items:
        groups.setdefault((item["title"], item.get("type")), []).append(item["id"])
    return groups


def follow_names(record: Record, paths: Paths) -> Record:
    """The record with the ids that its parts have now."""

    def rename_ids(ids: Ids) -> Ids:
        return ids._replace(parts={paths.get(path, path): i for path, i in ids.parts.items()})

    kept = record.kept_ids
    if isinstance(kept, Ids):
        record = record._replace(kept_ids=rename_ids(kept))
    else:  # nothing is read for a name: whoever needs the ids reads them
        find = kept.find
        later = kept._replace(find=lambda unpaired: rename_ids(find(unpaired)))
        record = record._replace(kept_ids=later)
    return _with_form(record, canonical_text(_rename_parts(record.form, paths, "")))


def _with_form(record: Record, text: bytes) -> Record:
    return record._replace(packed=pack_text(text), fingerprint=fingerprint_of(text))


def _rename_parts(holder: Item, paths: Paths, above: str) -> dict[str, Any]:
    """The holder with the current ids of the parts below it; `above` is its recorded path."""
    renamed = dict(holder)
    for field in (field for field, value in holder.items() if is_structure(value)):
        renamed[field] = []
        for item in holder[field]:
            path = f"{above}{item['id']}"
            name = paths.get(path, path).rpartition("/")[2]
            renamed[field].append(_rename_parts(item, paths, f"{path}/") | {"id": name})
    return renamed


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


_NAMED = 5
"""The most moves that are listed one by one."""


class MovedPart(NamedTuple):
    """A part that is gone under one parent and new under another."""

    noun: str
    title: str
    was: str
    """The path of the part before: `start/welcome/hello`."""
    now: str

    def __str__(self) -> str:
        old, new = (path.rpartition("/")[0] for path in (self.was, self.now))
        return (
            f"“{self.title}” moves from `{old}` to `{new}`: the platform cannot move a "
            f"{self.noun}, so this makes a new one and leaves the old one to be deleted by "
            "hand; learners' progress in it is lost"
        )


class _Part(NamedTuple):
    level: str
    item: Item


def moved_parts(before: Form, after: Form, known: Set[str] = frozenset()) -> list[MovedPart]:
    """The parts that go to another parent, without what goes along in them.

    `known` are the paths of parts that only have another title; they stay where they are.
    """
    old, new = dict(_list_parts(before)), dict(_list_parts(after))
    gone = {
        path: part for path, part in old.items() if path not in new and not _is_within(path, known)
    }
    moved: dict[str, str] = {}
    for path, part in new.items():
        if path in old or _is_within(path, moved.keys()):
            continue
        left = {was: one for was, one in gone.items() if not _is_within(was, moved.values())}
        if was := _path_before(path, part, left):
            moved[path] = was
    parts = ((new[now], was, now) for now, was in moved.items())
    return [MovedPart(p.level.removesuffix("s"), str(p.item["title"]), *at) for p, *at in parts]


def _list_parts(holder: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, _Part]]:
    """Every part by its path, those above before those below."""
    for level, items in holder.items():
        for item in items if is_structure(items) else ():
            path = f"{above}{item['id']}"
            yield path, _Part(level, item)
            yield from _list_parts(item, f"{path}/")


def _is_within(path: str, others: Iterable[str]) -> bool:
    """True for one of the others, and for a part inside of one."""
    return any(path == other or path.startswith(f"{other}/") for other in others)


def _path_before(path: str, part: _Part, gone: Mapping[str, _Part]) -> str:
    """The path of the one part that it was; empty if unclear."""
    parent = path.rpartition("/")[0]
    others = {
        was: one
        for was, one in gone.items()
        if one.level == part.level
        and one.item.get("type") == part.item.get("type")
        and was.rpartition("/")[0] != parent
    }
    # Its content says more than its id, which may come from a title.
    for same in (_content_of, itemgetter("id")):
        alike = [was for was, one in others.items() if same(one.item) == same(part.item)]
        if alike:
            return alike[0] if len(alike) == 1 else ""
    return ""


def _content_of(item: Item) -> Any:
    return item["title"], content_without_names(item)


def describe_undecided_moves(address: Address, moved: Iterable[MovedPart]) -> str:
    """The decision that the author has to make, where learners would lose progress; empty for no
    moves."""
    lines = move_hints(moved)
    return f"{'; '.join(lines)}. If that is meant: `--allow {address}`" if lines else ""


def move_hints(moved: Iterable[MovedPart]) -> list[str]:
    """A line for each move; if there are very many, for the first ones."""
    lines = [str(one) for one in moved]
    more = [f"and {len(lines) - _NAMED} more parts move"] if len(lines) > _NAMED else []
    return lines[:_NAMED] + more
