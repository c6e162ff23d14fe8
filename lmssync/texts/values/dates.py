"""Dates as ISO 8601: which exist, and which are probably not what was meant."""

import re
from collections.abc import Iterator
from datetime import datetime

from ...problems import Finding, Rule, warning_rule
from ...resource import Path
from .characters import path_name
from .refusal import refusal_error, show_text

NOT_A_DATE = Rule(
    "date",
    "The value is not a date that exists.",
    "Write `2027-01-31` or `2027-01-31T09:00:00Z`.",
    wrong="publishDate: 2027-02-30",
    right="publishDate: 2027-02-28",
)
DATE_ZONE = warning_rule(
    "date-zone",
    "A time is given without a time zone, so the platform decides which zone it is in.",
    "Add `Z` for UTC, or an offset such as `+02:00`.",
    wrong="publishDate: 2027-01-31T09:00:00",
    right="publishDate: 2027-01-31T09:00:00Z",
)
DATE_FORM = warning_rule(
    "date-form",
    "There is a space between the day and the time.",
    "Write a `T`, as ISO 8601 does.",
    wrong="publishDate: 2027-01-31 09:00:00Z",
    right="publishDate: 2027-01-31T09:00:00Z",
)
DATE_FAR = warning_rule(
    "date-far",
    "The year is before 1970 or after 2099.",
    "Check the digits of the year.",
    wrong="publishDate: 2207-01-31",
    right="publishDate: 2027-01-31",
)

DATE = re.compile(
    r"^\d{4}-\d\d-\d\d"
    r"([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$",
    re.ASCII,
)
_DAY = len("2027-01-31")
_NEAR = (
    re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})", re.ASCII),
    re.compile(r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})", re.ASCII),
    re.compile(r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)", re.ASCII),
)
"""Other ways to write a day that can be read in only one way."""
_YEAR_LEAST, _YEAR_MOST = 1970, 2099


def check_date_text(text: str) -> str:
    """`text`, if it is a date that exists, as ISO 8601 (spec 4)."""
    if date_exists(text):
        return text
    raise refusal_error(
        NOT_A_DATE, f"is `{show_text(text)}`, which is not a date that exists", _date_remedy(text)
    )


def date_exists(text: str) -> bool:
    """True for a day, or a moment, of the calendar."""
    if not DATE.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _date_remedy(text: str) -> str:
    moment = text.strip().upper()
    if date_exists(moment):
        return f"write {moment}"
    for form in _NEAR:
        if near := form.fullmatch(text.strip()):
            day = f"{near['y']}-{near['m'].zfill(2)}-{near['d'].zfill(2)}"
            if day != text and date_exists(day):
                return f"write {day}"
    return "write 2027-01-31 or 2027-01-31T09:00:00Z"


def of_date(path: Path, text: str) -> Iterator[Finding]:
    """A moment that depends on a zone nobody named, or a year that is probably a slip."""
    name = path_name(path)
    if text[_DAY : _DAY + 1] == " ":
        message = f"`{name}` has a space where ISO 8601 requires a `T`"
        yield DATE_FORM.at(path, message, f"write {text.replace(' ', 'T')}")
    if len(text) > _DAY and datetime.fromisoformat(text).tzinfo is None:
        yield DATE_ZONE.at(
            path,
            f"`{name}` has a time without a zone, so the platform decides in which zone "
            f"{text[_DAY + 1 :]} is",
            "add the zone: `Z` for UTC, or an offset such as `+02:00`",
        )
    if not _YEAR_LEAST <= int(text[:4]) <= _YEAR_MOST:
        yield DATE_FAR.at(path, f"`{name}` is in the year {text[:4]}")
