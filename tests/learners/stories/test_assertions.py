"""Assertions: counts, coverage, prices, and the licenses of every client."""

from typing import Any

import pytest

from lmssync.catalog.manifests.story_documents import AssertionFile, StoryAssertion
from lmssync.learners.stories import StoryCatalog, find_assertion_problems, judge_assertion
from lmssync.resource import Origin
from tests import making


def failures_of(assertion: dict[str, Any], *documents: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """What is not so: the words, and the path that decides it."""
    told = StoryAssertion(
        AssertionFile.model_validate({"assert": "a"} | assertion), Origin("stories/a.yaml")
    )
    resources = making.catalog(*documents)
    assert [] == find_assertion_problems(told, StoryCatalog(resources))
    verdict = judge_assertion(told, resources, [])
    return [(failure.message, failure.decider.path) for failure in verdict.failures]


def test_resources_are_counted():
    """Those with the values that are asked for; of a list, one item is enough."""
    both = making.course("a", status="published", tags=["Safety"]), making.course("b")
    count = {"count": "course", "where": {"status": "published", "tags": "Safety"}}
    assert [] == failures_of(count | {"min": 1, "max": 1}, *both)
    assert ["1 of course, and at least 2 are needed"] == [
        text for text, _ in failures_of(count | {"min": 2}, *both)
    ]
    assert ["2 of course, and at most 1 are allowed"] == [
        text for text, _ in failures_of({"count": "course", "max": 1}, *both)
    ]


def test_values_have_a_range():
    """What has no value passes; the field of the other one is named."""
    cheap, free = making.course("a", priceInCents=100), making.course("b")
    ((text, decider),) = failures_of(
        {"every": "course", "field": "priceInCents", "min": 1000}, cheap, free
    )
    assert "`priceInCents` of course.a is 100, and at least 1000 are needed" == text
    assert ("priceInCents",) == decider


def test_courses_are_covered():
    """By a license, a criterion, a purchase path, as is asked for."""
    course, bare = making.course(), making.course("bare")
    more = making.license_(), making.criterion(), making.path()
    for has in ("license", "criterion", "path"):
        missing = failures_of({"every": "course", "has": has}, course, bare, *more)
        assert [f"course.bare has no {has}"] == [text for text, _ in missing]
    untold = failures_of({"every": "course", "has": "story"}, course)
    assert ["course.safety has no story"] == [text for text, _ in untold]


def test_every_client_has_a_license_that_opens_a_course():
    """Clients are those of the catalog and those that licenses name."""
    course, mine = making.course(), making.license_()
    other = making.license_("guests", client="other", courses=[])
    clients = {"every": "client", "has": "license"}
    assert [] == failures_of(clients, course, mine, other)
    ((text, decider),) = failures_of(clients | {"opens": "safety"}, course, mine, other)
    assert "client.other has no license that opens `safety`" == text
    assert ("client",) == decider


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"count": "curse", "min": 1}, "did you mean `course`?"),
        ({"every": "course", "field": "prizeInCents", "min": 1}, "did you mean `priceInCents`?"),
        ({"count": "course", "where": {"statu": 1}, "min": 1}, "did you mean `status`?"),
        ({"every": "client", "has": "license", "opens": "safty"}, "did you mean `safety`?"),
    ],
)
def test_names_are_those_of_the_catalog(wrong, hint):
    """A word that means nothing is a mistake, with what was probably meant."""
    told = StoryAssertion(AssertionFile.model_validate({"assert": "a"} | wrong), Origin("a.yaml"))
    (problem,) = find_assertion_problems(told, StoryCatalog(making.catalog(making.course())))
    assert ("story-name", hint) == (problem.code, problem.hint)
