"""`course.update`: entries of five levels, changed or added to their parents (O1 to O14).

Updates are partial, and null clears (O2). Entries of course groups and sessions come first (O8),
then those of sections, lessons and topics (O3, O7, O9).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ...vocabulary import limits
from ...vocabulary.enums import CourseKind, OpenType, SessionStatus, TopicType
from ...vocabulary.routes import NO_ITEMS, PROCESSING_ERROR
from .. import value_checks
from ..data.course_tables import TAKEN, CoursePart
from ..data.object_documents import Level
from ..http_messages import Answer, Refusal, bad_request
from ..sandbox_documents import Doc, drop_fields, put_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import (
    InvalidValue,
    Rule,
    check_uuid,
    drop_nulls,
    error_path,
    quote_value,
    require_fields,
)
from . import course_create, course_fields
from .course_create import Builder, keep_changed_part, move_sibling, require_room
from .course_fields import changed_entry, new_entry
from .id_lookup import wrong_id

RESTART = "restartProgress"
"""An order to the platform, not a property (O10)."""
_VIDEO_SOURCES = ("videoUrl", "videoAsset", "assetType")


def change_child(level: Level, platform: Platform, entry: Doc) -> list[str]:
    """Change the section, lesson or topic with the entry's id; what a topic cannot change, as its
    type, has no rule (O11)."""
    part = _find_child(platform, entry["id"], level, "id")
    if level is Level.TOPIC:
        type_ = part.doc["type"]
        entry = course_fields.ease_entry(
            platform, entry, course_fields.TOPIC_UPDATE_RULES, type_=type_
        )
        if entry.get("type") == part.doc["type"]:
            entry = drop_fields(entry, "type")
    rules = rules_of(level, part.doc)
    fields = changed_entry(platform, drop_fields(entry, "id"), rules, ("title", "openType"))
    if level is Level.TOPIC:
        _change_topic(platform, part.doc, fields)
        part.doc["updatedAt"] = platform.clock.format_now()
    position = fields.pop("position", None)
    put_fields(part.doc, drop_fields(fields, RESTART))
    _move_child(platform, part.siblings, part.doc, position)
    keep_changed_part(platform, part.course)
    return [fields[name] for name in course_fields.QUEUED_URLS if fields.get(name)]


def rules_of(level: Level, doc: Doc) -> dict[str, Rule]:
    """What can be changed of a section, lesson or topic by itself."""
    if level is Level.SECTION:
        return drop_fields(course_fields.SECTION_RULES, "lessons")
    if level is Level.LESSON:
        return drop_fields(course_fields.LESSON_RULES, "topics")
    return drop_fields(course_fields.TOPIC_UPDATE_RULES[doc["type"]], "type")


def _change_topic(platform: Platform, topic: Doc, fields: Doc) -> None:
    """A new video takes the place of the old one; its fields must go together."""
    if topic["type"] != TopicType.VIDEO:
        return
    has_source = any(fields.get(name) for name in _VIDEO_SOURCES)
    if fields.get("assetType") and not fields.get("videoAsset") and not fields.get("videoUrl"):
        fields = {**fields, "videoAsset": topic.get("videoAsset")}
    course_fields.require_video(platform, fields)
    for name in _VIDEO_SOURCES if has_source else ():
        if not (name == "videoAsset" and fields.get("assetType")):
            topic.pop(name, None)


def add_section(platform: Platform, entry: Doc) -> list[str]:
    """A new section at the end of a course (O3, O7)."""
    rules = {"courseId": check_uuid, **drop_fields(course_fields.SECTION_RULES, "lessons")}
    fields = new_entry(platform, drop_fields(entry, "id"), rules, ("courseId", "title"))
    course = platform.courses.find_by_id(id_ := fields.pop("courseId"))
    if course is None:
        raise InvalidValue(f'no course has the id "{id_}"', "courseId")
    builder = Builder.for_course(platform, course)
    section = {"id": builder.new_id(Level.SECTION), "lessons": []}
    with error_path("courseId"):
        _keep_child(builder, course, course["sections"], doc=section, fields=fields)
    return []


def add_lesson(platform: Platform, entry: Doc) -> list[str]:
    """A new lesson at the end of a section."""
    rules = {"sectionId": check_uuid, **drop_fields(course_fields.LESSON_RULES, "topics")}
    fields = new_entry(platform, drop_fields(entry, "id"), rules, ("sectionId", "title"))
    part = _find_child(platform, fields.pop("sectionId"), Level.SECTION, "sectionId")
    builder = Builder.for_course(platform, part.course)
    lesson = {"id": builder.new_id(Level.LESSON), "openType": OpenType.STUDENTS_ONLY, "topics": []}
    with error_path("sectionId"):
        _keep_child(builder, part.course, part.doc["lessons"], doc=lesson, fields=fields)
    return []


def add_topic(platform: Platform, entry: Doc) -> list[str]:
    """A new topic at the end of a lesson, with the content that its type can hold."""
    entry = course_fields.ease_entry(
        platform, drop_fields(entry, "id"), course_fields.TOPIC_UPDATE_RULES
    )
    kind = entry.get("type")
    known = course_fields.TOPIC_UPDATE_RULES.get(kind) if isinstance(kind, str) else None
    rules = {"lessonId": check_uuid, **(known or course_fields.TOPIC_RULES)}
    fields = new_entry(platform, entry, rules, ("lessonId", "title", "type"))
    part = _find_child(platform, fields.pop("lessonId"), Level.LESSON, "lessonId")
    builder = Builder.for_course(platform, part.course)
    sent = {"position": fields.pop("position", None)}
    topic = builder.make_topic(fields)
    with error_path("lessonId"):
        _keep_child(builder, part.course, part.doc["topics"], doc=topic, fields=sent)
    return builder.urls


def _keep_child(
    builder: Builder, course: Doc, siblings: list[Doc], *, doc: Doc, fields: Doc
) -> None:
    """Append a child, then move it to its `position`; raises InvalidValue where it is full."""
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


def _find_child(platform: Platform, value: Any, level: Level, field: str) -> CoursePart:
    with error_path(field):
        id_ = check_uuid(value)
    part = platform.courses.find_part(id_, level)
    if part is None:
        raise wrong_id(platform, id_, level, field)
    return part


_SLUG = value_checks.text_up_to(limits.SLUG, least=1)
UPDATE_GROUP_RULES: dict[str, Rule] = {
    "id": check_uuid,
    "title": value_checks.check_title,
    "slug": _SLUG,
    **drop_fields(course_fields.GROUP_RULES, "source"),
}
_SESSION_RULES = {"title": value_checks.check_title, **course_fields.SESSION_RULES}
UPDATE_SESSION_RULES: dict[str, Rule] = {"id": check_uuid, **_SESSION_RULES}
NEW_SESSION_RULES: dict[str, Rule] = {"courseGroupId": check_uuid, **_SESSION_RULES}
_FIXED = {"source": "cannot be changed after creation", "articleVariant": "is set at creation only"}
_NEVER_NULL = ("title", "slug")


class Unnamed(InvalidValue):
    """Wrong in a way for which the platform has only its general words (O14)."""


def change_group(platform: Platform, entry: Doc) -> list[str]:
    """Change a course group; an entry may also bring `source`, which is refused (O8)."""
    for name, why in _FIXED.items():
        if name in entry:
            raise InvalidValue(why, name)
    fields = course_fields.changed_entry(platform, entry, UPDATE_GROUP_RULES, _NEVER_NULL)
    group = _find_group(platform, fields.pop("id"), "id")
    if fields.get("ribbon") is not None:
        platform.read_company().require_ribbon(fields["ribbon"])
    _require_references(course_fields.require_group_references, platform, fields)
    _apply_fields(platform, group, fields, custom="customFields")
    if group.get("asset") is not None:
        group.setdefault("assetAltText", "")
    try:
        platform.groups.change_document(group)
    except TAKEN:
        raise InvalidValue(f"{quote_value(group['slug'])} is already used", "slug") from None
    return [fields[name] for name in ("asset", "detailAsset") if fields.get(name)]


def change_session(platform: Platform, entry: Doc) -> list[str]:
    """Change a session; its status moves through futurePublishDate only (O39)."""
    fields = course_fields.changed_entry(platform, entry, UPDATE_SESSION_RULES, _NEVER_NULL)
    if "status" in fields and not platform.switches.statusOnUpdate:
        raise InvalidValue("cannot be set by an update", "status")
    id_ = fields.pop("id")
    course = platform.courses.find_by_id(id_)
    if course is None:
        raise wrong_id(platform, id_, Level.COURSE, "id")
    _require_references(course_fields.require_session_references, platform, fields)
    course_fields.require_free_sku(platform, fields.get("sku"), own=course)
    _apply_fields(platform, course, fields, custom="sessionCustomFields")
    _schedule_publishing(course, fields)
    platform.courses.change_document(course)
    return []


def add_session(platform: Platform, entry: Doc) -> list[str]:
    """A new session of an existing group (O3); its tree is added by later updates."""
    fields = drop_nulls(changed_entry(platform, entry, NEW_SESSION_RULES, _NEVER_NULL))
    require_fields(fields, ("courseGroupId", "title"))
    group = _find_group(platform, fields["courseGroupId"], "courseGroupId")
    _require_references(course_fields.require_session_references, platform, fields)
    course_fields.require_free_sku(platform, fields.get("sku"))
    kind, courses = CourseKind.COURSE_GROUP, platform.courses
    course = course_create.make_session(platform, fields, kind=kind, group=group["id"])
    builder = Builder(platform, courses.new_serial())
    course = course_create.make_course(builder, course, [])
    courses.add_course(builder.serial, course, group=courses.serial_of(group))
    return []


def _find_group(platform: Platform, id_: str, field: str) -> Doc:
    group = platform.groups.find_by_id(id_)
    if group is None:
        raise wrong_id(platform, id_, Level.GROUP, field)
    return group


def _require_references(require: Callable[..., None], platform: Platform, fields: Doc) -> None:
    """Unknown tags, custom fields and prerequisites are refused in general words (O14)."""
    try:
        require(platform, platform.read_company(), fields)
    except InvalidValue as wrong:
        raise Unnamed(str(wrong)) from None


def _apply_fields(platform: Platform, doc: Doc, fields: Doc, *, custom: str) -> None:
    """Set what was sent; null gives a field its default back or takes it away (O2)."""
    if platform.switches.customFields == "merge" and fields.get(custom) is not None:
        fields = {**fields, custom: {**doc.get(custom, {}), **fields[custom]}}
    defaults = {**course_fields.SESSION_DEFAULTS, "status": doc.get("status")}
    put_fields(doc, fields, defaults=defaults)


def _schedule_publishing(course: Doc, fields: Doc) -> None:
    """A date makes a draft pending, its removal makes it a draft again; nothing unpublishes."""
    if "futurePublishDate" not in fields:
        return
    if fields["futurePublishDate"] is None:
        if course["status"] == SessionStatus.PENDING:
            course["status"] = SessionStatus.DRAFT
    elif course["status"] in (SessionStatus.DRAFT, SessionStatus.PENDING):
        course["status"] = SessionStatus.PENDING
    else:
        raise InvalidValue(f"the session is already {course['status']}", "futurePublishDate")


Change = Callable[[Platform, Doc], list[str]]
"""Checks and keeps one entry; the addresses that a job must fetch. Raises InvalidValue."""

LISTS: dict[str, tuple[Change, Change | None]] = {
    "courseGroups": (change_group, None),
    "courses": (change_session, add_session),
    "sections": (partial(change_child, Level.SECTION), add_section),
    "lessons": (partial(change_child, Level.LESSON), add_lesson),
    "topics": (partial(change_child, Level.TOPIC), add_topic),
}
"""The lists of the wrapper in the order of work, with what an entry with an id and one without
it does; a course group is only made by course create."""


def update_courses(platform: Platform, call: Call) -> Answer:
    """All entries or none, unless the switch `batchAtomic` is off (O16)."""
    urls: list[str] = []
    for name, index, value in _read_entries(call.body):
        try:
            with error_path("courseAttributes", name, index):
                urls += _change_one(platform, name, value)
        except Unnamed:
            # The platform does not say which entry it means (O14).
            raise Refusal(400, PROCESSING_ERROR, kept=not platform.switches.batchAtomic) from None
        except InvalidValue as wrong:
            raise Refusal(400, str(wrong), kept=not platform.switches.batchAtomic) from None
    return Answer(course_create.queue_media_job(platform, urls))


def _read_entries(body: Doc) -> list[tuple[str, int, Any]]:
    """Every entry with its list and index, after the checks of the wrapper (O1, O5)."""
    wrapper = body.get("courseAttributes")
    if isinstance(wrapper, list):
        raise bad_request("courseAttributes: is a list; update takes an object of lists")
    if not isinstance(wrapper, dict):
        raise bad_request(
            f"courseAttributes: is {quote_value(wrapper)}; it must be an object of lists"
        )
    for name, entries in wrapper.items():
        if name not in LISTS:
            known = ", ".join(LISTS)
            raise bad_request(f"courseAttributes.{name[:60]}: no such list; the lists are {known}")
        if entries is not None and not isinstance(entries, list):
            raise bad_request(
                f"courseAttributes.{name}: is {quote_value(entries)}; it must be a list"
            )
    # In the order of `LISTS`, whatever the order of the request: groups come before sessions (O8).
    lists = [(name, enumerate(wrapper.get(name) or [])) for name in LISTS]
    flat = [(name, index, entry) for name, entries in lists for index, entry in entries]
    if not flat:
        raise bad_request(NO_ITEMS)
    if len(flat) > limits.ENTRIES_PER_UPDATE:
        most = limits.ENTRIES_PER_UPDATE
        raise bad_request(f"courseAttributes: has {len(flat)} entries in all; the most is {most}")
    return flat


def _change_one(platform: Platform, name: str, value: Any) -> list[str]:
    entry = value_checks.json_object(value)
    change, add = LISTS[name]
    if entry.get("id") is not None:
        return change(platform, entry)
    if add is None:
        raise InvalidValue("is required", "id")
    return add(platform, entry)
