"""The checks of a seed, which has the shape of a dump: lists, fields, duplicates and references.

A seed is an object of lists: those of the dump's tree (`courseGroups`, `courses`, `sections`,
`lessons`, `topics`, `completionCriteria`) and the kinds of `object_kinds.KINDS`, besides `company`
(text) and `idSeed` (a number). Every item is an object; an item of a kind may lack its `id`, the
items of the tree name themselves and their parents by ids. Any uuid will do as an id.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from .. import value_checks
from ..data.durable_store import SeedRefused
from ..data.object_documents import stable_id
from ..data.object_kinds import KINDS
from ..sandbox_documents import Doc
from ..value_checks import InvalidValue, Rule, check_each, error_path, quote_value, require_fields
from .seed_rules import SEED_RULES, check_identity

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
    """The items as the platform keeps them. Raises InvalidValue."""
    with error_path(name):
        if not isinstance(items, list):
            raise InvalidValue("it must be a list")
        return check_each(items, partial(_check_item, name))


def _check_item(name: str, item: Any) -> Doc:
    if not isinstance(item, dict):
        raise InvalidValue("it must be an object")
    require_fields(item, needed_fields_of(name))
    rules, kept = SEED_RULES[name], dict(item)
    for field, value in item.items():
        rule = _id_rule(name) if field == "id" else rules.get(field)
        if rule is None or value is None:
            continue
        try:
            kept[field] = rule(value)
        except InvalidValue as wrong:
            raise InvalidValue(str(wrong), field) from None
    return kept


def _id_rule(name: str) -> Rule:
    if name in TREE:
        return value_checks.check_uuid
    if name in _OWN_IDS:
        return value_checks.check_text
    return value_checks.video_id if KINDS[name].exact else check_identity


def require_own_ids(seed: Doc) -> None:
    """Raise InvalidValue if two items have the same id or another value that must be unique."""
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
        raise InvalidValue(f"{first} has the same", *path)


def require_links(seed: Doc) -> None:
    """Raise InvalidValue where an item names something that the seed does not hold.

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
                    raise InvalidValue(message, name, index, field)


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


def read_seed(file: Path) -> Doc:
    """The seed in a file; raises SeedRefused."""
    try:
        seed = orjson.loads(file.read_bytes())
    except OSError as error:
        raise SeedRefused(f"{file}: cannot be read ({error.strerror})") from None
    except orjson.JSONDecodeError as error:
        raise SeedRefused(f"{file}: not JSON ({error})") from None
    return check_seed(seed, where=str(file))


def check_seed(seed: Any, *, where: str) -> Doc:
    """The seed with its values as the platform keeps them.

    Raises SeedRefused, with the place, unless it has the shape of a dump, names nothing twice,
    and names nothing that it does not hold.
    """
    try:
        return _check_lists(seed)
    except InvalidValue as wrong:
        raise SeedRefused(f"{where}: {wrong}") from None


def _check_lists(seed: Any) -> Doc:
    if not isinstance(seed, dict):
        raise InvalidValue("it must hold an object of lists, as a dump does")
    if not isinstance(seed.get("company", ""), str):
        raise InvalidValue("it must be text", "company")
    number = seed.get("idSeed", 0)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**63:
        raise InvalidValue("it must be a whole number from 0", "idSeed")
    kept: Doc = {}
    for name, items in seed.items():
        if name in ("company", "idSeed"):
            kept[name] = items
            continue
        if name not in TREE and name not in KINDS:
            known = ", ".join([*TREE, *KINDS])
            raise InvalidValue(f"no such list; the lists are {known}", name)
        kept[name] = checked_items(name, items)
    require_own_ids(kept)
    require_links(kept)
    return kept
