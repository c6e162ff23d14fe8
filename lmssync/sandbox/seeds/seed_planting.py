"""How a checked seed is written into an empty platform: items are completed, trees put together."""

import sqlite3
from functools import partial
from typing import Any

from ...vocabulary.enums import OpenType
from ..data.durable_store import SeedRefused
from ..data.object_documents import Level
from ..data.object_kinds import KINDS, fill_blanks
from ..handlers.course_fields import SESSION_DEFAULTS
from ..people.enrollments import USER_SHOWN
from ..sandbox_documents import Doc, drop_fields
from ..sandbox_platform import Platform
from ..value_checks import (
    InvalidValue,
    check_each,
    drop_nulls,
    error_path,
    quote_value,
    require_fields,
)
from .seed_checks import TREE, checked_items, id_of

_BELOW = {"sections": "lessons", "lessons": "topics"}
_ANY_ID = "00000000-0000-4000-8000-000000000000"
_CHILDREN = ("sections", "lessons", "topics", "completionCriteria")


def kept_entry(entry: Doc, *, stamp: str) -> Doc:
    """An entry of `trash`. Raises InvalidValue."""
    name, doc = entry["list"], entry["doc"]
    if name not in (*_CHILDREN, *KINDS):
        raise InvalidValue(
            f"{quote_value(name)} is not a list that things are deleted from", "list"
        )
    with error_path("doc"):
        if name in _CHILDREN:
            kept = _check_trash_child(name, doc, stamp=stamp)
        else:
            kept = fill_blanks(name, _check_trash_item(name, doc), stamp=stamp)
        require_fields(kept, ("id",))
    id_ = f"{name}/{kept['id']}".lower()
    return {"parentId": None, "index": 0, **entry, "doc": kept, "id": id_}


def _check_trash_item(name: str, doc: Doc) -> Doc:
    """The checked item of a list. Raises InvalidValue with the place in that list in its words."""
    try:
        return checked_items(name, [doc])[0]
    except InvalidValue as wrong:
        raise InvalidValue(str(wrong)) from None


def _check_trash_child(name: str, doc: Any, *, stamp: str) -> Doc:
    below, parent = _BELOW.get(name), str(TREE[name])
    held = doc.get(below) or [] if isinstance(doc, dict) else None
    if not isinstance(held, list):
        raise InvalidValue("it must be an object that has its children in lists")
    own = drop_fields(doc, below or "")
    checked = _check_trash_item(name, {parent: _ANY_ID, **own})
    kept = fill_part(name, {field: checked[field] for field in checked if field in own}, stamp)
    if below:
        with error_path(below):
            kept[below] = check_each(held, partial(_check_trash_child, below, stamp=stamp))
    return kept


def fill_part(name: str, item: Doc, stamp: str) -> Doc:
    """A section, lesson, topic or criterion with what reads rely on."""
    begun: dict[str, Doc] = {
        "lessons": {"openType": OpenType.STUDENTS_ONLY},
        "topics": {"updatedAt": stamp},
    }
    return {**begun.get(name, {}), **drop_nulls(item)}


Below = dict[str, list[tuple[str, Doc]]]
"""The children of everything in the tree, by its id: items with the names of their lists."""
SUBJECT = {"user", "course", "assessment"}
"""What an attempt shows of who was tested, and where."""


def plant_seed(platform: Platform, seed: Doc) -> None:
    """Write a seed that `check_seed` has checked into an empty platform; raises SeedRefused."""
    _reserve_ids(platform, seed)
    stamp = platform.clock.format_now()
    try:
        for kind in KINDS:
            # What was still to be pushed is not pushed again by every sandbox of the same seed.
            for index, item in enumerate(seed.get(kind, ()) if kind != "deliveries" else ()):
                with error_path(kind, index):
                    doc = _complete_item(seed, kind, item, stamp)
                platform.objects.add_object(kind, doc)
        _plant_trees(platform, seed)
    except InvalidValue as wrong:
        raise SeedRefused(f"seed: {wrong}") from None
    except sqlite3.IntegrityError as error:
        raise SeedRefused(f"seed: two things have the same id, slug or sku ({error})") from None


def _complete_item(seed: Doc, kind: str, item: Doc, stamp: str) -> Doc:
    """An item with all that its kind has. Raises InvalidValue."""
    if kind == "trash":
        return kept_entry(item, stamp=stamp)
    if kind in ("attempts", "notifications"):
        item = drop_nulls(item)
    if kind == "attempts" and not item.keys() >= SUBJECT:
        item = {**_attempt_subject(seed, item), **item}
    return complete_item(kind, item, stamp)


def _attempt_subject(seed: Doc, attempt: Doc) -> Doc:
    """Who was tested and where, as an attempt shows it, from the rest of the seed."""

    def find_seeded(name: str, id_: str, fields: tuple[str, ...]) -> Doc:
        named = (one for one in seed.get(name, ()) if id_of(name, one) == id_)
        item: Doc = next(named, {})
        return {**{field: item.get(field) for field in fields}, "id": id_}

    return {
        "user": find_seeded("users", attempt["userId"], USER_SHOWN),
        "course": find_seeded("courses", attempt["courseId"], ("id", "title")),
        "assessment": find_seeded("topics", attempt["assessmentId"], ("id", "type", "title")),
    }


def _reserve_ids(platform: Platform, seed: Doc) -> None:
    """New things must not get the ids that a dump of a platform with this id seed brings."""
    items = (item for name in (*TREE, *KINDS) for item in seed.get(name, ()))
    known = [identity for item in items if (identity := platform.ids.read_id(str(item.get("id"))))]
    platform.courses.reserve_serials(
        max((f.serial for f in known if f.level is not Level.OBJECT), default=0)
    )
    platform.objects.reserve_ids(
        max((f.serial for f in known if f.level is Level.OBJECT), default=0)
    )


def _serial_of(platform: Platform, id_: str, level: Level) -> int:
    """The serial that an id says, or a new one for an id from elsewhere."""
    identity = platform.ids.read_id(id_)
    return (
        identity.serial if identity and identity.level is level else platform.courses.new_serial()
    )


def complete_item(kind: str, item: Doc, stamp: str) -> Doc:
    """An item with an id, where its kind has names, and what handlers need; raises InvalidValue."""
    doc = fill_blanks(kind, item, stamp=stamp)
    if not doc.get("id") and KINDS[kind].name:
        doc["id"] = id_of(kind, doc)
    return doc


def _plant_trees(platform: Platform, seed: Doc) -> None:
    """Put the flat lists together again, course by course."""
    below: Below = {}
    for name, parent in TREE.items():
        for item in seed.get(name, ()):
            if parent is not None:
                below.setdefault(str(item.get(parent)), []).append((name, item))
    for group in seed.get("courseGroups", ()):
        _plant_group(platform, group, below)


def _plant_group(platform: Platform, group: Doc, below: Below) -> None:
    serial = _serial_of(platform, group["id"], Level.GROUP)
    stamp = platform.clock.format_now()
    defaults = {"kind": "courseGroup", "slug": group["id"], "createdAt": stamp, "updatedAt": stamp}
    platform.groups.add_group(serial, {**defaults, **drop_nulls(group)})
    platform.courses.add_alias(group["id"], Level.GROUP, serial)
    for _, course in below.get(group["id"], ()):
        own = _serial_of(platform, course["id"], Level.COURSE)
        _plant_course(platform, own, course, below=below, group=serial)


def _plant_course(
    platform: Platform, serial: int, course: Doc, *, below: Below, group: int
) -> None:
    def child_items(parent: str, name: str, level: Level) -> list[Doc]:
        stamp = platform.clock.format_now()
        held = (item for kind, item in below.get(parent, ()) if kind == name)
        grown_items = [fill_part(name, item, stamp) for item in held]
        for item in grown_items:
            platform.courses.add_alias(item["id"], level, serial)
        return grown_items

    stamp = platform.clock.format_now()
    sections = child_items(course["id"], "sections", Level.SECTION)
    for section in sections:
        section["lessons"] = child_items(section["id"], "lessons", Level.LESSON)
        for lesson in section["lessons"]:
            lesson["topics"] = child_items(lesson["id"], "topics", Level.TOPIC)
    criteria = child_items(course["id"], "completionCriteria", Level.CRITERION)
    defaults = {"kind": "courseGroup", "status": "draft", "createdAt": stamp, "updatedAt": stamp}
    doc = {**SESSION_DEFAULTS, **defaults, "lastNumber": 0, **drop_nulls(course)}
    doc |= {"sections": sections, "criteria": criteria}
    platform.courses.add_course(serial, doc, group=group)
    platform.courses.add_alias(course["id"], Level.COURSE, serial)
