"""Reads of course groups, whole contents, and their parts by id (O45; `topic.list`: spec 4, O24).

Groups have a ribbon and never tags (O26, O46). Whole contents are the structure of a course (O22,
O23, O25), a course with every body (O28), and a learning path with its milestones (O50). Of what
O45 names the sandbox does not keep the slug of a part, which is made of its title, and its status,
which is that of its session.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...vocabulary.enums import CourseKind, RefusedKind, SessionStatus
from ...vocabulary.normalisers import derive_slug
from ..data.course_tables import CoursePart, list_children
from ..data.object_documents import Level
from ..http_messages import Answer, bad_request, not_found
from ..people.license_effects import Reach
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from ..value_checks import quote_value
from .course_fields import GROUP_RULES, SESSION_RULES
from .criteria_routes import show_criterion
from .id_lookup import course_of_path, group_of_path, part_of_path, refuse_wrong_kind
from .list_pages import (
    PAGE_DEFAULT,
    PAGE_MOST,
    decode_cursor,
    encode_cursor,
    page_by_number,
    read_number,
    require_choice,
    wrap_list,
)


def section_view(doc: Doc, *, course: Doc) -> Doc:
    """A section as an answer shows it, with its lessons, which one client reads there."""
    return {
        "id": doc["id"],
        "title": doc["title"],
        "slug": derive_slug(doc["title"]),
        "status": course["status"],
        "releaseAt": doc.get("releaseDate"),
        "parentSectionId": None,
        "lessonCount": len(doc["lessons"]),
        "lessons": [lesson_view(one, section=doc) for one in doc["lessons"]],
    }


def lesson_view(doc: Doc, *, section: Doc) -> Doc:
    return {
        "id": doc["id"],
        "title": doc["title"],
        "slug": derive_slug(doc["title"]),
        "accessLevel": doc["openType"],
        "sectionId": section["id"],
        "sectionTitle": section["title"],
        "topicCount": len(doc["topics"]),
    }


LISTED = ("id", "title", "type", "preTextBlock", "postTextBlock", "updatedAt")
NAMED = 8
"""Topics that a cursor names: so many may be deleted at its border before a walk begins anew."""


def list_lesson_topics(platform: Platform, call: Call) -> Answer:
    """By cursor; it names topics that were seen, since order is the array's own."""
    part = platform.courses.find_part(call.path["lessonId"], Level.LESSON)
    if part is None:
        raise not_found("lesson", call.path["lessonId"])
    lesson, topics = part.doc, part.doc["topics"]
    size = read_number(call, "perPage", default=PAGE_DEFAULT, most=PAGE_MOST)
    start = _page_start(call.last_value("cursor"), lesson)
    end = start + size
    more = end < len(topics)
    # Several, since the last topic of a page may be deleted before the next page is asked for.
    seen = [topic["id"] for topic in topics[max(end - NAMED, 0) : end]]
    cursor = encode_cursor([lesson["id"], *seen]) if more else None
    shown = [pick_fields(topic, LISTED) for topic in topics]
    info = {"total": len(topics), "cursor": cursor, "hasMore": more}
    return wrap_list(platform, "topics", shown[start:end], info=info, whole=shown)


def _page_start(cursor: str | None, lesson: Doc) -> int:
    """After the last topic of the cursor that is still there. Where all are gone it begins anew:
    better twice than never."""
    if not cursor:
        return 0
    of_lesson, *seen = decode_cursor(cursor) or [None]
    if of_lesson != lesson["id"]:
        raise bad_request("cursor: it is not a cursor of this list")
    seen_until = [index for index, topic in enumerate(lesson["topics"], 1) if topic["id"] in seen]
    return max(seen_until, default=0)


def list_sections(platform: Platform, call: Call) -> Answer:
    """The sections of a course, in their order; a group's id means its first session (O30)."""
    course = course_of_path(platform, call)
    items = [section_view(section, course=course) for section in course["sections"]]
    return page_by_number(platform, call, "sections", items=items, cursors=True, whole=True)


def list_lessons(platform: Platform, call: Call) -> Answer:
    """The lessons of a course, in their order; a group's id means its first session (O30)."""
    lessons = list_children(course_of_path(platform, call), Level.LESSON)
    items = [lesson_view(lesson, section=section) for section, lesson in lessons]
    return page_by_number(platform, call, "lessons", items=items, cursors=True, whole=True)


def list_section_lessons(platform: Platform, call: Call) -> Answer:
    """The lessons of a section, in their order."""
    section = part_of_path(platform, call, Level.SECTION).doc
    items = [lesson_view(lesson, section=section) for lesson in section["lessons"]]
    return page_by_number(platform, call, "lessons", items=items, cursors=True, whole=True)


def read_section(platform: Platform, call: Call) -> Answer:
    """One section, with its course."""
    part = part_of_path(platform, call, Level.SECTION)
    return Answer({**section_view(part.doc, course=part.course), **_course_of(part)})


def read_lesson(platform: Platform, call: Call) -> Answer:
    """One lesson, with its course and an outline of its topics."""
    part = part_of_path(platform, call, Level.LESSON)
    outline = [pick_fields(topic, ("id", "title", "type")) for topic in part.doc["topics"]]
    view = {**lesson_view(part.doc, section=part.parent), "topicOutline": outline}
    return Answer({**view, **_course_of(part)})


def read_topic(platform: Platform, call: Call) -> Answer:
    """One topic, with its lesson and its course, and without its body (O24, O28)."""
    part = part_of_path(platform, call, Level.TOPIC)
    lesson = {"lessonId": part.parent["id"], "lessonTitle": part.parent["title"]}
    return Answer({**pick_fields(part.doc, LISTED), **lesson, **_course_of(part)})


def _course_of(part: CoursePart) -> Doc:
    return {"courseId": part.course["id"], "courseTitle": part.course["title"]}


GROUP_SHOWN = (
    "id", "title", "slug", "kind", *(name for name in GROUP_RULES if name != "tagIds"),
    "createdAt", "updatedAt",
)  # fmt: skip
DERIVED = ("archived", "displayCourseId", "status", "isTemplate", "language", "courseCount")
"""What is shown of a group besides its fields (O26, O46)."""
SEATS = "enrollmentLimit"
"""Read under the name `seatsLimit` (O23)."""
SESSION_SHOWN = (
    "id", "courseGroupId", "title", "kind", *(name for name in SESSION_RULES if name != SEATS),
    "createdAt", "updatedAt",
)  # fmt: skip
KINDS = (*CourseKind, *RefusedKind)


def list_groups(platform: Platform, call: Call) -> Answer:
    """By page or by cursor, oldest first; `kind` and `archived` filter where they are given."""
    kind, archived = call.last_value("kind"), _read_archived(call)
    if kind is not None:
        require_choice("kind", kind, KINDS)
    groups = [
        group
        for group in platform.groups.list_documents()
        if not group.get("deleted")
        and kind in (None, group["kind"])
        and (archived is None or archived == _is_archived(sessions_of(platform, group)))
    ]
    show = partial(show_group, platform)
    return page_by_number(platform, call, "courseGroups", items=groups, show=show, cursors=True)


def read_group(platform: Platform, call: Call) -> Answer:
    return Answer(show_group(platform, group_of_path(platform, call)))


def read_group_by_slug(platform: Platform, call: Call) -> Answer:
    """A slug is compared exactly."""
    group = find_group_by_slug(platform, call.path["slug"])
    if group is None:
        raise not_found(Level.GROUP.level_word, call.path["slug"])
    return Answer(show_group(platform, group))


def find_group_by_slug(platform: Platform, slug: str) -> Doc | None:
    serial = platform.groups.find_value_holder(slug)
    group = platform.groups.get_by_serial(serial) if serial is not None else None
    # The index has the newest slug; where reads lag, the version that is shown may have another.
    return group if group is not None and group["slug"] == slug else None


def list_group_courses(platform: Platform, call: Call) -> Answer:
    """The sessions of a group, by page or by cursor, oldest first."""
    sessions = sessions_of(platform, group_of_path(platform, call))
    return page_by_number(
        platform, call, "courses", items=sessions, show=show_session, cursors=True
    )


def read_display_course(platform: Platform, call: Call) -> Answer:
    """The session that the tile leads to: the first published one, else the first."""
    course = shown_session(sessions_of(platform, group_of_path(platform, call)))
    if course is None:
        raise not_found("course", call.path["id"])
    return Answer(show_session(course))


def sessions_of(platform: Platform, group: Doc) -> list[Doc]:
    return platform.courses.list_sessions(group["id"])


def shown_session(sessions: list[Doc]) -> Doc | None:
    published = (one for one in sessions if one["status"] == SessionStatus.PUBLISHED)
    return next(published, sessions[0] if sessions else None)


def show_group(platform: Platform, group: Doc) -> Doc:
    """`status` is that of the displayed session; only a seed can say what is a template."""
    sessions = sessions_of(platform, group)
    displayed = shown_session(sessions)
    return {
        **{name: group.get(name) for name in GROUP_SHOWN},
        "archived": _is_archived(sessions),
        "displayCourseId": displayed["id"] if displayed else None,
        "status": displayed["status"] if displayed else None,
        "isTemplate": bool(group.get("isTemplate")),
        "language": group.get("language"),
        "courseCount": len(sessions),
    }


def show_session(course: Doc) -> Doc:
    return {**{name: course.get(name) for name in SESSION_SHOWN}, "seatsLimit": course.get(SEATS)}


def _is_archived(sessions: list[Doc]) -> bool:
    """True if no session is left that is not archived."""
    return all(one["status"] == SessionStatus.ARCHIVED for one in sessions)


def _read_archived(call: Call) -> bool | None:
    given = call.last_value("archived")
    if given not in (None, "true", "false"):
        raise bad_request(
            f"archived: {quote_value(given)} is not allowed; it must be true or false"
        )
    return None if given is None else given == "true"


def read_course(platform: Platform, call: Call) -> Answer:
    """A course by its id, or the first session of a group by the group's (O30).

    A session that a person deleted is still shown, as `deleted` (O38). `course.structure` has
    the same answer (O22).
    """
    course = course_of_path(platform, call, deleted=True)
    return Answer(show_structure(course, sku=platform.switches.skuOnRead))


def show_structure(course: Doc, *, sku: bool = True) -> Doc:
    """The shape of O22; its `sku` is not shown everywhere."""
    shape = pick_fields(course, ("id", "courseGroupId", "title", "status"))
    if sku and course.get("sku") is not None:
        shape["sku"] = course["sku"]
    shape["sections"] = [_show_section(section) for section in course["sections"]]
    shape["completionCriteria"] = [
        show_criterion(criterion, course=course["id"]) for criterion in course["criteria"]
    ]
    return shape


def _show_section(section: Doc) -> Doc:
    return {
        "id": section["id"],
        "title": section["title"],
        "releaseAt": section.get("releaseDate"),
        "lessons": [_show_lesson(lesson) for lesson in section["lessons"]],
    }


def _show_lesson(lesson: Doc) -> Doc:
    return {
        "id": lesson["id"],
        "title": lesson["title"],
        "accessLevel": lesson["openType"],
        "topics": [
            pick_fields(topic, ("id", "title", "type", "updatedAt")) for topic in lesson["topics"]
        ],
    }


NUMBERED = {
    "sections": "section",
    "lessons": "lesson",
    "topics": "topic",
    "languages": "language",
    "milestones": "milestone",
    "milestoneCourses": "milestoneCourses",
}
"""Lists whose items are numbered in dotted keys, and the word before the number (O28, O50)."""
READ_NAMES = {"releaseDate": "releaseAt", "openType": "accessLevel"}
"""O23."""


def read_full_course(platform: Platform, call: Call) -> Answer:
    """In the form of the switch `fullContent`; a group's id means its first session."""
    course = course_of_path(platform, call)
    whole = {**show_session(course), "sections": _rename_for_reads(course["sections"])}
    return Answer(shape_full_content(platform, whole))


def shape_full_content(platform: Platform, whole: Doc) -> Doc:
    """In the form of the switch `fullContent`."""
    return dict(_flatten_keys(whole, "")) if platform.switches.fullContent == "flat" else whole


def _rename_for_reads(value: Any) -> Any:
    if isinstance(value, list):
        return [_rename_for_reads(item) for item in value]
    if isinstance(value, dict):
        return {READ_NAMES.get(name, name): _rename_for_reads(item) for name, item in value.items()}
    return value


def _flatten_keys(doc: Doc, place: str) -> Iterator[tuple[str, Any]]:
    for name, value in doc.items():
        if name in NUMBERED and isinstance(value, list):
            for number, item in enumerate(value):
                yield from _flatten_keys(item, f"{place}{NUMBERED[name]}.{number}.")
        else:
            yield place + name, value


def read_learning_path(platform: Platform, call: Call) -> Answer:
    """In the form of the switch `fullContent`. One milestone, named as the path is, holds the
    courses of a path: the sandbox keeps no others."""
    path = platform.objects.get_object("learningPaths", call.path["id"])
    if path is None:
        raise refuse_wrong_kind(platform, call.path["id"], meant="learning path")
    whole = {
        **pick_fields(path, ("id", "title", "slug", "sku")),
        "milestones": [{"name": path["title"], "milestoneCourses": _path_courses(platform, path)}],
    }
    return Answer(shape_full_content(platform, whole))


def _path_courses(platform: Platform, path: Doc) -> list[Doc]:
    ids, names = (
        Reach(platform).path_courses(path["id"]),
        ("id", "courseGroupId", "title", "status"),
    )
    courses = map(platform.courses.find_course_of, ids)
    return [{name: course[name] for name in names} for course in courses if course]
