"""What only one resource can have."""

import pytest

from lmssync.catalog.graph import check_unique_values, judge_catalog
from tests.making import catalog, course, criterion, license_


def test_a_sku_belongs_to_one_course():
    """The platform refuses the second (O18); it is told there, and names the first."""
    (problem,) = check_unique_values(
        catalog(course("a", sku="SAF"), course("b", sku="SAF"), course("c"))
    )
    assert ("value-taken", "course.b", "sku") == (
        problem.code,
        str(problem.address),
        problem.path,
    )
    assert "course.a" in problem.message


@pytest.mark.parametrize(("first", "second"), [("SAF", "SAF-2"), ("SAF", "saf"), (None, None)])
def test_other_skus(first: str | None, second: str | None):
    """Another one, or none."""
    assert [] == list(check_unique_values(catalog(course("a", sku=first), course("b", sku=second))))


def test_a_license_may_share_its_sku():
    """Nothing says that it is unique."""
    assert [] == list(check_unique_values(catalog(license_("a", sku="S"), license_("b", sku="S"))))


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
