"""Prices, purchase paths and licenses that fit together."""

from typing import Any

import pytest

from lmssync.catalog.graph import judge_catalog
from lmssync.problems import Problem
from tests.making import UUID, catalog, codes, course, found, license_, path

SOLD = {"status": "published", "priceInCents": 1900, "purchasable": True}
ELSEWHERE = {"url": "https://shop.example.com", "title": "Shop"}


def judged(*documents: dict[str, Any]) -> list[Problem]:
    """What is wrong between documents."""
    return list(judge_catalog(catalog(*documents), frozenset()))


def broken(*documents: dict[str, Any]) -> list[str]:
    return sorted(problem.code for problem in judged(*documents))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (SOLD, []),
        ({"priceInCents": 100, "freeWithRegistration": True}, ["price-and-free"]),
        ({"priceInCents": 100, "freeWithRegistration": False}, []),
        ({"priceInCents": 0, "freeWithRegistration": True}, []),
        ({"freeWithRegistration": True}, []),
        ({"purchasable": True}, ["purchasable-without-price"]),
        ({"purchasable": True, "priceInCents": 0}, ["purchasable-without-price"]),
        ({"purchasable": False}, []),
        ({"purchasable": True, "freeWithRegistration": True}, []),
        (SOLD | {"purchasable": None}, ["price-without-purchase"]),
        (SOLD | {"purchasable": False}, ["price-without-purchase"]),
        (SOLD | {"purchasable": None, "priceInCents": 0}, []),
        (SOLD | {"purchasable": None, "status": "draft"}, []),
    ],
)
def test_prices_and_buttons(fields: dict[str, Any], expected: list[str]):
    """A price needs a button, and a button needs a price once the course is published."""
    assert expected == codes(course(**fields))


def to(key: str, owner: str = "safety", **fields: Any) -> dict[str, Any]:
    """A path from the page of one course to another course."""
    return path(
        f"{owner}.to-{key}", **{"course": owner, "label": key, "target": {"item": key}} | fields
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"status": "draft"}, "is a draft; "),
        ({"status": None}, "is not marked as published; "),
        (
            {"status": None, "futurePublishDate": "2027-01-01"},
            "is not published before 2027-01-01; ",
        ),
        ({"priceInCents": None}, "has no price; "),
        ({"priceInCents": 0}, "costs nothing; "),
        ({"status": "draft", "priceInCents": 0}, "is a draft and costs nothing; "),
    ],
)
def test_a_target_that_is_not_sold(fields: dict[str, Any], words: str):
    """A target must be published and priced (spec 4)."""
    (problem,) = judged(course(), course("b", **SOLD | fields), to("b"))
    assert ("target-not-sold", "target.item") == (problem.code, problem.path)
    assert problem.message.startswith(f"`b` {words}")


@pytest.mark.parametrize("target", [{"item": "b"}, {"item": UUID}, ELSEWHERE])
def test_targets_that_are_sold(target: dict[str, str]):
    """A target may be a course that is sold, or anything outside the catalog."""
    assert [] == broken(course(), course("b", **SOLD), path(target=target))


@pytest.mark.parametrize("fields", [SOLD, {}])
def test_a_path_to_the_page_on_which_it_stands(fields: dict[str, Any]):
    """For a path to its own course, only that is reported."""
    assert ["path-to-itself"] == broken(course(**fields), to("safety"))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"freeWithRegistration": True}, ["path-of-free-course"]),
        ({"priceInCents": 0}, ["path-of-free-course"]),
        ({"priceInCents": 1}, []),
        ({}, []),
    ],
)
def test_a_way_to_buy_what_is_free(fields: dict[str, Any], expected: list[str]):
    """A path of a free course is reported, but a price may have been set by hand."""
    assert expected == broken(course(**fields), path())


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({}, ["path-twice"]),
        ({"label": "<h1>Buy</h1>"}, ["path-twice"]),
        ({"label": "Buy now"}, []),
        ({"target": ELSEWHERE | {"title": "Other shop"}}, []),
        ({"course": UUID}, []),
    ],
)
def test_paths_that_cannot_be_told_apart(other: dict[str, Any], expected: list[str]):
    """Two paths of a course with the same target and label are reported (spec 2.6)."""
    assert expected == broken(course(), path(), path("safety.other", **other))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (None, None, []),
        (1, 1, ["order-twice"]),
        (None, 0, ["order-twice"]),
        (0, None, ["order-twice"]),
        (0, 1, []),
        (None, 1, []),
    ],
)
def test_paths_have_their_places(first: int | None, second: int | None, expected: list[str]):
    """Two paths may share a place only if neither gives one (spec 4)."""
    one, two = path(displayOrder=first), path("safety.b", label="B", displayOrder=second)
    assert expected == broken(course(), one, two)


HIDES = {"hidePrimaryCta": True}


def dead(*documents: dict[str, Any]) -> list[str]:
    """Courses from which nothing can be bought."""
    return sorted(p.message.split()[0] for p in judged(*documents) if p.code == "dead-end")


def test_a_course_without_button_that_leads_to_one():
    """A course without a button may lead to a button, a shop or outside the catalog."""
    assert [] == dead(course(), course("b", **SOLD), to("b", **HIDES))
    assert [] == dead(course(), path(**HIDES))
    assert [] == dead(course(), path(target={"item": UUID}, **HIDES))


@pytest.mark.parametrize(
    "fields", [{"status": "draft"}, {"priceInCents": None}, {"purchasable": False}]
)
def test_a_course_without_button_that_leads_to_nothing(fields: dict[str, Any]):
    """A course without a button is reported if nothing that it leads to is for sale."""
    target = course("b", **SOLD | fields)
    assert ["course.safety"] == dead(course(**SOLD), target, to("b", **HIDES))


def test_one_way_out_is_enough():
    """One path to a shop is enough."""
    assert [] == dead(course(), course("b"), to("b", **HIDES), path())


def test_a_circle_of_courses_without_buttons():
    """Courses in a circle without buttons are all reported, where the button is hidden."""
    courses = [course(key, **SOLD) for key in ("a", "b")]
    paths = [to("b", "a", **HIDES), to("a", "b", **HIDES)]
    assert ["course.a", "course.b"] == dead(*courses, *paths)
    problems = judged(*courses, *paths)
    assert {"hidePrimaryCta"} == {problem.path for problem in problems}
    assert problems[0].message.endswith("lead: course.b hides its button as well")


def test_a_circle_with_a_way_out():
    """A circle is accepted if one of its courses leads to a shop."""
    courses = [course(key, **SOLD) for key in "abc"]
    paths = [to("b", "a", **HIDES), to("c", "b", **HIDES), to("a", "c", **HIDES)]
    assert ["course.a", "course.b", "course.c"] == dead(*courses, *paths)
    assert [] == dead(*courses, *paths, path("c.shop", course="c"))


def test_what_is_not_in_the_catalog_is_no_dead_end():
    """A course outside the catalog is not reported, since it may have other paths."""
    assert [] == dead(course("b"), path("x", course=UUID, target={"item": "b"}, **HIDES))


def licensed(license_fields: dict[str, Any], **fields: Any) -> list[str]:
    """What is wrong with a license and the course in it."""
    return broken(course(**fields), license_(**license_fields))


@pytest.mark.parametrize(
    ("expires", "fields", "expected"),
    [
        ("2027-01-31", {"courseStartDate": "2027-02-01"}, ["license-before-course"]),
        ("2027-01-31", {"enrollmentStartDate": "2027-02-01"}, ["license-before-course"]),
        ("2027-01-31", {"futurePublishDate": "2027-02-01"}, ["license-before-course"]),
        ("2027-02-01", {"courseStartDate": "2027-02-01"}, []),
        ("2027-01-31", {"courseEndDate": "2027-02-01"}, ["license-ends-early"]),
        ("2027-01-31", {"courseEndDate": "2027-01-31"}, []),
        (
            "2027-01-31",
            {"courseEndDate": "2027-01-01", "gracePeriodEndDate": "2027-02-01"},
            ["license-ends-early"],
        ),
        ("2027-01-31", {}, []),
        (None, {"courseStartDate": "2027-02-01"}, []),
    ],
)
def test_a_license_lasts_as_long_as_its_courses(
    expires: str | None, fields: dict[str, str], expected: list[str]
):
    """A license that ends before its courses begin is an error, before they end a warning."""
    assert expected == licensed({"expirationDate": expires}, **fields)


@pytest.mark.parametrize(("days", "expected"), [(31, ["access-before-start"]), (32, [])])
def test_days_of_access_reach_the_start(days: int, expected: list[str]):
    """Days of access count from the first day of enrolment and must reach the start."""
    dates = {"enrollmentStartDate": "2027-01-01", "courseStartDate": "2027-02-01"}
    assert expected == licensed({"accessDays": days}, **dates)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["license-of-drafts"]),
        ({"courses": ["safety", "b"]}, []),
        ({"courses": ["safety", UUID]}, []),
        ({"courseTags": ["Safety"]}, []),
        ({"learningPaths": [UUID]}, []),
    ],
)
def test_a_license_opens_more_than_drafts(fields: dict[str, Any], expected: list[str]):
    """A license must open something other than drafts."""
    documents = course(status="draft"), course("b", status="published"), license_(**fields)
    assert expected == broken(*documents)


def test_a_license_of_a_course_that_says_nothing_of_its_status():
    """A course without a status is accepted, as it may have been published by hand."""
    assert [] == licensed({})


@pytest.mark.parametrize("field", ["courses", "courseTags", "learningPaths"])
def test_a_license_names_each_thing_once(field: str):
    """A course, tag or path that a license names twice is reported."""
    (problem,) = found(license_(**{field: [UUID, UUID.upper()]}))[1]
    assert ("named-twice", f"{field}[1]") == (problem.code, problem.path)


def below(fields: dict[str, Any], parent: dict[str, Any]) -> list[str]:
    """What is wrong with a license below another."""
    top = license_("top", **{"name": "Top"} | parent)
    return broken(course(), top, license_(parentLicense="top", **fields))


@pytest.mark.parametrize(
    ("fields", "parent", "expected"),
    [
        ({}, {}, []),
        ({"client": "acme"}, {"client": "hillside"}, ["parent-of-other-client"]),
        ({"client": "acme"}, {"client": UUID}, []),
        ({"client": UUID}, {"client": UUID}, []),
        ({"seatsLimit": 6}, {"seatsLimit": 5}, ["seats-over-parent"]),
        ({"seatsLimit": 5}, {"seatsLimit": 5}, []),
        ({"seatsLimit": 6}, {}, []),
        ({}, {"seatsLimit": 5}, []),
    ],
)
def test_a_license_fits_the_one_above(
    fields: dict[str, Any], parent: dict[str, Any], expected: list[str]
):
    """A license has the client of its parent and not more seats."""
    assert expected == below(fields, parent)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ({"isDefault": True}, {"isDefault": True}, ["default-twice"]),
        ({"isDefault": True}, {"isDefault": False}, []),
        ({"isDefault": True}, {"isDefault": True, "client": "hillside"}, []),
        ({}, {"name": "Staff"}, ["license-name-twice"]),
        ({}, {"name": "Staff", "client": "hillside"}, []),
    ],
)
def test_licenses_of_one_client(one: dict[str, Any], two: dict[str, Any], expected: list[str]):
    """A client has one default license, and all its licenses have different names."""
    assert expected == broken(course(), license_(**one), license_("b", **{"name": "B"} | two))
