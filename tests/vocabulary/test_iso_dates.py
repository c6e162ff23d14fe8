"""Dates and moments in ISO 8601 (spec 4)."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, strategies as st

from lmssync.vocabulary.iso_dates import (
    format_moment,
    format_timestamp,
    parse_last_moment,
    parse_moment,
)


@pytest.mark.parametrize("text", ["2027-01-31", "2027-01-31T00:00", "2027-01-31T01:00+01:00"])
def test_a_date_without_a_zone_is_in_utc(text: str):
    """A day begins at midnight in UTC, and a zone that is named counts."""
    assert datetime(2027, 1, 31, tzinfo=UTC) == parse_moment(text)


def test_a_day_ends_at_its_midnight():
    """The last moment of a day is before the next day; a moment is its own last moment."""
    assert parse_moment("2027-01-31") < parse_last_moment("2027-01-31") < parse_moment("2027-02-01")
    assert parse_moment("2027-01-31T09:00Z") == parse_last_moment("2027-01-31T09:00Z")


def test_a_text_that_is_no_date_is_refused():
    """The error is the one that the standard library raises."""
    with pytest.raises(ValueError, match="day is out of range"):
        parse_moment("2027-02-30")


def test_a_moment_is_written_as_the_platform_writes_it():
    """In UTC, with milliseconds and a `Z`."""
    assert "2027-01-31T09:00:00.000Z" == format_moment(parse_moment("2027-01-31T09:00Z"))


@given(st.datetimes(timezones=st.just(UTC)).map(format_moment))
@example("0012-05-20T16:41:16.350Z")
def test_a_moment_of_any_year_is_written_as_it_was_read(text: str):
    """Seconds since 1970 are floats, and no millisecond is lost on the way."""
    assert text == format_timestamp(parse_moment(text).timestamp())
