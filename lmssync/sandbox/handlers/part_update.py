"""Updates of sections, lessons and topics: changed by id, or added to a parent (O3, O7, O9)."""

from typing import Any

from lmssync.vocabulary.enums import OpenType, TopicType

from ..data.course_tables import Held
from ..data.document_ids import Level
from ..sandbox_documents import Doc, drop_fields, put_fields
from ..sandbox_platform import Platform
from ..value_checks import Rule, Wrong, at, check_uuid
from . import topic_fields
from .course_builder import Builder, keep_changed_part, move_sibling, require_room
from .course_fields import changed_entry, new_entry
from .id_lookup import wrong_id

RESTART = "restartProgress"
"""An order to the platform, not a property (O10)."""
_VIDEO_SOURCES = ("videoUrl", "videoAsset", "assetType")


def change_child(level: Level, platform: Platform, entry: Doc) -> list[str]:
    """Change the section, lesson or topic with the entry's id; what a topic cannot change, as its
    type, has no rule (O11)."""
    held = _find_child(platform, entry["id"], level, "id")
    if level is Level.TOPIC:
        type_ = held.doc["type"]
        entry = topic_fields.ease_entry(platform, entry, topic_fields.UPDATE_RULES, type_=type_)
        if entry.get("type") == held.doc["type"]:
            entry = drop_fields(entry, "type")
    rules = rules_of(level, held.doc)
    fields = changed_entry(platform, drop_fields(entry, "id"), rules, ("title", "openType"))
    if level is Level.TOPIC:
        _change_topic(platform, held.doc, fields)
        held.doc["updatedAt"] = platform.clock.format_now()
    position = fields.pop("position", None)
    put_fields(held.doc, drop_fields(fields, RESTART))
    _move_child(platform, held.siblings, held.doc, position)
    keep_changed_part(platform, held.course)
    return [fields[name] for name in topic_fields.QUEUED_URLS if fields.get(name)]


def rules_of(level: Level, doc: Doc) -> dict[str, Rule]:
    """What can be changed of a section, lesson or topic by itself."""
    if level is Level.SECTION:
        return drop_fields(topic_fields.SECTION_RULES, "lessons")
    if level is Level.LESSON:
        return drop_fields(topic_fields.LESSON_RULES, "topics")
    return drop_fields(topic_fields.UPDATE_RULES[doc["type"]], "type")


def _change_topic(platform: Platform, topic: Doc, fields: Doc) -> None:
    """A new video takes the place of the old one; its fields must go together."""
    if topic["type"] != TopicType.VIDEO or not any(fields.get(name) for name in _VIDEO_SOURCES):
        if topic["type"] == TopicType.VIDEO:
            topic_fields.require_video(platform, fields)
        return
    if fields.get("assetType") and not fields.get("videoAsset") and not fields.get("videoUrl"):
        fields = {**fields, "videoAsset": topic.get("videoAsset")}
    topic_fields.require_video(platform, fields)
    for name in _VIDEO_SOURCES:
        if not (name == "videoAsset" and fields.get("assetType")):
            topic.pop(name, None)


def add_section(platform: Platform, entry: Doc) -> list[str]:
    """A new section at the end of a course (O3, O7)."""
    rules = {"courseId": check_uuid, **drop_fields(topic_fields.SECTION_RULES, "lessons")}
    fields = new_entry(platform, drop_fields(entry, "id"), rules, ("courseId", "title"))
    id_ = fields.pop("courseId")
    course = platform.courses.find_by_id(id_)
    if course is None:
        raise Wrong(f'no course has the id "{id_}"', "courseId")
    builder = Builder.for_course(platform, course)
    section = {"id": builder.new_id(Level.SECTION), "lessons": []}
    with at("courseId"):
        _keep_child(builder, course, course["sections"], doc=section, fields=fields)
    return []


def add_lesson(platform: Platform, entry: Doc) -> list[str]:
    """A new lesson at the end of a section."""
    rules = {"sectionId": check_uuid, **drop_fields(topic_fields.LESSON_RULES, "topics")}
    fields = new_entry(platform, drop_fields(entry, "id"), rules, ("sectionId", "title"))
    held = _find_child(platform, fields.pop("sectionId"), Level.SECTION, "sectionId")
    builder = Builder.for_course(platform, held.course)
    lesson = {"id": builder.new_id(Level.LESSON), "openType": OpenType.STUDENTS_ONLY, "topics": []}
    with at("sectionId"):
        _keep_child(builder, held.course, held.doc["lessons"], doc=lesson, fields=fields)
    return []


def add_topic(platform: Platform, entry: Doc) -> list[str]:
    """A new topic at the end of a lesson, with the content that its type can hold."""
    entry = topic_fields.ease_entry(platform, drop_fields(entry, "id"), topic_fields.UPDATE_RULES)
    kind = entry.get("type")
    known = topic_fields.UPDATE_RULES.get(kind) if isinstance(kind, str) else None
    rules = {"lessonId": check_uuid, **(known or topic_fields.TOPIC_RULES)}
    fields = new_entry(platform, entry, rules, ("lessonId", "title", "type"))
    held = _find_child(platform, fields.pop("lessonId"), Level.LESSON, "lessonId")
    builder = Builder.for_course(platform, held.course)
    sent = {"position": fields.pop("position", None)}
    topic = builder.made_topic(fields)
    with at("lessonId"):
        _keep_child(builder, held.course, held.doc["topics"], doc=topic, fields=sent)
    return builder.urls


def _keep_child(
    builder: Builder, course: Doc, siblings: list[Doc], *, doc: Doc, fields: Doc
) -> None:
    """Append a new child, then move it where its `position` says. Raises Wrong where it is full."""
    platform = builder.platform
    require_room(platform, len(siblings) + 1)
    position = fields.pop("position", None)
    siblings.append(doc)
    doc.update(fields)
    _move_child(platform, siblings, doc, position)
    course["lastNumber"] = builder.last_number
    keep_changed_part(platform, course)


def _move_child(platform: Platform, siblings: list[Doc], doc: Doc, position: int | None) -> None:
    if position is not None and platform.switches.positions == "followed":
        move_sibling(siblings, doc, position)


def _find_child(platform: Platform, value: Any, level: Level, field: str) -> Held:
    with at(field):
        id_ = check_uuid(value)
    held = platform.courses.find_part(id_, level)
    if held is None:
        raise wrong_id(platform, id_, level, field)
    return held
