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


def test_fields_that_are_left_out_have_the_defaults_of_the_platform():
    """A course without a status is a draft, and one without a word about it is not free."""
    free = making.course("free", status="published", freeWithRegistration=True)
    for name, value in (("status", "draft"), ("freeWithRegistration", False)):
        count = {"count": "course", "where": {name: value}, "min": 1, "max": 1}
        assert [] == failures_of(count, making.course(), free)


def test_a_course_with_a_date_of_publishing_is_pending():
    """It is no draft, as on the platform."""
    later = making.course(futurePublishDate="2029-03-03")
    for status, number in (("pending", 1), ("draft", 0)):
        count = {"count": "course", "where": {"status": status}, "min": number, "max": number}
        assert [] == failures_of(count, later)


@pytest.mark.parametrize(("field", "decider"), [("title", ("title",)), ("status", ("status",))])
def test_what_is_not_a_number_has_no_range(field, decider):
    """It is a failure, at the field; one that is left out has the platform's default."""
    failures = failures_of({"every": "course", "field": field, "max": 1}, making.course())
    assert [(f"`{field}` of course.safety is not a number, and has no range", decider)] == failures


def test_a_course_is_not_a_client_of_its_key():
    """The license of another client that opens a course does not belong to the client whose key
    the course has."""
    course = making.course("acme")
    client = {"resource": "client", "key": "acme", "cloneOf": "golden", "name": "Acme"}
    other = making.license_(client="other", courses=["acme"])
    failures = failures_of({"every": "client", "has": "license"}, course, client, other)
    assert ["client.acme has no license"] == [text for text, _ in failures]


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
        ({"every": "client", "has": "criterion"}, "`has: criterion` is for course"),
        ({"every": "path", "has": "license"}, "`has: license` is for course and client"),
    ],
)
def test_names_are_those_of_the_catalog(wrong, hint):
    """A word that means nothing is a mistake, with what was probably meant."""
    told = StoryAssertion(AssertionFile.model_validate({"assert": "a"} | wrong), Origin("a.yaml"))
    (problem,) = find_assertion_problems(told, StoryCatalog(making.catalog(making.course())))
    assert ("story-name", hint) == (problem.code, problem.hint)
