"""Dates, seats, prerequisites, access days and prices decide what a learner may do."""

from typing import Any

import pytest

from lmssync.vocabulary.enums import CriterionType as C
from tests import making

from .telling import PATH, course_of, failures_of, steps

VIEW = {"views": PATH}


def view_on(day: int, *, refused: bool = False) -> list[dict[str, Any]]:
    """A learner with the license who opens the page on a day."""
    return [{"day": 0, "gets": "staff"}, {"day": day, "views": PATH, "refused": refused}]


@pytest.mark.parametrize(
    ("fields", "last_closed", "first_open"),
    [
        ({"courseStartDate": "2029-03-08"}, 6, 7),
        ({"status": "draft", "futurePublishDate": "2029-03-08"}, 6, 7),
        ({"courseEndDate": "2029-03-08"}, 8, 7),
        ({"courseEndDate": "2029-03-03", "gracePeriodEndDate": "2029-03-08"}, 8, 7),
    ],
)
def test_a_course_is_open_between_its_dates(fields, last_closed, first_open):
    """The dates decide, and the line of the date is named (spec 2.2)."""
    documents = course_of(C.COURSE_TOPIC_VIEWED, **fields)
    assert [] == failures_of({"learner": view_on(first_open)}, *documents)
    assert [] == failures_of({"learner": view_on(last_closed, refused=True)}, *documents)
    ((_, _, decider),) = failures_of({"learner": view_on(last_closed)}, *documents)
    assert ([*fields][-1],) == decider


def test_a_section_opens_at_its_date():
    """It is closed the day before, and open on that day (spec 2.2)."""
    lessons = making.lesson("welcome", making.topic("hello"), openType="studentsOnly")
    late = making.section("start", lessons, releaseDate="2029-03-08")
    documents = course_of(C.COURSE_TOPIC_VIEWED, sections=[late])
    expect = [{"day": 6, "closed": "start"}, {"day": 7, "open": "start"}]
    assert [] == failures_of({"learner": steps(), "expect": expect}, *documents)
    wrong = [{"day": 6, "open": PATH}]
    ((_, _, decider),) = failures_of({"learner": steps(), "expect": wrong}, *documents)
    assert ("sections", 0, "releaseDate") == decider


def test_a_draft_is_closed_unless_the_story_publishes_it():
    """The status is named."""
    documents = course_of(C.COURSE_TOPIC_VIEWED, status="draft")
    ((_, _, decider),) = failures_of({"learner": view_on(1)}, *documents)
    assert ("status",) == decider
    assert [] == failures_of({"learner": view_on(1), "published": True}, *documents)


@pytest.mark.parametrize(
    ("fields", "last"), [({"accessDays": 5}, 4), ({"expirationDate": "2029-03-05"}, 4)]
)
def test_access_by_a_license_ends(fields, last):
    """After its days, or at its date; the line of the license is named (spec 2.5)."""
    course, rule, _ = course_of(C.COURSE_TOPIC_VIEWED)
    license_ = making.license_(**fields)
    assert [] == failures_of({"learner": view_on(last)}, course, rule, license_)
    ((_, _, decider),) = failures_of({"learner": view_on(last + 1)}, course, rule, license_)
    assert (*fields,) == decider


def test_seats_and_places_run_out():
    """The last seat of a license and the last place of a course can be had, no more (spec 2)."""
    course, rule, _ = course_of(C.COURSE_TOPIC_VIEWED, enrollmentLimit=3)
    license_ = making.license_(seatsLimit=2)
    story = {"learner": view_on(1)}
    for taken, expected in (
        ({"license.staff": 1, "course.safety": 2}, []),
        ({"license.staff": 2}, [("seatsLimit",), ()]),
        ({"course.safety": 3}, [("enrollmentLimit",)]),
    ):
        failures = failures_of(story | {"taken": taken}, course, rule, license_)
        assert expected == [decider for _, _, decider in failures]


def test_enrollment_has_its_dates():
    """Who comes too early or too late is not enrolled, also with a license (spec 2.2)."""
    dates = {"enrollmentStartDate": "2029-03-02", "enrollmentEndDate": "2029-03-04"}
    documents = course_of(C.COURSE_TOPIC_VIEWED, **dates)
    tries = [{"day": day, "enrolls": "safety", "refused": day != 2} for day in (0, 2, 5)]
    assert [] == failures_of({"learner": tries}, *documents)
    ((_, message, decider),) = failures_of({"learner": view_on(1)}, *documents)
    assert ("enrollmentStartDate",) == decider
    assert "enrollment in `safety` begins on 2029-03-02" in message


def test_a_prerequisite_comes_first():
    """It is completed on the way, or was before (spec 2.2)."""
    documents = course_of(C.COURSE_TOPIC_VIEWED, prerequisiteCourses=["first-aid"])
    first = making.course("first-aid", status="published", freeWithRegistration=True)
    on_the_way = [
        {"day": 0, "enrolls": "first-aid"},
        {"day": 0, "course": "first-aid", "views": "all"},
    ]
    assert [] == failures_of({"learner": [*on_the_way, *view_on(1)]}, *documents, first)
    before = {"learner": view_on(1), "finished": ["first-aid"]}
    assert [] == failures_of(before, *documents, first)
    ((_, _, decider),) = failures_of({"learner": view_on(1)}, *documents, first)
    assert ("prerequisiteCourses", 0) == decider


def test_pages_may_be_taken_in_order():
    """A quiz must be passed before the next page opens, not only looked at (spec 2.2)."""
    documents = course_of(C.COURSE_ASSESSMENT_PASSED, forceLinearProgress=True)
    rest = {"views": "start/welcome/rest"}
    tried = steps({"fails": PATH}, rest | {"refused": True}, {"passes": PATH}, rest)
    assert [] == failures_of({"learner": tried}, *documents)


def test_a_taster_is_open_and_does_not_count():
    """Who is not enrolled can look at an open lesson; their course is not completed."""
    lesson = making.lesson("welcome", making.topic("hello"), openType="emailCaptureOpen")
    documents = course_of(C.COURSE_TOPIC_VIEWED, sections=[making.section("start", lesson)])
    story = {"learner": [{"day": 0, **VIEW}], "expect": [{"done": False}, {"charged": 0}]}
    assert [] == failures_of(story, *documents)


def test_a_course_is_bought():
    """Its price is charged, once; who enrolls without paying is refused (spec 2.2)."""
    documents = course_of(C.COURSE_TOPIC_VIEWED, priceInCents=2900, purchasable=True)
    learner = [
        {"day": 0, "enrolls": "safety", "refused": True},
        {"day": 0, "buys": "safety"},
        {"day": 1, **VIEW},
    ]
    expect = [{"done": True}, {"charged": 2900}]
    assert [] == failures_of({"learner": learner, "expect": expect}, *documents)
    ((_, _, decider),) = failures_of({"learner": learner, "expect": [{"charged": 0}]}, *documents)
    assert ("priceInCents",) == decider


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"priceInCents": 2900}, "purchasable"),
        ({"purchasable": True}, "priceInCents"),
        ({"purchasable": True, "freeWithRegistration": True}, "priceInCents"),
    ],
)
def test_what_cannot_be_bought_is_refused(fields, field):
    """The field that prevents it is named."""
    documents = course_of(C.COURSE_TOPIC_VIEWED, **fields)
    story = {"learner": [{"day": 0, "buys": "safety"}]}
    ((_, _, decider),) = failures_of(story, *documents)
    assert (field,) == decider


def test_purchase_paths_lead_elsewhere():
    """One to another site charges nothing here, one to a course its price; the button can be hidden
    (spec 2.6)."""
    sold = {"priceInCents": 2900, "purchasable": True}
    bundle = making.course("bundle", status="published", priceInCents=4900)
    paths = [
        making.path("safety.shop", hidePrimaryCta=True),
        making.path("safety.bundle", target={"item": "bundle"}),
    ]
    learner = [
        {"day": 0, "buys": "safety", "refused": True},
        {"day": 0, "follows": "shop"},
        {"day": 0, "follows": "bundle"},
        {"day": 0, "course": "bundle", "views": "all"},
    ]
    story = {"learner": learner, "expect": [{"charged": 4900}, {"course": "bundle", "done": True}]}
    documents = course_of(C.COURSE_TOPIC_VIEWED, **sold)
    assert [] == failures_of(story, *documents, bundle, *paths)


def test_a_learner_has_one_client():
    """A license of another client is refused (spec 4)."""
    other = making.license_("guests", client="other")
    story = {"learner": [*steps(), {"day": 1, "gets": "guests"}]}
    ((_, _, decider),) = failures_of(story, *course_of(C.COURSE_TOPIC_VIEWED), other)
    assert ("client",) == decider


def test_a_license_leads_to_courses_by_their_tags():
    """A course with a tag of the license is in it (spec 2.5)."""
    course, rule, _ = course_of(C.COURSE_TOPIC_VIEWED, tags=["Safety"])
    license_ = making.license_(courses=[], courseTags=["Safety"])
    assert [] == failures_of({"learner": view_on(1)}, course, rule, license_)


@pytest.mark.parametrize(
    ("step", "deciders"),
    [
        ({"gets": "staff"}, {()}),
        ({"views": PATH}, {("sections", 0, "lessons", 0, "topics", 0)}),
    ],
)
def test_what_must_be_refused_and_is_not_fails(step, deciders):
    """The failure is at the word `refused`, and names what lets the learner do it."""
    tried = [{"day": 0, "gets": "staff"}, {"day": 1, **step, "refused": True}]
    failures = failures_of({"learner": tried}, *course_of(C.COURSE_TOPIC_VIEWED))
    ((place, words, decider),) = failures
    assert ("learner.1.refused", "on day 1 the platform lets the learner do it") == (place, words)
    assert decider in deciders
