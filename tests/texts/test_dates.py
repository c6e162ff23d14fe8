"""Dates: which exist, and which are probably not what was meant."""

import pytest
from hypothesis import given, strategies as st

from lmssync.kinds import field_types as types
from lmssync.texts.values import standard_formats
from tests.kinds.test_types import refused, taken


@pytest.mark.parametrize(
    "text",
    [
        "2027-01-31",
        "2028-02-29",
        "0001-01-01",
        "9999-12-31",
        "2027-01-31T00:00",
        "2027-01-31T23:59:59",
        "2027-01-31T09:00:00Z",
        "2027-01-31T09:00:00.123456+05:30",
        "2027-01-31T09:00-0800",
        "2027-01-31 09:00",
    ],
)
def test_dates_that_exist_are_kept(text: str):
    """As they were written: nothing is put into another zone."""
    assert text == taken(types.Date, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "tomorrow",
        "2027",
        "2027-13-01",
        "0000-01-01",
        "2027-W05",
        "2027-031",
        "2027-01-31T24:00",
        "2027-01-31T09",
        "2027-01-31T09:60",
        "2027-01-31T09:00:60",
        "2027-01-31T09:00+25:00",
        "\uff12027-01-31",
        "2027-01-31Z",
        "1800000000000",
    ],
)
def test_dates_that_do_not_exist_are_refused(text: str):
    """The same on every version of Python."""
    found = refused(types.Date, text)
    assert ("date", "write 2027-01-31 or 2027-01-31T09:00:00Z") == (found["rule"].id, found["hint"])


def test_a_day_after_the_end_of_its_month_is_named():
    """The message says how long the month is, and the hint names its last day."""
    found = refused(types.Date, "2027-02-29")
    assert found["hint"] == "write a day of that month, such as 2027-02-28"
    assert "does not exist: February 2027 has 28 days" in str(found)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("2027-1-5", "write 2027-01-05"),
        ("31.1.2027", "write 2027-01-31"),
        ("31. 01. 2027", "write 2027-01-31"),
        ("2027/01/31", "write 2027-01-31"),
        ("20270131", "write 2027-01-31"),
        (" 2027-01-31\n", "write 2027-01-31"),
        ("2027-01-31t09:00z", "write 2027-01-31T09:00Z"),
        ("01/02/2027", "write 2027-01-31 or 2027-01-31T09:00:00Z"),
        ("31.02.2027", "write 2027-01-31 or 2027-01-31T09:00:00Z"),
    ],
)
def test_other_spellings_are_turned_round(text: str, hint: str):
    """Unless they could mean two days, or none."""
    assert hint == refused(types.Date, text)["hint"]


def odd(text: str) -> list[str]:
    return [finding.code for finding in standard_formats.check_date(("publishDate",), text)]


@pytest.mark.parametrize(
    "text",
    ["2027-01-31", "1970-01-01", "2099-12-31", "2027-01-31T09:00Z", "2027-01-31T09:00+01:00"],
)
def test_dates_without_a_doubt(text: str):
    """A day needs no zone; a moment has one."""
    assert [] == odd(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("2027-01-31T09:00", ["date-zone"]),
        ("2027-01-31 09:00Z", ["date-form"]),
        ("2027-01-31 09:00", ["date-form", "date-zone"]),
        ("1969-12-31", ["date-far"]),
        ("2100-01-01", ["date-far"]),
    ],
)
def test_dates_with_a_doubt(text: str, codes: list[str]):
    """The platform's zone is not shown, and a year far off is a slip of the finger."""
    assert codes == odd(text)


@given(st.dates() | st.datetimes(timezones=st.none() | st.timezones()))
def test_every_date_of_the_calendar_exists(moment: object):
    """What Python spells, we take, to the second of its zone."""
    text = str(moment).partition(".")[0][:19]
    assert standard_formats.date_exists(text)
