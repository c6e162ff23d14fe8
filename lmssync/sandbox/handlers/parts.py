"""Sections, lessons and topics as the extended profile reads them: listed, and by id (O45)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..call import Call
from ..data.courses import children
from ..data.ids import Level
from ..http import Answer
from ..platform import Platform
from . import mistaken_id, part_view
from .course_read import course_of
from .paging import MANY_MOST, by_page

Doc = dict[str, Any]


class Held(NamedTuple):
    """A part, what it stands in, and the course around both."""

    course: Doc
    parent: Doc
    doc: Doc


def sections(platform: Platform, call: Call) -> Answer:
    """The sections of a course, in their order; a group's id stands for its first session (O30)."""
    course = course_of(platform, call.path["id"])
    if course is None:
        return mistaken_id.refused(platform, call.path["id"], meant=Level.COURSE.word)
    shown = [part_view.section(section, course=course) for section in course["sections"]]
    return _listed(platform, call, "sections", shown)


def lessons_of_course(platform: Platform, call: Call) -> Answer:
    """The lessons of a course, in their order; a group's id stands for its first session (O30)."""
    course = course_of(platform, call.path["id"])
    if course is None:
        return mistaken_id.refused(platform, call.path["id"], meant=Level.COURSE.word)
    shown = [
        part_view.lesson(one, section=around) for around, one in children(course, Level.LESSON)
    ]
    return _listed(platform, call, "lessons", shown)


def lessons_of_section(platform: Platform, call: Call) -> Answer:
    """The lessons of a section, in their order."""
    held = _held(platform, call, Level.SECTION)
    if isinstance(held, Answer):
        return held
    shown = [part_view.lesson(one, section=held.doc) for one in held.doc["lessons"]]
    return _listed(platform, call, "lessons", shown)


def section(platform: Platform, call: Call) -> Answer:
    """One section, with its course."""
    return _one(platform, call, Level.SECTION)


def lesson(platform: Platform, call: Call) -> Answer:
    """One lesson, with its course and an outline of its topics."""
    return _one(platform, call, Level.LESSON)


def topic(platform: Platform, call: Call) -> Answer:
    """One topic, with its lesson and its course, and without its body (O24, O28)."""
    return _one(platform, call, Level.TOPIC)


def _one(platform: Platform, call: Call, level: Level) -> Answer:
    held = _held(platform, call, level)
    if isinstance(held, Answer):
        return held
    return Answer({**_VIEWS[level](held), **part_view.course_of_part(held.course)})


_VIEWS: Mapping[Level, Callable[[Held], Doc]] = {
    Level.SECTION: lambda held: part_view.section(held.doc, course=held.course),
    Level.LESSON: lambda held: {
        **part_view.lesson(held.doc, section=held.parent),
        "topicOutline": part_view.outline(held.doc),
    },
    Level.TOPIC: lambda held: part_view.topic(held.doc, lesson=held.parent),
}


def _listed(platform: Platform, call: Call, key: str, shown: Sequence[Doc]) -> Answer:
    """By page or by cursor, as groups are listed (O47)."""
    return by_page(platform, call, key, items=shown, most=MANY_MOST, cursors=True)


def _held(platform: Platform, call: Call, level: Level) -> Held | Answer:
    """The part of a level with the id of the path, or the answer that it is none."""
    id_ = call.path["id"].lower()
    found = platform.courses.locate(id_)
    course = platform.courses.get(found.serial) if found and found.level is level else None
    for parent, doc in children(course, level) if course else ():
        if doc["id"] == id_ and course:
            return Held(course, parent, doc)
    return mistaken_id.refused(platform, call.path["id"], meant=level.word)
