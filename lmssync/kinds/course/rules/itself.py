"""A course that names itself."""

from collections.abc import Iterator

from ....problems import Finding, warning_rule
from ..spec import CourseSpec

RELATED_TO_ITSELF = warning_rule(
    "related-to-itself",
    "A course is related to itself.",
    "Name other courses.",
    wrong="key: safety\nrelatedCourses: [safety]",
    right="key: safety\nrelatedCourses: [first-aid]",
)


def not_itself(course: CourseSpec) -> Iterator[Finding]:
    """A course related to itself is shown beside itself; a course that needs itself is a circle."""
    for position, name in enumerate(course.relatedCourses or ()):
        if name == course.key:
            message = "the course is related to itself"
            hint = "name other courses, or delete it"
            yield RELATED_TO_ITSELF.at(("relatedCourses", position), message, hint)
