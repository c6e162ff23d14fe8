"""Edits of sections, lessons, topics and completion criteria by hand: filled, moved, deleted."""

from typing import Any, NamedTuple

from .. import checks
from ..checks import Rule, Wrong, checked, shown
from ..data.courses import children
from ..data.ids import Level
from ..handlers import child_update, criteria
from ..handlers.course_tree import move
from ..handlers.topic_fields import LESSON_RULES, SECTION_RULES, UPDATE_RULES
from ..platform import Platform
from . import trash

Doc = dict[str, Any]

LEVELS = {
    "sections": Level.SECTION,
    "lessons": Level.LESSON,
    "topics": Level.TOPIC,
    "completionCriteria": Level.CRITERION,
}
PARENTS = {"lessons": "sectionId", "topics": "lessonId"}
"""The field that moves a child to another parent; no route can do that (O11)."""
FILLED = "filled"
"""True once a person filled the shell of a quiz, test, survey and so on (spec 2.2)."""
_NEVER_NULL = ("title", "openType", "position", FILLED, *PARENTS.values())
_ADDERS = {
    "sections": child_update.add_section,
    "lessons": child_update.add_lesson,
    "topics": child_update.add_topic,
}


class Place(NamedTuple):
    """A child of a course, in the list that holds it."""

    serial: int
    course: Doc
    parent: str
    siblings: list[Doc]
    doc: Doc


def set_(platform: Platform, list_: str, id_: str, fields: Doc) -> Doc:
    """Set fields; `position` and the parent's id move, `filled` fills a topic's shell."""
    place = _place(platform, list_, id_)
    if list_ == "completionCriteria":
        criteria.update_one(platform, {**fields, "id": place.doc["id"]}, "set", warnings=[])
        return _place(platform, list_, id_).doc
    wanted = checked(fields, _rules(list_, place.doc), place="set")
    for name in _NEVER_NULL:
        if name in wanted and wanted[name] is None:
            raise Wrong(f"set.{name}: cannot be cleared")
    place = _moved(place, list_, wanted)
    for name, value in wanted.items():
        if value is None:
            place.doc.pop(name, None)
        else:
            place.doc[name] = value
    if list_ == "topics":
        place.doc["updatedAt"] = platform.clock.stamp()
    _save(platform, place)
    return place.doc


def delete(platform: Platform, list_: str, id_: str) -> None:
    """Remove it with its children; criteria that name one of its topics stay unchanged."""
    place = _place(platform, list_, id_)
    index = place.siblings.index(place.doc)
    place.siblings.remove(place.doc)
    trash.put(platform, list_, place.doc, parent=place.parent, index=index)
    _save(platform, place)


def restore(platform: Platform, list_: str, id_: str) -> Doc:
    """Put it back in its old place, under its old id."""
    entry = trash.take(platform, list_, id_)
    parent = platform.courses.locate(entry["parentId"])
    course = platform.courses.get(parent.serial) if parent else None
    siblings = _siblings(course, entry["parentId"], list_) if course else None
    if parent is None or course is None or siblings is None:
        raise Wrong("id: its parent is deleted too; restore the parent first")
    siblings.insert(entry["index"], entry["doc"])
    _save(platform, Place(parent.serial, course, entry["parentId"], siblings, entry["doc"]))
    return dict(entry["doc"])


def add(platform: Platform, list_: str, fields: Doc) -> Doc:
    """As course update and criteria update add, with the parent's id among the fields."""
    if list_ == "completionCriteria":
        criteria.update_one(platform, {**fields, "id": None}, "add", warnings=[])
        parent = fields["courseId"]
    else:
        _ADDERS[list_](platform, {**fields, "id": None}, "add")
        parent = fields[PARENTS.get(list_, "courseId")]
    found = platform.courses.locate(parent)
    course = platform.courses.get(found.serial) if found else None
    assert found is not None  # it was added to
    assert course is not None
    return _place(
        platform, list_, platform.ids.make(LEVELS[list_], found.serial, course["lastNumber"])
    ).doc


def _rules(list_: str, doc: Doc) -> dict[str, Rule]:
    if list_ == "sections":
        return {name: rule for name, rule in SECTION_RULES.items() if name != "lessons"}
    if list_ == "lessons":
        rules = {name: rule for name, rule in LESSON_RULES.items() if name != "topics"}
        return {**rules, "sectionId": checks.uuid}
    rules = {name: rule for name, rule in UPDATE_RULES[doc["type"]].items() if name != "type"}
    return {**rules, FILLED: checks.flag, "lessonId": checks.uuid}


def _moved(place: Place, list_: str, wanted: Doc) -> Place:
    """Move a child to the place that its fields name, and drop those fields."""
    position, parent = wanted.pop("position", None), wanted.pop(PARENTS.get(list_, ""), None)
    if parent is not None and parent != place.parent:
        siblings = _siblings(place.course, parent, list_)
        if siblings is None:
            raise Wrong(f"set.{PARENTS[list_]}: {shown(parent)} is not in the same course")
        place.siblings.remove(place.doc)
        siblings.append(place.doc)
        place = place._replace(parent=parent, siblings=siblings)
    if position is not None:
        move(place.siblings, place.doc, position)
    return place


def _place(platform: Platform, list_: str, id_: str) -> Place:
    level = LEVELS[list_]
    found = platform.courses.locate(id_)
    course = platform.courses.get(found.serial) if found and found.level is level else None
    if found and course:
        for parent, siblings in _families(course, list_):
            for doc in siblings:
                if doc["id"] == id_.lower():
                    return Place(found.serial, course, parent, siblings, doc)
    raise Wrong(f"id: no {level.word} has the id {shown(id_)}")


def _siblings(course: Doc, parent: str, list_: str) -> list[Doc] | None:
    return next((docs for id_, docs in _families(course, list_) if id_ == parent), None)


def _families(course: Doc, list_: str) -> list[tuple[str, list[Doc]]]:
    """Every such list in the course, with the id of its parent."""
    if list_ == "completionCriteria":
        return [(course["id"], course["criteria"])]
    if list_ == "sections":
        return [(course["id"], course["sections"])]
    above = Level.SECTION if list_ == "lessons" else Level.LESSON
    return [(doc["id"], doc[list_]) for _, doc in children(course, above)]


def _save(platform: Platform, place: Place) -> None:
    place.course["updatedAt"] = platform.clock.stamp()
    platform.courses.save(place.serial, place.course)
