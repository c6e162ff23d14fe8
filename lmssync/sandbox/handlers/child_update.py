"""Updates of sections, lessons and topics: changed by id, or added to a parent (O3, O7, O9)."""

from typing import Any

from lmssync.vocabulary.enums import OpenType, TopicType

from .. import checks
from ..checks import Rule, Wrong, at, present, require_kept
from ..data.courses import CHILDREN, Held
from ..data.ids import Level
from ..documents import Doc, put
from ..platform import Platform
from .course_fields import checked_entry
from .course_tree import Builder, move, require_room
from .lookup import wrong_id
from .topic_fields import (
    LESSON_RULES,
    QUEUED_URLS,
    SECTION_RULES,
    TOPIC_RULES,
    UPDATE_RULES,
    eased,
    require_video,
)

_LEVELS = {name: level for level, name in CHILDREN.items()}
RESTART = "restartProgress"
"""An order to the platform, not a property (O10)."""
_VIDEO_SOURCES = ("videoUrl", "videoAsset", "assetType")


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
    put(held.doc, {name: value for name, value in fields.items() if name != RESTART})
    _move(platform, held.siblings, held.doc, position)
    _save(platform, held.course)
    return [fields[name] for name in QUEUED_URLS if fields.get(name)]


def _changes(platform: Platform, entry: Doc, doc: Doc, level: Level, *, place: str) -> Doc:
    """The checked fields of an update; what cannot move or change its type says so (O11)."""
    if level is Level.TOPIC and entry.get("type") == doc["type"]:
        entry = {name: value for name, value in entry.items() if name != "type"}
    fields = _checked(platform, entry, rules_of(level, doc), place=place)
    require_kept(fields, ("title", "openType"), place=place)
    return fields


def rules_of(level: Level, doc: Doc) -> dict[str, Rule]:
    """What can be changed of a section, lesson or topic by itself."""
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
    id_, place = fields.pop("courseId"), f"{place}.courseId"
    course = platform.courses.course(id_)
    if course is None:
        raise Wrong(f'{place}: no course has the id "{id_}"')
    builder = Builder.of(platform, course)
    section = {"id": builder.new_id(Level.SECTION), "lessons": []}
    _keep(platform, course, builder, course["sections"], doc=section, fields=fields, place=place)
    return []


def add_lesson(platform: Platform, entry: Doc, place: str) -> list[str]:
    """A new lesson at the end of a section."""
    rules = {"sectionId": checks.uuid, **_without(LESSON_RULES, "topics")}
    fields = _new_fields(platform, entry, rules, ("sectionId", "title"), place=place)
    place = f"{place}.sectionId"
    course, _, _, section = _held(platform, fields.pop("sectionId"), Level.SECTION, place=place)
    builder = Builder.of(platform, course)
    lesson = {"id": builder.new_id(Level.LESSON), "openType": OpenType.STUDENTS_ONLY, "topics": []}
    _keep(platform, course, builder, section["lessons"], doc=lesson, fields=fields, place=place)
    return []


def add_topic(platform: Platform, entry: Doc, place: str) -> list[str]:
    """A new topic at the end of a lesson, with the content that its type can hold."""
    entry = eased(platform, entry, UPDATE_RULES)
    kind = entry.get("type")
    known = UPDATE_RULES.get(kind) if isinstance(kind, str) else None
    rules = {"lessonId": checks.uuid, **(known or TOPIC_RULES)}
    fields = _new_fields(platform, entry, rules, ("lessonId", "title", "type"), place=place)
    of_lesson = f"{place}.lessonId"
    course, _, _, lesson = _held(platform, fields.pop("lessonId"), Level.LESSON, place=of_lesson)
    builder = Builder.of(platform, course)
    sent = {"position": fields.pop("position", None)}
    topic = builder.made_topic(fields, place=place)
    _keep(platform, course, builder, lesson["topics"], doc=topic, fields=sent, place=of_lesson)
    return builder.urls


def _new_fields(
    platform: Platform, entry: Doc, rules: dict[str, Rule], needed: tuple[str, ...], *, place: str
) -> Doc:
    fields = present(_checked(platform, entry, rules, place=place))
    checks.require(fields, needed, place=place)
    return fields


def _checked(platform: Platform, entry: Doc, rules: dict[str, Rule], *, place: str) -> Doc:
    sent = {name: value for name, value in entry.items() if name != "id"}
    return checked_entry(platform, sent, rules, place=place)


def _keep(
    platform: Platform,
    course: Doc,
    builder: Builder,
    siblings: list[Doc],
    *,
    doc: Doc,
    fields: Doc,
    place: str,
) -> None:
    """Append a new child, then move it where its `position` says. Raises Wrong where it is full."""
    require_room(platform, len(siblings) + 1, place=place)
    position = fields.pop("position", None)
    siblings.append(doc)
    doc.update(fields)
    _move(platform, siblings, doc, position)
    course["lastNumber"] = builder.last_number
    _save(platform, course)


def _move(platform: Platform, siblings: list[Doc], doc: Doc, position: int | None) -> None:
    if position is not None and platform.switches.positions == "followed":
        move(siblings, doc, position)


def _held(platform: Platform, value: Any, level: Level, *, place: str) -> Held:
    with at(place):
        id_ = checks.uuid(value)
    held = platform.courses.held(id_, level)
    if held is None:
        raise wrong_id(platform, id_, level, place=place)
    return held


def _save(platform: Platform, course: Doc) -> None:
    course["updatedAt"] = platform.clock.stamp()
    platform.courses.save(course)
