"""A course that names itself."""

from collections.abc import Iterator

from ....problems import Finding, Severity
from ..spec import CourseSpec


def not_itself(course: CourseSpec) -> Iterator[Finding]:
    """What is related to itself is shown beside itself; that it may not need itself is a circle."""
    for position, name in enumerate(course.relatedCourses or ()):
        if name == course.key:
            yield Finding(
                "related-to-itself",
                ("relatedCourses", position),
                "the course is related to itself",
                "name other courses, or delete it",
                Severity.WARNING,
            )
