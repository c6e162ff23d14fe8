"""Sections, lessons and topics read: listed, and by id (O45); `topic.list` (spec 4, O24).

What O45 names and the sandbox does not keep is made of what it does: a slug of the title, the
status of a section of its session.
"""

from functools import partial

from lmssync.vocabulary.normalisers import derive_slug

from ..data.course_tables import Held, list_children
from ..data.document_ids import Level
from ..http_messages import Answer, bad_request, not_found
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from .id_lookup import course_of_path, part_of_path
from .list_pages import (
    PAGE_DEFAULT,
    PAGE_MOST,
    by_page,
    cursor_of,
    place_in,
    read_number,
    wrap_list,
)


def section_view(doc: Doc, *, course: Doc) -> Doc:
    """With its lessons, which one client reads there."""
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
    held = platform.courses.find_part(call.path["lessonId"], Level.LESSON)
    if held is None:
        raise not_found("lesson", call.path["lessonId"])
    lesson, topics = held.doc, held.doc["topics"]
    size = read_number(call, "perPage", default=PAGE_DEFAULT, most=PAGE_MOST)
    start = _page_start(call.last_value("cursor"), lesson)
    end = start + size
    more = end < len(topics)
    seen = [topic["id"] for topic in topics[max(end - NAMED, 0) : end]]
    info = {
        "total": len(topics),
        "cursor": cursor_of([lesson["id"], *seen]) if more else None,
        "hasMore": more,
    }
    show = partial(pick_fields, names=LISTED)
    page = map(show, topics[start:end])
    return wrap_list(platform, "topics", page, info=info, whole=map(show, topics))


def _page_start(cursor: str | None, lesson: Doc) -> int:
    """After the last topic of the cursor that is still there. Where all are gone it begins anew:
    better twice than never."""
    if not cursor:
        return 0
    of_lesson, *seen = place_in(cursor) or [None]
    if of_lesson != lesson["id"]:
        raise bad_request("cursor: it is not a cursor of this list")
    seen_until = [index for index, topic in enumerate(lesson["topics"], 1) if topic["id"] in seen]
    return max(seen_until, default=0)


def list_sections(platform: Platform, call: Call) -> Answer:
    """The sections of a course, in their order; a group's id stands for its first session (O30)."""
    course = course_of_path(platform, call)
    items = [section_view(section, course=course) for section in course["sections"]]
    return by_page(platform, call, "sections", items=items, cursors=True)


def list_lessons(platform: Platform, call: Call) -> Answer:
    """The lessons of a course, in their order; a group's id stands for its first session (O30)."""
    lessons = list_children(course_of_path(platform, call), Level.LESSON)
    items = [lesson_view(lesson, section=section) for section, lesson in lessons]
    return by_page(platform, call, "lessons", items=items, cursors=True)


def list_section_lessons(platform: Platform, call: Call) -> Answer:
    """The lessons of a section, in their order."""
    section = part_of_path(platform, call, Level.SECTION).doc
    items = [lesson_view(lesson, section=section) for lesson in section["lessons"]]
    return by_page(platform, call, "lessons", items=items, cursors=True)


def read_section(platform: Platform, call: Call) -> Answer:
    """One section, with its course."""
    held = part_of_path(platform, call, Level.SECTION)
    return Answer({**section_view(held.doc, course=held.course), **_course_of(held)})


def read_lesson(platform: Platform, call: Call) -> Answer:
    """One lesson, with its course and an outline of its topics."""
    held = part_of_path(platform, call, Level.LESSON)
    outline = [pick_fields(topic, ("id", "title", "type")) for topic in held.doc["topics"]]
    view = {**lesson_view(held.doc, section=held.parent), "topicOutline": outline}
    return Answer({**view, **_course_of(held)})


def read_topic(platform: Platform, call: Call) -> Answer:
    """One topic, with its lesson and its course, and without its body (O24, O28)."""
    held = part_of_path(platform, call, Level.TOPIC)
    lesson = {"lessonId": held.parent["id"], "lessonTitle": held.parent["title"]}
    return Answer({**pick_fields(held.doc, LISTED), **lesson, **_course_of(held)})


def _course_of(held: Held) -> Doc:
    return {"courseId": held.course["id"], "courseTitle": held.course["title"]}
