"""`criteria.list`: the completion criteria of a course, in the names of reads (O25)."""

from ..platform import World
from ..serving.exchange import Answer, Call
from . import mistaken_id
from .course_read import course_of
from .criterion_view import view
from .paging import by_page


def of_course(world: World, call: Call) -> Answer:
    """By page, oldest first; a group's id stands for its first session (O30)."""
    course = course_of(world, call.path["id"])
    if course is None:
        return mistaken_id.refused(world, call.path["id"], meant="course")
    return by_page(
        world,
        call,
        "completionCriteria",
        items=course["criteria"],
        show=lambda criterion: view(criterion, course=course["id"]),
    )
