"""`course.read`: a course with its tree and its criteria, in the names of reads (O22, O23, O25)."""

from ..call import Call
from ..documents import Doc, picked
from ..http import Answer
from ..platform import Platform
from .criteria_read import view as criterion_view
from .lookup import course_of_path


def read(platform: Platform, call: Call) -> Answer:
    """A course by its id, or the first session of a group by the group's (O30).

    A session that a person deleted is still shown, as `deleted` (O38). `course.structure` has
    the same answer (O22).
    """
    course = course_of_path(platform, call, deleted=True)
    return Answer(structure(course, sku=platform.switches.skuOnRead))


def structure(course: Doc, *, sku: bool = True) -> Doc:
    """The shape of O22; its `sku` is not shown everywhere."""
    shape = picked(course, ("id", "courseGroupId", "title", "status"))
    if sku and course.get("sku") is not None:
        shape["sku"] = course["sku"]
    shape["sections"] = [_section(section) for section in course["sections"]]
    shape["completionCriteria"] = [
        criterion_view(criterion, course=course["id"]) for criterion in course["criteria"]
    ]
    return shape


def _section(section: Doc) -> Doc:
    return {
        "id": section["id"],
        "title": section["title"],
        "releaseAt": section.get("releaseDate"),
        "lessons": [_lesson(lesson) for lesson in section["lessons"]],
    }


def _lesson(lesson: Doc) -> Doc:
    return {
        "id": lesson["id"],
        "title": lesson["title"],
        "accessLevel": lesson["openType"],
        "topics": [
            picked(topic, ("id", "title", "type", "updatedAt")) for topic in lesson["topics"]
        ],
    }
