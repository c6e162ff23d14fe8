"""Checks the shape of a seed: its lists, fields, duplicates and missing references."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ..checks import (
    Rule,
    Wrong,
    at,
    check_each,
    check_text,
    check_uuid,
    quote_value,
    require_fields,
    video_id,
)
from ..data.ids import stable_id
from ..data.kinds import KINDS
from ..documents import Doc
from .rules import RULES, check_identity

TREE = {
    "courseGroups": None,
    "courses": "courseGroupId",
    "sections": "courseId",
    "lessons": "sectionId",
    "topics": "lessonId",
    "completionCriteria": "courseId",
}
"""The lists of the tree, parents first, with the field that names the parent."""

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "courseGroups": ("id", "title"),
    "courses": ("id", "title", "courseGroupId"),
    "sections": ("id", "title", "courseId"),
    "lessons": ("id", "title", "sectionId"),
    "topics": ("id", "title", "type", "lessonId"),
    "completionCriteria": ("id", "type", "courseId"),
}
_UNIQUE = {"courseGroups": ("slug",), "courses": ("sku",)}
_LINKS = {
    "clientId": "clients",
    "userId": "users",
    "learnerId": "users",
    "courseId": "courses",
    "learningPathId": "learningPaths",
}
"""Fields that lead to an item of a list. Those of what is owned by one of them must lead there."""
_OWN_IDS = frozenset({"events", "deliveries", "trash"})
"""Lists whose ids are never referenced, so that any text will do."""


def needed_fields_of(name: str) -> tuple[str, ...]:
    """The fields that an item of that list must have."""
    return _NEEDED[name] if name in TREE else KINDS[name].needed_fields


def checked_items(name: str, items: Any) -> list[Doc]:
    """The items as the platform keeps them. Raises Wrong."""
    with at(name):
        if not isinstance(items, list):
            raise Wrong("it must be a list")
        return check_each(items, partial(_check_item, name))


def _check_item(name: str, item: Any) -> Doc:
    if not isinstance(item, dict):
        raise Wrong("it must be an object")
    require_fields(item, needed_fields_of(name))
    rules, kept = RULES[name], dict(item)
    for field, value in item.items():
        rule = _id_rule(name) if field == "id" else rules.get(field)
        if rule is None or value is None:
            continue
        try:
            kept[field] = rule(value)
        except Wrong as wrong:
            raise Wrong(str(wrong), field) from None
    return kept


def _id_rule(name: str) -> Rule:
    if name in TREE:
        return check_uuid
    if name in _OWN_IDS:
        return check_text
    return video_id if KINDS[name].exact else check_identity


def require_own_ids(seed: Doc) -> None:
    """Raise Wrong if two items have the same id or another value that must be unique."""
    in_tree: dict[str, str] = {}
    for name in (*TREE, *KINDS):
        ids = in_tree if name in TREE else {}
        names: dict[str, str] = {}
        fields = _UNIQUE.get(name, ()) if name in TREE else KINDS[name].unique
        for index, item in enumerate(seed.get(name, ())):
            field = "id" if item.get("id") else KINDS[name].name or "id"
            if item.get(field) is not None:
                _require_first(ids, id_of(name, item), (name, index, field))
        for index, item in enumerate(seed.get(name, ())):
            values = [item.get(field) for field in fields]
            if values and None not in values:
                own = "/".join(map(str, values))
                own = own.lower() if name in KINDS else own  # names are compared like this
                _require_first(names, own, (name, index, fields[-1]))


def _require_first(known: dict[str, str], own: str, path: tuple[str, int, str]) -> None:
    place = f"{path[0]}[{path[1]}]"
    if (first := known.setdefault(own, place)) != place:
        raise Wrong(f"{first} has the same", *path)


def require_links(seed: Doc) -> None:
    """Raise Wrong where an item names something that the seed does not hold.

    What a person deleted may be named: the seed holds it in `trash`.
    """
    known: dict[str, set[str]] = {}
    for name, items in seed.items():
        if name in TREE or name in KINDS:
            known.setdefault(name, set()).update(id_of(name, item) for item in items)
    for entry in seed.get("trash", ()):
        known.setdefault(entry["list"], set()).add(str(entry["doc"].get("id")))
    for name in (*TREE, *KINDS):
        for index, item in enumerate(seed.get(name, ())):
            for field, target in _reference_fields(name):
                if item.get(field) is not None and item[field] not in known.get(target, ()):
                    message = f"no item of {target} has the id {quote_value(item[field])}"
                    raise Wrong(message, name, index, field)


def _reference_fields(name: str) -> Iterator[tuple[str, str]]:
    if name in TREE:
        above = dict(zip(TREE, (None, *TREE), strict=False))
        parent = TREE[name]
        if parent is not None:
            yield parent, "courses" if parent == "courseId" else str(above[name])
    elif KINDS[name].owner in _LINKS:
        yield from _LINKS.items()


def id_of(name: str, item: Doc) -> str:
    """The id of an item of a seed, which it may leave out."""
    named = KINDS[name].name if name in KINDS else None
    if item.get("id") or not named:
        return str(item.get("id"))
    return stable_id(name, str(item.get("level", "")) + str(item.get(named)))
