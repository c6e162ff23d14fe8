"""Texts whose form a standard gives: dates (ISO 8601), language tags (BCP 47), ISBNs."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from ...problems import Finding, Rule, warning_rule
from ...resource import Path
from ...vocabulary.iso_dates import parse_as_written, parse_moment
from .text_characters import path_name
from .text_roles import refusal_error, show_text

NOT_AN_ISBN = warning_rule(
    "isbn",
    "The value is not an ISBN, or its check digit is wrong.",
    "Compare it with the book.",
    wrong="isbn: 978-3-16-148410-1",
    right="isbn: 978-3-16-148410-0",
)
NOT_A_LANGUAGE_TAG = Rule(
    "language-tag",
    "The value is not a language tag (BCP 47).",
    "Write `de` or `de-CH`; not `german`, not `de_CH`.",
    source="spec 2.4",
    within="a topic",
    wrong="type: article\nlanguages:\n  - {language: German}",
    right="type: article\nlanguages:\n  - {language: de}",
)
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


_FORM = re.compile(r"\d{9}[\dX]|\d{13}", re.ASCII)
_BETWEEN = str.maketrans("", "", "- ")


def check_isbn(path: Path, text: str) -> Iterator[Finding]:
    """The specification takes any text; a book is found by a right one only."""
    digits = text.upper().removeprefix("ISBN").lstrip(": ").translate(_BETWEEN)
    if not _FORM.fullmatch(digits):
        wrong, hint = "is not an ISBN: an ISBN has 10 or 13 digits", "copy it from the book"
    elif not _fits_check_digit(digits):
        wrong, hint = "has a wrong check digit", "compare it with the book: a digit is mistyped"
    else:
        return
    yield NOT_AN_ISBN.at(path, f"`{show_text(text)}` {wrong}", hint)


def _fits_check_digit(digits: str) -> bool:
    values = [10 if digit == "X" else int(digit) for digit in digits]
    if len(values) == len("9780000000002"):
        return sum(value * (3 if n % 2 else 1) for n, value in enumerate(values)) % 10 == 0
    return sum(value * (10 - n) for n, value in enumerate(values)) % 11 == 0


TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{3}){0,3}"  # language
    r"(-[a-z]{4})?"  # script
    r"(-([a-z]{2}|\d{3}))?"  # region
    r"(-([a-z0-9]{5,8}|\d[a-z0-9]{3}))*"  # variants
    r"(-[a-wy-z0-9](-[a-z0-9]{2,8})+)*"  # extensions
    r"(-x(-[a-z0-9]{1,8})+)?"
    r"|x(-[a-z0-9]{1,8})+|i-[a-z]{3,8}",
    re.IGNORECASE | re.ASCII,
)
"""RFC 5646 without languages of four letters and more: none was ever registered."""
_NAMES = """
    arabic=ar chinese=zh czech=cs danish=da dansk=da deutsch=de dutch=nl english=en español=es
    finnish=fi français=fr french=fr german=de greek=el hebrew=he hindi=hi hungarian=hu
    italian=it italiano=it japanese=ja korean=ko nederlands=nl norsk=no norwegian=no polish=pl
    polski=pl portuguese=pt português=pt romanian=ro russian=ru spanish=es svenska=sv swedish=sv
    thai=th turkish=tr ukrainian=uk vietnamese=vi
"""
_TAGS = dict(pair.split("=") for pair in _NAMES.split())
"""By the name of the language, in itself or in English."""


def check_language(text: str) -> str:
    """`text`, if it is a language tag (spec 2.4)."""
    if TAG.fullmatch(text):
        return text
    # The language tag that somebody means who has written it as another system does.
    plain = text.strip()
    tag = _TAGS.get(plain.lower()) or plain.split(".")[0].split("@")[0].replace("_", "-")
    meant = tag if TAG.fullmatch(tag) else ""
    hint = f"did you mean `{meant}`?" if meant else "write a tag such as en, de-CH or zh-Hant-TW"
    raise refusal_error(
        NOT_A_LANGUAGE_TAG, f"is `{show_text(text)}`, which is not a language tag (BCP 47)", hint
    )


DATE = re.compile(
    r"^\d{4}-\d\d-\d\d"
    r"([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$",
    re.ASCII,
)
_DAY = len("2027-01-31")
_MONTHS = 12
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
        NOT_A_DATE, f"is `{show_text(text)}`, {_why_no_date(text)}", _date_remedy(text)
    )


def _why_no_date(text: str) -> str:
    """Whether the text has another form, or the day does not exist."""
    if not DATE.fullmatch(text):
        return "which is not a date of the form YYYY-MM-DD"
    if last := _last_day(text):
        return f"which does not exist: {last:%B %Y} has {last.day} days"
    return "which is not a date that exists"


def _last_day(text: str) -> date | None:
    """The last day of the month of a date that comes after it."""
    year, month, day = (int(part) for part in text[:_DAY].split("-"))
    if year and 1 <= month <= _MONTHS and day > (last := monthrange(year, month)[1]):
        return date(year, month, last)
    return None


def date_exists(text: str) -> bool:
    """True for a day, or a moment, of the calendar."""
    if not DATE.fullmatch(text):
        return False
    try:
        parse_moment(text)
    except ValueError:
        return False
    return True


def _date_remedy(text: str) -> str:
    if DATE.fullmatch(text) and (last := _last_day(text)):
        return f"write a day of that month, such as {last}"
    moment = text.strip().upper()
    if date_exists(moment):
        return f"write {moment}"
    for form in _NEAR:
        if near := form.fullmatch(text.strip()):
            day = f"{near['y']}-{near['m'].zfill(2)}-{near['d'].zfill(2)}"
            if day != text and date_exists(day):
                return f"write {day}"
    return "write 2027-01-31 or 2027-01-31T09:00:00Z"


def check_date(path: Path, text: str) -> Iterator[Finding]:
    """A moment that depends on a zone nobody named, or a year that is probably a slip."""
    name = path_name(path)
    if text[_DAY : _DAY + 1] == " ":
        message = f"`{name}` has a space where ISO 8601 requires a `T`"
        yield DATE_FORM.at(path, message, f"write {text.replace(' ', 'T')}")
    if len(text) > _DAY and parse_as_written(text).tzinfo is None:
        yield DATE_ZONE.at(
            path,
            f"`{name}` has a time without a zone, so the platform decides in which zone "
            f"{text[_DAY + 1 :]} is",
            "add the zone: `Z` for UTC, or an offset such as `+02:00`",
        )
    if not _YEAR_LEAST <= int(text[:4]) <= _YEAR_MOST:
        yield DATE_FAR.at(path, f"`{name}` is in the year {text[:4]}")
