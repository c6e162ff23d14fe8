"""Resources of which none can be created first."""

from itertools import pairwise
from typing import Any

from lmssync.catalog.graph.creation_order import find_cycles
from lmssync.problems import Problem
from tests.making import catalog, course, license_


def after(key: str, *others: str) -> dict[str, Any]:
    """A course that can be made only after others."""
    return course(key, prerequisiteCourses=list(others))


def circles(*documents: dict[str, Any]) -> list[Problem]:
    return list(find_cycles(catalog(*documents)))


def test_a_circle_is_told_whole():
    """Each resource in it, and that none can be first."""
    (problem,) = circles(after("a", "b"), after("b", "c"), after("c", "a"))
    assert "reference-circle" == problem.code
    assert all(f"course.{key} needs" in problem.message for key in "abc")
    assert problem.message.endswith(": none of them can be created first")


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


def test_each_circle_is_told():
    """Two that have nothing to do with each other are two problems."""
    found = circles(after("a", "b"), after("b", "a"), after("c", "d"), after("d", "c"))
    assert {"course.a", "course.c"} == {str(problem.address) for problem in found}


def test_circles_that_hang_together_are_one_knot():
    """The message gives its shortest circle, and how many more depend on it."""
    (problem,) = circles(after("a", "b"), after("b", "a", "c"), after("c", "d"), after("d", "b"))
    assert (
        "course.a needs course.b needs course.a: none of them, nor of 2 more that depend on "
        "them, can be created first"
    ) == problem.message


def test_a_circle_stands_where_it_begins():
    """At the reference that could be taken away."""
    (problem,) = circles(after("a", "x", "b"), after("b", "a"), course("x"))
    assert "prerequisiteCourses[1]" == problem.path


def test_what_leads_to_a_circle_is_not_in_it():
    """Nor what it leads to."""
    (problem,) = circles(after("z", "a"), after("a", "b"), after("b", "a", "y"), course("y"))
    assert "course.a needs course.b needs course.a" == problem.message.partition(":")[0]


def test_licenses_may_stand_in_a_circle_too():
    """Each below the other."""
    found = circles(license_("a", parentLicense="b"), license_("b", parentLicense="a"))
    assert ["license.a"] == [str(problem.address) for problem in found]


def test_a_long_chain_is_no_matter():
    """However many come one after the other, in a circle or not."""
    chain = [after(f"c{n:04}", f"c{(n + 1) % 1500:04}") for n in range(1500)]
    assert [] == circles(*chain[:-1], course("c1499"))
    (problem,) = circles(*chain)
    assert 1501 == problem.message.count("course.")
