"""Seeds: what a new sandbox begins with, in the shape of a dump.

A seed is an object of lists: those of the dump's tree (`courseGroups`, `courses`, `sections`,
`lessons`, `topics`, `completionCriteria`) and the kinds of `objects.KINDS`, besides `company`
(text) and `idSeed` (a number). Every item is an object; an item of a kind may lack its `id`, the
items of the tree name themselves and their parents by ids. Any uuid will do as an id.
"""

import sqlite3
import uuid
from pathlib import Path
from typing import Any

import orjson

from .. import checks
from ..clock import Clock
from ..errors import SeedRefused
from ..world import World
from .blanks import completed
from .ids import Level
from .objects import KINDS

Doc = dict[str, Any]
TREE = {
    "courseGroups": None,
    "courses": "courseGroupId",
    "sections": "courseId",
    "lessons": "sectionId",
    "topics": "lessonId",
    "completionCriteria": "courseId",
}
"""The lists of the tree, parents first, with the field that names the parent."""

NEEDED = {
    "courseGroups": ("id", "title"),
    "courses": ("id", "title", "courseGroupId"),
    "sections": ("id", "title", "courseId"),
    "lessons": ("id", "title", "sectionId"),
    "topics": ("id", "title", "type", "lessonId"),
    "completionCriteria": ("id", "type", "courseId"),
    "clients": ("name", "slug"),
    "licenses": ("name", "clientId"),
    "users": ("email",),
    "assets": ("title", "assetType"),
    "purchasePaths": ("courseId", "label", "targetType"),
    "events": ("kind", "timestamp"),
    "notifications": ("url",),
    "videoAssets": ("title", "source"),
    "coupons": ("code",),
    "customFields": ("slug", "level", "type"),
}
"""Text fields that the items of a list must have; others need what they are called by."""

_NAMING = ("label", "slug", "title", "name")
_NAMES = uuid.UUID("7d1c0000-0000-4000-8000-000000000000")


def read(file: Path) -> Doc:
    """The seed in a file; raises SeedRefused."""
    try:
        seed = orjson.loads(file.read_bytes())
    except OSError as error:
        raise SeedRefused(f"{file}: cannot be read ({error.strerror})") from None
    except orjson.JSONDecodeError as error:
        raise SeedRefused(f"{file}: not JSON ({error})") from None
    check(seed, where=str(file))
    return dict(seed)


def check(seed: Any, *, where: str) -> None:
    """Raise SeedRefused unless `seed` has the shape of a dump."""
    if not isinstance(seed, dict):
        raise SeedRefused(f"{where}: it must hold an object of lists, as a dump does")
    if not isinstance(seed.get("company", ""), str):
        raise SeedRefused(f"{where}: company: it must be text")
    number = seed.get("idSeed", 0)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**63:
        raise SeedRefused(f"{where}: idSeed: it must be a whole number from 0")
    for name, items in seed.items():
        if name in ("company", "idSeed"):
            continue
        if name not in TREE and name not in KINDS:
            known = ", ".join([*TREE, *KINDS])
            raise SeedRefused(f"{where}: {name}: no such list; there are {known}")
        check_items(name, items, where=where)


def check_items(name: str, items: Any, *, where: str) -> None:
    """Raise SeedRefused unless every item is an object with the texts that its list needs."""
    if not isinstance(items, list):
        raise SeedRefused(f"{where}: {name}: it must be a list")
    named = KINDS[name].name if name in KINDS else None
    for index, item in enumerate(items):
        place = f"{where}: {name}[{index}]"
        if not isinstance(item, dict):
            raise SeedRefused(f"{place}: it must be an object")
        needed = NEEDED.get(name) or ((named,) if named in _NAMING else ())
        for field in needed:
            if not isinstance(item.get(field), str):
                raise SeedRefused(f"{place}.{field}: is required")


def plant(world: World, seed: Doc) -> None:
    """Write a seed into an empty world; raises SeedRefused."""
    check(seed, where="seed")
    _reserve(world, seed)
    try:
        for kind in KINDS:
            # What was still to be pushed is not pushed again by every sandbox of the same seed.
            for item in seed.get(kind, ()) if kind != "deliveries" else ():
                world.objects.add(kind, complete(kind, item, world.clock))
        _plant_trees(world, seed)
    except sqlite3.IntegrityError as error:
        raise SeedRefused(f"seed: two things have the same id, slug or sku ({error})") from None
    except ValueError as error:
        raise SeedRefused(f"seed: a moment is none ({error})") from None


def _reserve(world: World, seed: Doc) -> None:
    """New things must not get the ids that a dump of a world with this id seed brings."""
    items = (item for name in (*TREE, *KINDS) for item in seed.get(name, ()))
    known = [found for item in items if (found := world.ids.read(str(item.get("id"))))]
    world.courses.reserve(max((f.serial for f in known if f.level is not Level.OBJECT), default=0))
    world.objects.reserve(max((f.serial for f in known if f.level is Level.OBJECT), default=0))


def _serial(world: World, id_: str, level: Level) -> int:
    """The serial that an id says, or a new one for an id from elsewhere."""
    found = world.ids.read(id_)
    return found.serial if found and found.level is level else world.courses.new_serial()


def stable_id(kind: str, name: str) -> str:
    """An id that a thing of that name has in every sandbox."""
    return str(uuid.uuid5(_NAMES, f"{kind}/{name}"))


def complete(kind: str, item: Doc, clock: Clock) -> Doc:
    """An item with an id and with what areas rely on."""
    named = KINDS[kind].name
    doc = dict(item)
    if not doc.get("id") and named:
        doc["id"] = stable_id(kind, str(doc.get("level", "")) + str(doc[named]))
    try:
        doc = completed(kind, doc, stamp=clock.stamp())
        _settle_moment(doc, KINDS[kind].moment)
    except checks.Wrong as wrong:
        raise SeedRefused(f"seed: {kind}: {wrong}") from None
    return doc


def _settle_moment(doc: Doc, moment: str | None) -> None:
    """Keep the moment that a kind is ordered by as the clock writes it; raises Wrong."""
    if moment is None or doc.get(moment) is None:
        return
    try:
        doc[moment] = checks.date(doc[moment])
    except checks.Wrong as wrong:
        raise checks.Wrong(f"{moment} {wrong}") from None


def _plant_trees(world: World, seed: Doc) -> None:
    """Put the flat lists together again, course by course."""
    below: dict[str, list[tuple[str, Doc]]] = {}
    for name, parent in TREE.items():
        for item in seed.get(name, ()):
            if parent is not None:
                below.setdefault(str(item.get(parent)), []).append((name, item))
    for group in seed.get("courseGroups", ()):
        _plant_group(world, group, below)


def _plant_group(world: World, group: Doc, below: dict[str, list[tuple[str, Doc]]]) -> None:
    serial = _serial(world, group["id"], Level.GROUP)
    stamp = world.clock.stamp()
    defaults = {"kind": "courseGroup", "slug": group["id"], "createdAt": stamp, "updatedAt": stamp}
    world.courses.add_group(serial, {**defaults, **group})
    world.courses.alias(group["id"], Level.GROUP, serial)
    for _, course in below.get(group["id"], ()):
        own = _serial(world, course["id"], Level.COURSE)
        _plant_course(world, own, course, below=below, group=serial)


def _plant_course(
    world: World, serial: int, course: Doc, *, below: dict[str, list[tuple[str, Doc]]], group: int
) -> None:
    def items(parent: str, name: str, level: Level) -> list[Doc]:
        found = [dict(item) for kind, item in below.get(parent, ()) if kind == name]
        for item in found:
            world.courses.alias(item["id"], level, serial)
        return found

    stamp = world.clock.stamp()
    sections = items(course["id"], "sections", Level.SECTION)
    for section in sections:
        section["lessons"] = items(section["id"], "lessons", Level.LESSON)
        for lesson in section["lessons"]:
            lesson.setdefault("openType", "studentsOnly")
            topics = items(lesson["id"], "topics", Level.TOPIC)
            lesson["topics"] = [{"updatedAt": stamp, **topic} for topic in topics]
    defaults = {"kind": "courseGroup", "status": "draft", "createdAt": stamp, "updatedAt": stamp}
    doc = {**defaults, "lastNumber": 0, **course, "sections": sections}
    doc["criteria"] = items(course["id"], "completionCriteria", Level.CRITERION)
    world.courses.add(serial, doc, group=group)
    world.courses.alias(course["id"], Level.COURSE, serial)
