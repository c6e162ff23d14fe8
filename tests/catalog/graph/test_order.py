"""What must be made before what."""

from typing import Any

from lmssync.catalog import graph
from tests.making import catalog, course, criterion, license_, path


def after(key: str, *others: str) -> dict[str, Any]:
    """A course that can be made only after others."""
    return course(key, prerequisiteCourses=list(others))


def levels(*documents: dict[str, Any]) -> dict[str, int]:
    return {str(a): level for a, level in graph.depth_levels(catalog(*documents)).items()}


def test_levels_count_what_comes_before():
    """The longest chain decides."""
    found = levels(course("a"), after("b", "a"), after("c", "a", "b"))
    assert {"course.a": 0, "course.b": 1, "course.c": 2} == found


def test_what_belongs_to_a_course_comes_after_it():
    """Whatever its kind."""
    found = levels(course(), criterion(), path(), license_())
    assert [0, 1, 1, 1] == [found[name] for name in sorted(found)]


def test_what_is_not_in_the_catalog_is_no_level():
    """It exists already."""
    assert {"course.b": 0} == levels(after("b", "elsewhere"))
