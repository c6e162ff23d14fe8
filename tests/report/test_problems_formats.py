"""The forms of `validate --format`."""

import pytest
from hypothesis import given

from lmssync.problems import Problem
from lmssync.report.problems import (
    FOR_TERMINALS,
    PROBLEM_FORMATS,
    Display,
    problems_in,
    problems_text,
)
from lmssync.report.terminal_style import TextStyle

from . import listing
from .listing import CHECKED, WARNING, a_few, problem

EVERY = pytest.mark.parametrize("form", PROBLEM_FORMATS)


def test_the_forms():
    """Their names, as `--format` takes them."""
    assert ["text", "concise", "json", "sarif", "github", "junit"] == list(PROBLEM_FORMATS)


def test_text_is_for_people():
    """The problems, and no word of validity where there are errors."""
    assert problems_text(a_few()) == problems_in("text", a_few(), CHECKED)


def test_text_of_a_valid_catalog():
    """One line."""
    assert "Valid: 4 resources in 3 files.\n" == problems_in("text", [], CHECKED)


def test_text_with_warnings_alone():
    """They are counted, and the catalog is called valid."""
    text = problems_in("text", [problem(severity=WARNING)], CHECKED)
    assert text.endswith("\n\n1 warning.\nValid: 4 resources in 3 files.\n")


@pytest.mark.parametrize(
    ("form", "coloured"), [(form, form in FOR_TERMINALS) for form in PROBLEM_FORMATS]
)
def test_only_forms_for_terminals_have_colours(form: str, coloured: bool):
    """The forms for terminals have colours; programs read the others."""
    assert coloured is (
        "\x1b" in problems_in(form, a_few(), CHECKED, display=Display(TextStyle(on=True)))
    )


@pytest.mark.parametrize("form", ["text", "json"])
def test_text_and_json_name_files_as_the_catalog_does(form: str):
    """The prefix is for those who look from the root of the repository."""
    bare, below = (problems_in(form, a_few(), CHECKED, prefix=p) for p in ("", "content"))
    assert bare == below


@pytest.mark.parametrize("prefix", ["", ".", "./", "/"])
def test_a_catalog_at_the_root_of_its_repository(prefix: str):
    """Needs no prefix, however that is said."""
    bare, below = (problems_in("github", a_few(), CHECKED, prefix=p) for p in ("", prefix))
    assert bare == below


@EVERY
@given(listing.ANY, listing.TEXTS)
def test_any_problems_can_be_written(form: str, told: list[Problem], prefix: str):
    """Whatever is in them, and wherever the catalog lies: UTF-8, with a line feed at the end."""
    assert problems_in(form, told, CHECKED, prefix=prefix).encode("utf-8").endswith(b"\n")


@EVERY
@given(listing.ANY)
def test_no_control_is_loose(form: str, told: list[Problem]):
    """But for line feeds."""
    assert {"\n"} == {sign for sign in problems_in(form, told, CHECKED) if sign < " "}
