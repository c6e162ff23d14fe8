"""When a course can be seen, joined and taken."""

from typing import Any

import pytest

from lmssync.kinds.platform_values import begins_after
from tests.making import codes, course, found, section


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"futurePublishDate": "2027-01-01", "status": "published"}, ["publish-twice"]),
        ({"futurePublishDate": "2027-01-01", "status": "draft"}, []),
        ({"futurePublishDate": "2027-01-01"}, []),
        ({"status": "published"}, []),
    ],
)
def test_publishing_now_or_later(fields: dict[str, Any], expected: list[str]):
    """futurePublishDate together with status published is a 400 (spec 2.2)."""
    assert expected == codes(course(**fields))


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("enrollmentStartDate", "enrollmentEndDate"),
        ("courseStartDate", "courseEndDate"),
        ("courseEndDate", "gracePeriodEndDate"),
        ("enrollmentStartDate", "courseEndDate"),
    ],
)
def test_windows_end_after_they_start(first: str, last: str):
    """The same moment is a window; a day before is none."""
    assert [] == codes(course(**{first: "2027-01-02", last: "2027-01-02"}))
    assert ["window"] == codes(course(**{first: "2027-01-02", last: "2027-01-01"}))


def test_windows_know_time_zones():
    """Noon in one zone is before eleven in another; a date without a zone is UTC."""
    start, end = "2027-01-01T12:00:00+05:00", "2027-01-01T08:00:00"
    assert "window" not in codes(course(courseStartDate=start, courseEndDate=end))


@pytest.mark.parametrize(
    ("start", "end", "is_after"),
    [
        ("2027-01-02", "2027-01-01", True),
        ("2027-01-01", "2027-01-01", False),
        ("2027-01-01T09:00:00Z", "2027-01-01", False),
        ("2027-01-02T00:00:00Z", "2027-01-01", True),
        ("2027-01-01T09:00:01Z", "2027-01-01T09:00:00Z", True),
        ("2027-01-01T00:30:00+01:00", "2026-12-31", False),
        ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", False),
        ("9999-12-31T23:59:59-14:00", "0001-01-01", True),
        (None, "2027-01-01", False),
        ("2027-01-01", None, False),
    ],
)
def test_what_comes_after_what(start: str | None, end: str | None, is_after: bool):
    """A day ends at its midnight, so a window of one day is a window; without a zone it is UTC."""
    assert is_after == begins_after(start, end)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"gracePeriodEndDate": "2027-01-01"}, ["grace-without-end"]),
        ({"gracePeriodEndDate": "2027-01-01", "courseEndDate": "2026-12-01"}, []),
        (
            {"enrollmentEndDate": "2027-01-02", "courseEndDate": "2027-01-01"},
            ["enrollment-after-end"],
        ),
        ({"enrollmentEndDate": "2027-01-01", "courseEndDate": "2027-01-01"}, []),
        ({"futurePublishDate": "2027-01-02", "courseEndDate": "2027-01-01"}, ["publish-after-end"]),
        (
            {"futurePublishDate": "2027-01-02", "enrollmentEndDate": "2027-01-01"},
            ["publish-after-end"],
        ),
        ({"futurePublishDate": "2027-01-01", "enrollmentEndDate": "2027-01-01"}, []),
    ],
)
def test_dates_that_do_not_go_together(fields: dict[str, str], expected: list[str]):
    """Each boundary from both sides (spec 2.2)."""
    assert expected == codes(course(**fields))


def released(date: str, **fields: str) -> dict[str, Any]:
    """A course of which the second section opens on a date."""
    return course(sections=[section("a"), section("b", releaseDate=date)], **fields)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"courseEndDate": "2027-01-02"}, []),
        ({"courseEndDate": "2027-01-01"}, ["release-after-end"]),
        ({"courseEndDate": "2027-01-01", "gracePeriodEndDate": "2027-01-02"}, []),
        ({"courseStartDate": "2027-01-03"}, []),
    ],
)
def test_a_section_opens_while_somebody_has_access(fields: dict[str, str], expected: list[str]):
    """Until the end, or the grace period after it, is over."""
    assert expected == codes(released("2027-01-02", **fields))


def test_a_late_section_is_told_at_its_date():
    """With both dates."""
    (problem,) = found(released("2027-02-01", courseEndDate="2027-01-01"))[1]
    assert "sections[1].releaseDate" == problem.path
    assert "2027-02-01" in problem.message
    assert "2027-01-01" in problem.message
