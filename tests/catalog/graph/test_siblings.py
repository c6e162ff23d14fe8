"""Rules about resources that belong together reach the problems of a catalog."""

from lmssync.catalog.graph import judge_catalog
from tests.making import catalog, course, criterion


def test_a_finding_stands_in_the_resource_that_it_is_about():
    """Each with its own address and path."""
    more = catalog(course(), criterion("safety.a"), criterion("safety.b"))
    (problem,) = judge_catalog(more, frozenset())
    assert ("criterion-twice", "criterion.safety.b", "type") == (
        problem.code,
        str(problem.address),
        problem.path,
    )


def test_another_family_is_another_matter():
    """Two courses may each have the same rule."""
    more = [course("a"), course("b"), criterion("a.c", course="a"), criterion("b.c", course="b")]
    assert [] == list(judge_catalog(catalog(*more), frozenset()))
