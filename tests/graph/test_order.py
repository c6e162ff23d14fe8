"""What must be made before what."""

from itertools import pairwise
from typing import Any

from lmssync import graph
from lmssync.problems import Problem

from ..making import catalog, course, criterion, license_, path


def after(key: str, *others: str) -> dict[str, Any]:
    """A course that can be made only after others."""
    return course(key, prerequisiteCourses=list(others))


def circles(*documents: dict[str, Any]) -> list[Problem]:
    return list(graph.cycles(catalog(*documents)))


def levels(*documents: dict[str, Any]) -> dict[str, int]:
    return {str(a): level for a, level in graph.levels(catalog(*documents)).items()}


def test_a_circle_is_told_whole():
    """Each resource in it, and that none can be first."""
    (problem,) = circles(after("a", "b"), after("b", "c"), after("c", "a"))
    assert "reference-circle" == problem.code
    assert all(f"course.{key} needs" in problem.message for key in "abc")
    assert problem.message.endswith(": none of them can be made first")


def test_the_circle_reads_in_the_direction_of_the_needs():
    """`a needs b needs a`, where a names b."""
    (problem,) = circles(after("a", "b"), after("b", "a"), course("c"))
    said = problem.message.partition(":")[0]
    assert said in {
        "course.a needs course.b needs course.a",
        "course.b needs course.a needs course.b",
    }


def test_a_circle_of_three_reads_in_the_direction_of_the_needs():
    """With three, the direction matters."""
    (problem,) = circles(after("a", "b"), after("b", "c"), after("c", "a"))
    words = problem.message.partition(":")[0].split(" needs ")
    assert set(pairwise(words)) == {
        ("course.a", "course.b"),
        ("course.b", "course.c"),
        ("course.c", "course.a"),
    }


def test_what_names_itself_is_a_circle():
    """Of one."""
    assert ["reference-circle"] == [problem.code for problem in circles(after("a", "a"))]


def test_related_courses_may_name_each_other():
    """They are set by an update once both exist."""
    one, two = course("a", relatedCourses=["b"]), course("b", relatedCourses=["a"])
    assert [] == circles(one, two)


def test_no_circle_no_problem():
    """A catalog in which everything can be made."""
    assert [] == circles(after("a", "b"), after("b", "c"), course("c"))


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
