"""Fields and values in the words of people: prices, dates, shares, titles of pages."""

from dataclasses import replace

import pytest

from lmssync.report.changes import one_line, plan_markdown, plan_text
from lmssync.report.field_words import name_field, spell_money, word_value
from lmssync.report.value_words import spell_exactly, spell_moment, spell_value
from lmssync.settings import Project
from lmssync.state import Store
from lmssync.support.checked_documents import check_document
from tests.making import course, lesson, section, topic
from tests.planning.plan.planning import planned

TITLES = {"sections[a]": "Start", "sections[a].lessons[b]": "The law in ten minutes"}
PAGE = "sections[a].lessons[b].topics[c]"


@pytest.mark.parametrize(
    ("cents", "currency", "text"),
    [
        (4900, "", "49.00"),
        (5900, "EUR", "59.00 EUR"),
        (0, "", "0.00"),
        (123456789, "", "1,234,567.89"),
    ],
)
def test_money_has_two_decimals_and_its_currency(cents: int, currency: str, text: str):
    """A price is a number with two decimals, and the currency where the project file names it."""
    assert text == spell_money(cents, currency)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        ("2027-01-31", "31 January 2027"),
        ("2027-01-31T09:00:00Z", "31 January 2027, 09:00 UTC"),
        ("2030-12-31T23:59:59Z", "31 December 2030, 23:59:59 UTC"),
        ("2027-01-31T09:00:00+02:00", "31 January 2027, 09:00 UTC+02:00"),
        ("2027-02-30", "2027-02-30"),
        ("soon", "soon"),
    ],
)
def test_dates_are_written_as_people_do(moment: str, text: str):
    """A date has the name of its month, and a time has its zone; anything else stays as it is."""
    assert text == spell_moment(moment)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("priceInCents", "price"),
        ("title", "title"),
        ("customFields.owner", "customFields.owner"),
        (PAGE, "page “Seven principles” in “The law in ten minutes”"),
        (f"{PAGE}.body", "text of page “Seven principles” in “The law in ten minutes”"),
        ("sections[a].title", "title of section “Start”"),
        (
            "sections[a].lessons[b].topics.order",
            "order of pages of lesson “The law in ten minutes” in “Start”",
        ),
        ("topics[hello].body", "text of page `hello`"),
    ],
)
def test_parts_are_named_by_their_titles(path: str, name: str):
    """A path leads through titles; a part whose title nobody knows keeps its id."""
    assert name == name_field(path, TITLES | {PAGE: "Seven principles"})


def test_values_inside_others_are_in_words_too():
    """A price, a share and a date are in words wherever they stand; other values stay."""
    given = {
        "priceInCents": 500,
        "percent": 80,
        "on": "2027-01-31",
        "seats": 5,
        "title": "2027-01-31",
    }
    shown = {name: spell_value(value) for name, value in word_value("", given).items()}
    assert ["5.00", "80 %", "31 January 2027", "5", "“2027-01-31”"] == [*shown.values()]


def test_two_dates_that_look_the_same_are_shown_exactly():
    """The exact value is kept behind the words."""
    assert "“2027-01-31T09:00Z”" == spell_exactly(word_value("publishDate", "2027-01-31T09:00Z"))


def test_a_plan_shows_the_currency_of_the_project_file(store: Store):
    """`currency:` stands behind each price, in text and in Markdown."""
    made = planned(store, [course("a", priceInCents=5900)], [course("a", priceInCents=4900)])
    made = replace(made, currency="EUR")
    assert "price: 49.00 EUR → 59.00 EUR" in plan_text(made)
    assert "price: 49.00 EUR → 59.00 EUR" in plan_markdown(made)


def test_a_currency_is_a_code_of_three_letters():
    """The project file takes `EUR`, and no sign or name."""
    assert isinstance(check_document(Project, {"version": 1, "currency": "EUR"}), Project)
    refused = check_document(Project, {"version": 1, "currency": "€"})
    assert isinstance(refused, ValueError)
    assert "currency" in str(refused)


def test_a_page_that_goes_is_named_by_its_title(store: Store):
    """Of a page that leaves, the plan says that it is removed, and where it was."""
    old = [section("s", lesson("l", topic("t"), topic("u")))]
    new = [section("s", lesson("l", topic("t")))]
    made = planned(store, [course("a", sections=new)], [course("a", sections=old)])
    assert "removes the page “U” in “L”" in plan_text(made)
    assert "removes the page “U” in “L”" in plan_markdown(made)


def test_a_value_that_goes_is_still_shown():
    """Where a value becomes unset, the difference says what it was."""
    assert "no longer set (it was “B”)" == one_line("B", None)
