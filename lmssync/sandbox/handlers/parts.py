"""Sections, lessons and topics as the extended profile reads them: listed, and by id (O45)."""

from collections.abc import Callable, Mapping, Sequence

from ..call import Call
from ..data.courses import Held, children
from ..data.ids import Level
from ..documents import Doc
from ..http import Answer
from ..platform import Platform
from . import part_view
from .lookup import course_of_path, part_of_path
from .paging import MANY_MOST, by_page


def sections(platform: Platform, call: Call) -> Answer:
    """The sections of a course, in their order; a group's id stands for its first session (O30)."""
    course = course_of_path(platform, call)
    shown = [part_view.section(section, course=course) for section in course["sections"]]
    return _listed(platform, call, "sections", shown)


def lessons_of_course(platform: Platform, call: Call) -> Answer:
    """The lessons of a course, in their order; a group's id stands for its first session (O30)."""
    lessons = children(course_of_path(platform, call), Level.LESSON)
    shown = [part_view.lesson(lesson, section=section) for section, lesson in lessons]
    return _listed(platform, call, "lessons", shown)


def lessons_of_section(platform: Platform, call: Call) -> Answer:
    """The lessons of a section, in their order."""
    section = part_of_path(platform, call, Level.SECTION).doc
    shown = [part_view.lesson(lesson, section=section) for lesson in section["lessons"]]
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
    held = part_of_path(platform, call, level)
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
