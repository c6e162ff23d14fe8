"""`criteria.list`: the completion criteria of a course, in the names of reads (O25)."""

from ..call import Call
from ..http import Answer
from ..platform import Platform
from .criterion_view import view
from .lookup import course_of_path
from .paging import by_page


def of_course(platform: Platform, call: Call) -> Answer:
    """By page, oldest first; a group's id stands for its first session (O30)."""
    course = course_of_path(platform, call)
    return by_page(
        platform,
        call,
        "completionCriteria",
        items=course["criteria"],
        show=lambda criterion: view(criterion, course=course["id"]),
    )
