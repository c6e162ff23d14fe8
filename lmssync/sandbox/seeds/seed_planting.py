"""How a seed is checked and written into an empty platform.

A seed is an object of lists, as a dump is: those of the dump's tree (`courseGroups`, `courses`,
`sections`, `lessons`, `topics`, `completionCriteria`), the kinds of `object_kinds.KINDS`, and
besides `company` (text) and `idSeed` (a number). Every item is an object; an item of a kind may
lack its `id`, the items of the tree name themselves and their parents by ids. Any uuid will do as
an id.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ...vocabulary.enums import OpenType
from .. import value_checks
from ..data.durable_store import SeedRefused
from ..data.object_documents import Level, stable_id
from ..data.object_kinds import KINDS, fill_blanks
from ..handlers.course_fields import SESSION_DEFAULTS
from ..people.enrollments import USER_SHOWN
from ..sandbox_documents import Doc, add_missing_fields, drop_fields
from ..sandbox_platform import Platform
from ..value_checks import (
    InvalidValue,
    Rule,
    check_each,
    drop_nulls,
    error_path,
    quote_value,
    require_fields,
)
from .seed_rules import SEED_RULES, Below, Serials, assign_serials, check_identity, reserve_ids

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
        # A dump has null for what was never set; handlers take that as missing.
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
        # Sessions and their parts share one space of ids, other lists have one each.
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
        raise InvalidValue("it must be an object of lists, as a dump is")
    if not isinstance(seed.get("company", ""), str):
        raise InvalidValue("it must be text", "company")
    number = seed.get("idSeed", 0)
    # `true` is an int in Python.
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
    # After all lists: a link may lead to a list that comes later in the file.
    require_own_ids(kept)
    require_links(kept)
    return kept


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
    return {**add_missing_fields(entry, {"parentId": None, "index": 0}), "doc": kept, "id": id_}


def _check_trash_item(name: str, doc: Doc) -> Doc:
    """The checked item of a list. Raises InvalidValue with the place in that list in its words."""
    try:
        return checked_items(name, [doc])[0]
    except InvalidValue as wrong:
        raise InvalidValue(str(wrong)) from None


def _check_trash_child(name: str, doc: Any, *, stamp: str) -> Doc:
    below, parent = _BELOW.get(name), str(TREE[name])
    children = doc.get(below) or [] if isinstance(doc, dict) else None
    if not isinstance(children, list):
        raise InvalidValue("it must be an object that has its children in lists")
    own = drop_fields(doc, below or "")
    # A part in the trash has no parent field; its check wants one.
    checked = _check_trash_item(name, add_missing_fields(own, {parent: _ANY_ID}))
    kept = fill_part(name, {field: checked[field] for field in checked if field in own}, stamp)
    if below:
        with error_path(below):
            kept[below] = check_each(children, partial(_check_trash_child, below, stamp=stamp))
    return {**{field: kept[field] for field in doc if field in kept}, **kept}


def fill_part(name: str, item: Doc, stamp: str) -> Doc:
    """A section, lesson, topic or criterion with what reads rely on."""
    begun: dict[str, Doc] = {
        "lessons": {"openType": OpenType.STUDENTS_ONLY},
        "topics": {"updatedAt": stamp},
    }
    return add_missing_fields(drop_nulls(item), begun.get(name, {}))


SUBJECT = {"user", "course", "assessment"}
"""What an attempt shows of who was tested, and where."""


def plant_seed(platform: Platform, seed: Doc) -> None:
    """Write a seed that `check_seed` has checked into a platform; raises SeedRefused."""
    below = _items_by_parent(seed)
    serials = assign_serials(platform, seed, below)
    # Before the first document: an id made for one must not be that of another in the seed.
    every = (item for name in (*TREE, *KINDS) for item in seed.get(name, ()))
    reserve_ids(platform, every, serials)
    stamp = platform.clock.format_now()
    try:
        for kind in KINDS:
            # What was still to be pushed is not pushed again by every sandbox of the same seed.
            for index, item in enumerate(seed.get(kind, ()) if kind != "deliveries" else ()):
                with error_path(kind, index):
                    doc = _complete_item(seed, kind, item, stamp)
                platform.objects.add_object(kind, doc)
        for group in seed.get("courseGroups", ()):
            _plant_group(platform, group, below, serials)
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


def complete_item(kind: str, item: Doc, stamp: str) -> Doc:
    """An item with an id, where its kind has names, and what handlers need; raises InvalidValue."""
    doc = fill_blanks(kind, item, stamp=stamp)
    if not doc.get("id") and KINDS[kind].name:
        doc["id"] = id_of(kind, doc)
    return doc


def _items_by_parent(seed: Doc) -> Below:
    """The flat lists by parent, so that courses can be put together again."""
    below: dict[str, list[tuple[str, Doc]]] = {}
    for name, parent in TREE.items():
        for item in seed.get(name, ()):
            if parent is not None:
                below.setdefault(str(item.get(parent)), []).append((name, item))
    return below


def _plant_group(platform: Platform, group: Doc, below: Below, serials: Serials) -> None:
    serial = serials["courseGroups"][group["id"]]
    stamp = platform.clock.format_now()
    defaults = {"kind": "courseGroup", "slug": group["id"], "createdAt": stamp, "updatedAt": stamp}
    platform.groups.add_group(serial, add_missing_fields(drop_nulls(group), defaults))
    platform.courses.add_alias(group["id"], Level.GROUP, serial)
    for _, course in below.get(group["id"], ()):
        own = serials["courses"][course["id"]]
        _plant_course(platform, own, course, below=below, group=serial)


def _plant_course(
    platform: Platform, serial: int, course: Doc, *, below: Below, group: int
) -> None:
    def child_items(parent: str, name: str, level: Level) -> list[Doc]:
        stamp = platform.clock.format_now()
        given = (item for kind, item in below.get(parent, ()) if kind == name)
        items = [fill_part(name, item, stamp) for item in given]
        for item in items:
            # An id of a seed may be none that its serial would make, so a table says where it
            # leads.
            platform.courses.add_alias(item["id"], level, serial)
        return items

    stamp = platform.clock.format_now()
    sections = child_items(course["id"], "sections", Level.SECTION)
    for section in sections:
        section["lessons"] = child_items(section["id"], "lessons", Level.LESSON)
        for lesson in section["lessons"]:
            lesson["topics"] = child_items(lesson["id"], "topics", Level.TOPIC)
    criteria = child_items(course["id"], "completionCriteria", Level.CRITERION)
    defaults = {"kind": "courseGroup", "status": "draft", "createdAt": stamp, "updatedAt": stamp}
    doc = add_missing_fields(drop_nulls(course), {**SESSION_DEFAULTS, **defaults, "lastNumber": 0})
    doc |= {"sections": sections, "criteria": criteria}
    platform.courses.add_course(serial, doc, group=group)
    platform.courses.add_alias(course["id"], Level.COURSE, serial)
