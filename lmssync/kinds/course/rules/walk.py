"""Every list of siblings in a course, and every topic, with its path."""

from collections.abc import Iterator, Sequence

from ....source import Path
from ..spec import CourseSpec, Lesson, Section, Topic

Part = Section | Lesson | Topic


def families(course: CourseSpec) -> Iterator[tuple[Path, Sequence[Part]]]:
    """Siblings, with the path of their list."""
    yield ("topics",), course.topics or ()
    yield ("sections",), course.sections or ()
    for s, section in enumerate(course.sections or ()):
        path: Path = ("sections", s, "lessons")
        yield path, section.lessons
        for n, lesson in enumerate(section.lessons):
            yield (*path, n, "topics"), lesson.topics


def topics(course: CourseSpec) -> Iterator[tuple[Path, Topic]]:
    """Every topic in the order of the course."""
    for path, siblings in families(course):
        for position, item in enumerate(siblings):
            if isinstance(item, Topic):
                yield (*path, position), item
