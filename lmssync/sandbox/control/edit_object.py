"""Edits by hand of everything that is kept besides courses: licenses, users, tags and so on."""

from typing import Any

from .. import checks
from ..areas import license_update, purchase_paths
from ..areas.licenses import ASSIGNMENTS, FIELD_RULES, require_references
from ..blanks import blank
from ..checks import Rule, Wrong, shown
from ..errors import SeedRefused
from ..objects import KINDS
from ..seed import NEEDED, check_items, complete
from ..world import World
from . import trash

Doc = dict[str, Any]

_MADE_BY_THE_PLATFORM = frozenset({"events", "notifications", "deliveries", "jobs", "trash"})
EDITED = tuple(kind for kind in KINDS if kind not in _MADE_BY_THE_PLATFORM)
SOFT = {"assets": "deletedAt"}
"""Kinds that stay when they are deleted, with the field that says so (spec 4)."""
RULES: dict[str, dict[str, Rule]] = {
    "licenses": {n: rule for n, rule in FIELD_RULES.items() if n not in ASSIGNMENTS.values()},
    "purchasePaths": purchase_paths.RULES,
}
"""Rules of fields that routes have too; every other field keeps the type it has."""


def set_(world: World, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields to values of their type; null empties one that may be empty."""
    doc = _found(world, list_, id_)
    for name, value in fields.items():
        doc[name] = _value(list_, doc, name, value)
    if list_ == "licenses":
        require_references(
            world, {name: doc.get(name) for name in (*ASSIGNMENTS, "parentLicenseId")}
        )
    if "updatedAt" in doc and "updatedAt" not in fields:
        doc["updatedAt"] = world.clock.stamp()
    world.objects.save(list_, doc)
    return doc


def delete(world: World, list_: str, id_: str) -> None:
    """Take it away; what it gave to learners stays with them as a license's does (spec 2.7)."""
    doc = _found(world, list_, id_)
    if list_ in SOFT:
        world.objects.save(list_, {**doc, SOFT[list_]: world.clock.stamp()})
        return
    if list_ == "licenses":
        license_update.forget(world, doc["id"])
    world.objects.remove(list_, doc["id"])
    trash.put(world, list_, doc)


def restore(world: World, list_: str, id_: str) -> Doc:
    """Bring it back under its old id; who held a license does not hold it again."""
    if list_ in SOFT:
        doc = _found(world, list_, id_)
        doc[SOFT[list_]] = None
        world.objects.save(list_, doc)
        return doc
    doc = trash.take(world, list_, id_)["doc"]
    return world.objects.add(list_, doc)


def add(world: World, list_: str, fields: Doc) -> Doc:
    """An item as a seed holds it; what it lacks is filled in."""
    try:
        check_items(list_, [fields], where="add")
        doc = complete(list_, fields, world.clock)
    except SeedRefused as refused:
        raise Wrong(str(refused)) from None
    if doc.get("id") and world.objects.has(list_, str(doc["id"])):
        raise Wrong(f"add: {list_} has the id {shown(doc['id'])} already")
    return world.objects.add(list_, doc)


def _found(world: World, list_: str, id_: str) -> Doc:
    doc = world.objects.get(list_, id_)
    if doc is None:
        raise Wrong(f"id: nothing in {list_} has the id {shown(id_)}")
    return doc


def _value(list_: str, doc: Doc, name: str, value: Any) -> Any:
    """The value as it is kept; Wrong where the sandbox could not go on with it."""
    if name == "id":
        raise Wrong("set.id: an id does not change")
    if value is None:
        if name in _needed(list_):
            raise Wrong(f"set.{name}: cannot be cleared")
        return blank(list_, "").get(name)
    rule = RULES.get(list_, {}).get(name) or (checks.date if name == KINDS[list_].moment else None)
    if rule is not None:
        try:
            return rule(value)
        except Wrong as wrong:
            raise Wrong(f"set.{name}: {wrong}") from None
    before = doc.get(name)
    if before is not None and not _alike(before, value):
        raise Wrong(f"set.{name}: is {shown(value)}; it was {shown(before)}, of another type")
    return value


def _needed(list_: str) -> tuple[str, ...]:
    named = KINDS[list_].name
    return (*NEEDED.get(list_, ()), *((named,) if named else ()))


def _alike(before: Any, value: Any) -> bool:
    """True for two values of one JSON type, all numbers being one."""
    if isinstance(before, bool) or isinstance(value, bool):
        return isinstance(before, bool) and isinstance(value, bool)
    if isinstance(before, int | float):
        return isinstance(value, int | float)
    if isinstance(before, list) and isinstance(value, list):
        return not before or all(_alike(before[0], item) for item in value)
    return type(before) is type(value)
