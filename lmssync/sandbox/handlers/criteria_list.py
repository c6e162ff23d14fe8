"""`criteria.list`: the completion criteria of a course, in the names of reads (O25)."""

from ..call import Call
from ..http import Answer
from ..platform import Platform
from . import mistaken_id
from .course_read import course_of
from .criterion_view import view
from .paging import by_page


def of_course(platform: Platform, call: Call) -> Answer:
    """By page, oldest first; a group's id stands for its first session (O30)."""
    course = course_of(platform, call.path["id"])
    if course is None:
        return mistaken_id.refused(platform, call.path["id"], meant="course")
    return by_page(
        platform,
        call,
        "completionCriteria",
        items=course["criteria"],
        show=lambda criterion: view(criterion, course=course["id"]),
    )
