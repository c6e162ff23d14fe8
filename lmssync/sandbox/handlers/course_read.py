"""Whole contents: the structure of a course (O22, O23, O25), a course with every body (O28), a
learning path with its milestones (O50).
"""

from collections.abc import Iterator
from typing import Any

from ..http_exchange import Answer
from ..people.license_effects import Reach
from ..sandbox_documents import Doc, pick_fields
from ..sandbox_platform import Call, Platform
from .criteria_read import show_criterion
from .groups import session_as_wire
from .lookup import course_of_path, refuse_wrong_kind


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
    """In the form of the switch `fullContent`; a group's id stands for its first session."""
    course = course_of_path(platform, call)
    whole = {**session_as_wire(course), "sections": _rename_for_reads(course["sections"])}
    return Answer(shape_full_content(platform, whole))


def shape_full_content(platform: Platform, whole: Doc) -> Doc:
    """In the form of the switch `fullContent`."""
    return dict(_flatten_keys(whole, "")) if platform.switches.fullContent == "flat" else whole


def _rename_for_reads(value: Any) -> Any:
    if isinstance(value, list):
        return [_rename_for_reads(item) for item in value]
    if isinstance(value, dict):
        return {READ_NAMES.get(name, name): _rename_for_reads(held) for name, held in value.items()}
    return value


def _flatten_keys(doc: Doc, place: str) -> Iterator[tuple[str, Any]]:
    for name, value in doc.items():
        if name in NUMBERED and isinstance(value, list):
            for number, item in enumerate(value):
                yield from _flatten_keys(item, f"{place}{NUMBERED[name]}.{number}.")
        else:
            yield place + name, value


def learning_path(platform: Platform, call: Call) -> Answer:
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
    courses = (platform.courses.by_id(id_) for id_ in Reach(platform).path_courses(path["id"]))
    return [
        {name: course[name] for name in ("id", "courseGroupId", "title", "status")}
        for course in courses
        if course
    ]
