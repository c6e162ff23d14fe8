"""Updates of sections, lessons and topics: changed by id, or added to a parent (O3, O7, O9)."""

from typing import Any, NamedTuple

from lmssync.vocabulary.enums import OpenType, TopicType

from .. import checks
from ..checks import Rule, Wrong, checked, present
from ..data.courses import children
from ..data.ids import Level
from ..platform import Platform
from .course_tree import Builder, move, require_room
from .topic_fields import (
    LESSON_RULES,
    QUEUED_URLS,
    SECTION_RULES,
    TOPIC_RULES,
    UPDATE_RULES,
    eased,
    require_video,
)

Doc = dict[str, Any]

_CHILD_LISTS = {Level.SECTION: "sections", Level.LESSON: "lessons", Level.TOPIC: "topics"}
_LEVELS = {name: level for level, name in _CHILD_LISTS.items()}
_VIDEO_SOURCES = ("videoUrl", "videoAsset", "assetType")


class Held(NamedTuple):
    """A child where it is held."""

    serial: int
    course: Doc
    siblings: list[Doc]
    doc: Doc


def change_child(platform: Platform, entry: Doc, place: str) -> list[str]:
    """Change the section, lesson or topic with the entry's id; its list says which it must be."""
    level = _LEVELS[place.split(".")[1].partition("[")[0]]
    held = _held(platform, entry["id"], level, place=f"{place}.id")
    if level is Level.TOPIC:
        entry = eased(platform, entry, UPDATE_RULES, type_=held.doc["type"])
    fields = _changes(platform, entry, held.doc, level, place=place)
    if level is Level.TOPIC:
        _change_topic(platform, held.doc, fields, place=place)
        held.doc["updatedAt"] = platform.clock.stamp()
    position = fields.pop("position", None)
    _apply(held.doc, fields)
    if position is not None and _moves(platform):
        move(held.siblings, held.doc, position)
    _save(platform, held.serial, held.course)
    return [fields[name] for name in QUEUED_URLS if fields.get(name)]


def _moves(platform: Platform) -> bool:
    return platform.switches.positions == "followed"


def _changes(platform: Platform, entry: Doc, doc: Doc, level: Level, *, place: str) -> Doc:
    """The checked fields of an update; what cannot move or change its type says so (O11)."""
    ignore = platform.switches.unknownFields == "ignore"
    sent = {name: value for name, value in entry.items() if name != "id"}
    if level is Level.TOPIC and sent.get("type") == doc["type"]:
        del sent["type"]
    fields = checked(sent, _update_rules(level, doc), place=place, ignore=ignore)
    for name in ("title", "openType"):
        if name in fields and fields[name] is None:
            raise Wrong(f"{place}.{name}: cannot be cleared")
    return fields


def _update_rules(level: Level, doc: Doc) -> dict[str, Rule]:
    if level is Level.SECTION:
        return _without(SECTION_RULES, "lessons")
    if level is Level.LESSON:
        return _without(LESSON_RULES, "topics")
    return _without(UPDATE_RULES[doc["type"]], "type")


def _without(rules: dict[str, Rule], name: str) -> dict[str, Rule]:
    return {key: rule for key, rule in rules.items() if key != name}


def _change_topic(platform: Platform, topic: Doc, fields: Doc, *, place: str) -> None:
    """A new video takes the place of the old one; its fields must go together."""
    if topic["type"] != TopicType.VIDEO or not any(fields.get(name) for name in _VIDEO_SOURCES):
        if topic["type"] == TopicType.VIDEO:
            require_video(platform, fields, place=place)
        return
    if fields.get("assetType") and not fields.get("videoAsset") and not fields.get("videoUrl"):
        fields = {**fields, "videoAsset": topic.get("videoAsset")}
    require_video(platform, fields, place=place)
    for name in _VIDEO_SOURCES:
        if not (name == "videoAsset" and fields.get("assetType")):
            topic.pop(name, None)


def add_section(platform: Platform, entry: Doc, place: str) -> list[str]:
    """A new section at the end of a course (O3, O7)."""
    rules = {"courseId": checks.uuid, **_without(SECTION_RULES, "lessons")}
    fields = _new_fields(platform, entry, rules, ("courseId", "title"), place=place)
    id_ = fields.pop("courseId")
    found = platform.courses.locate(id_)
    course = platform.courses.get(found.serial) if found and found.level is Level.COURSE else None
    if found is None or course is None:
        raise Wrong(f'{place}.courseId: no course has the id "{id_}"')
    builder = Builder(platform, found.serial, last_number=course["lastNumber"])
    section = {"id": builder.new_id(Level.SECTION), "lessons": []}
    _keep(
        platform,
        course,
        builder,
        siblings=course["sections"],
        doc=section,
        fields=fields,
        place=f"{place}.courseId",
    )
    return []


def add_lesson(platform: Platform, entry: Doc, place: str) -> list[str]:
    """A new lesson at the end of a section."""
    rules = {"sectionId": checks.uuid, **_without(LESSON_RULES, "topics")}
    fields = _new_fields(platform, entry, rules, ("sectionId", "title"), place=place)
    held = _held(platform, fields.pop("sectionId"), Level.SECTION, place=f"{place}.sectionId")
    builder = Builder(platform, held.serial, last_number=held.course["lastNumber"])
    lesson = {
        "id": builder.new_id(Level.LESSON),
        "openType": OpenType.STUDENTS_ONLY,
        "topics": [],
    }
    siblings = held.doc["lessons"]
    _keep(
        platform,
        held.course,
        builder,
        siblings=siblings,
        doc=lesson,
        fields=fields,
        place=f"{place}.sectionId",
    )
    return []


def add_topic(platform: Platform, entry: Doc, place: str) -> list[str]:
    """A new topic at the end of a lesson, with the content that its type can hold."""
    entry = eased(platform, entry, UPDATE_RULES)
    kind = entry.get("type")
    known = UPDATE_RULES.get(kind) if isinstance(kind, str) else None
    rules = {"lessonId": checks.uuid, **(known or TOPIC_RULES)}
    fields = _new_fields(platform, entry, rules, ("lessonId", "title", "type"), place=place)
    held = _held(platform, fields.pop("lessonId"), Level.LESSON, place=f"{place}.lessonId")
    builder = Builder(platform, held.serial, last_number=held.course["lastNumber"])
    position = fields.pop("position", None)
    topic = builder.made_topic(fields, place=place)
    siblings = held.doc["topics"]
    sent = {} if position is None else {"position": position}
    _keep(
        platform,
        held.course,
        builder,
        siblings=siblings,
        doc=topic,
        fields=sent,
        place=f"{place}.lessonId",
    )
    return builder.urls


def _new_fields(
    platform: Platform, entry: Doc, rules: dict[str, Rule], needed: tuple[str, ...], *, place: str
) -> Doc:
    ignore = platform.switches.unknownFields == "ignore"
    sent = {name: value for name, value in entry.items() if name != "id"}
    fields = present(checked(sent, rules, place=place, ignore=ignore))
    checks.require(fields, needed, place=place)
    return fields


def _keep(
    platform: Platform,
    course: Doc,
    builder: Builder,
    *,
    siblings: list[Doc],
    doc: Doc,
    fields: Doc,
    place: str,
) -> None:
    """Append a new child, then move it where its `position` says. Raises Wrong where it is full."""
    require_room(platform, len(siblings) + 1, place=place)
    position = fields.pop("position", None)
    doc.update(fields)
    siblings.append(doc)
    if position is not None and _moves(platform):
        move(siblings, doc, position)
    course["lastNumber"] = builder.last_number
    _save(platform, builder.serial, course)


def _held(platform: Platform, value: Any, level: Level, *, place: str) -> Held:
    try:
        id_ = checks.uuid(value)
    except Wrong as wrong:
        raise Wrong(f"{place}: {wrong}") from None
    found = platform.courses.locate(id_)
    if found and found.level is not level:
        raise Wrong(
            f'{place}: "{id_}" is the id of a {found.level.word}; this must be a {level.word}'
        )
    course = platform.courses.get(found.serial) if found else None
    for parent, doc in children(course, level) if course else ():
        if doc["id"] == id_ and found and course:
            return Held(found.serial, course, parent[_CHILD_LISTS[level]], doc)
    raise Wrong(f'{place}: no {level.word} has the id "{id_}"')


def _apply(doc: Doc, fields: Doc) -> None:
    for name, value in fields.items():
        if name == "restartProgress":
            continue  # an order to the platform, not a property (O10)
        if value is None:
            doc.pop(name, None)
        else:
            doc[name] = value


def _save(platform: Platform, serial: int, course: Doc) -> None:
    course["updatedAt"] = platform.clock.stamp()
    platform.courses.save(serial, course)
