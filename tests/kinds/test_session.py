"""Further sessions of a course: their rules, their calls, how one is known again."""

from typing import Any

import pytest

from lmssync.catalog.graph import judge_catalog
from lmssync.kind import Ids
from lmssync.kinds import KINDS
from tests.making import (
    catalog,
    codes,
    course,
    created,
    described,
    micro,
    resource,
    section,
    session,
)

KIND = KINDS["session"]
FORM = {"course": "G", "title": "Autumn"}


def live(**fields: Any) -> Any:
    """A session as its own read shows it."""
    return {"id": "S", "courseGroupId": "G", "title": "Autumn", "sections": []} | fields


def across(*documents: Any) -> list[str]:
    """Rules that resources break together."""
    return sorted(problem.code for problem in judge_catalog(catalog(*documents), {}))


def test_it_is_added_to_the_group_of_its_course():
    """An update without an id makes it, under the course group (O3)."""
    (entry,) = created(session(priceInCents=1900), "sku=ls-1")["courseAttributes"]["courses"]
    group = {"$ref": "course.safety", "id": "courseGroup"}
    assert {"courseGroupId": group, "title": "Autumn", "priceInCents": 1900, "sku": "ls-1"} == entry


def test_nobody_finds_it_empty():
    """One that has sections is made as a draft without them; they follow, then it is published."""
    made = resource(session(status="published", sections=[section()]))
    part = KIND.calls.create(made.address, made.form, None)
    (entry,) = part.body["courseAttributes"]["courses"]
    assert ("draft", None) == (entry["status"], entry.get("sections"))
    assert ("draft", []) == (part.after["status"], part.after["sections"])


def test_its_title_is_not_that_of_the_course():
    """A new title changes the session alone."""
    (call,) = described(session(), session(title="Winter")).calls
    id_ = {"$ref": "session.safety.autumn", "id": "course"}
    assert {"courses": [{"id": id_, "title": "Winter"}]} == call.body["courseAttributes"]


def test_it_stays_in_its_course():
    """No route moves it."""
    assert "another course" in described(session(), session(course="other")).undecided


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ({"sku": "ls-1", "title": "Renamed"}, True),
        ({"sku": "other"}, False),
        ({"sku": None}, True),
        ({"title": "Winter"}, False),
        ({"status": "deleted"}, False),
    ],
)
def test_the_mark_decides_and_without_one_the_title(item: Any, found: bool):
    """A list that shows no sku tells sessions apart by their titles."""
    search = KIND.reads.search(FORM, "sku=ls-1")
    assert search is not None
    assert ("S" if found else None) == search.fits(live(**item))


def test_what_is_found_may_lack_its_sections():
    """One that a person has made is taken over, and its sections are added; one that is recorded
    shows them, or the read lags."""
    form = resource(session(sections=[section()])).form | {"course": "G"}
    assert Ids({"course": "S"}, {}) == KIND.reads.match(form, None, live(), frozenset())
    assert KIND.reads.match(form, None, live(), frozenset(), Ids({"course": "S"})) is None


def test_a_session_of_another_course_is_another():
    """Whatever its title."""
    assert KIND.reads.match(FORM, None, live(courseGroupId="H"), frozenset()) is None


def test_sessions_of_a_course_have_different_titles():
    """The first one has the title of the course."""
    two = session(), session("safety.winter", title="autumn ")
    assert ["session-title"] == across(course(), *two)
    assert ["session-title"] == across(course(title="Autumn"), session())
    other = session("fire.autumn", course="fire")
    assert [] == across(course(), course("fire", title="Fire"), session(), other)


def test_only_a_standard_course_has_further_sessions():
    """Nothing shows what they would hold elsewhere."""
    assert ["session-of-kind"] == across(micro(), session())


def test_a_sku_is_that_of_one_session():
    """Whichever kind of resource it stands in (O18)."""
    assert ["value-taken"] == across(course(sku="A"), session(sku="A"))


def test_its_fields_go_by_the_rules_of_a_course():
    """Dates, prices, what learners would find empty."""
    wrong = session(status="published", courseStartDate="2031-02-01", courseEndDate="2031-01-01")
    assert ["session-empty", "window"] == codes(wrong)
    assert [] == codes(session(status="draft", priceInCents=0))


def test_the_short_form_stands_in_the_course():
    """Each item of `sessions` is a session below the key of the course."""
    document = course(sessions=[{"id": "autumn", "title": "Autumn"}])
    assert ["course.safety", "session.safety.autumn"] == [str(a) for a in catalog(document)]
