"""Which of many problems are shown, and how the others are counted."""

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from lmssync.problems import Problem, in_order
from lmssync.report.problems import choose_bounds, problems_in, select_problems
from lmssync.report.problems.problem_text import Bounds

from .listing import CHECKED, WARNING, many, problem

OLD = many(40, code="no-alt-text", severity=WARNING)


def told(form: str, problems: list[Problem], limit: int | None = None) -> str:
    shown = select_problems(problems, choose_bounds(form, limit))
    return problems_in(form, problems, CHECKED, shown=shown)


def test_warnings_that_are_alike_are_folded():
    """Of many warnings of one rule in one file a few are shown, and the rest is counted."""
    lines = told("text", [*OLD, problem("z.yaml", code="sku-length")]).splitlines()
    assert 5 == len([line for line in lines if "warning[no-alt-text]" in line])
    assert "    … and 35 more no-alt-text in this file" == lines[5]
    assert ["", "1 error, 40 warnings."] == lines[-2:]


def test_errors_are_never_folded():
    """Errors are never folded, since each has to be corrected."""
    assert 40 == told("text", many(40)).count("error[")


def test_each_file_has_its_own_count():
    """The same rule is folded and counted for each file."""
    other = [problem("b.yaml", n, code="no-alt-text", severity=WARNING) for n in range(1, 8)]
    text = told("text", [*other, *OLD])
    assert (1, 1) == (text.count("… and 2 more no-alt"), text.count("… and 35 more no-alt"))


@pytest.mark.parametrize("form", ["text", "github"])
def test_a_limit(form: str):
    """A limit counts everything that it hides, including what would have been folded."""
    problems = [*OLD, *many(3), problem("b.yaml", code="sku-length", severity=WARNING)]
    text = told(form, problems, 4)
    assert "… and 40 more\n    40 no-alt-text\n" in text
    assert "sku-length" in text


@pytest.mark.parametrize("form", ["text", "github"])
def test_no_limit(form: str):
    """A limit of 0 shows every problem."""
    marks = {"text": "warning[no-alt-text]", "github": "::warning "}
    assert 40 == told(form, OLD, 0).count(marks[form])


def test_programs_get_every_warning():
    """JSON and SARIF fold nothing unless a limit is given, and their summary counts all."""
    assert 40 == len(json.loads(told("json", OLD))["problems"])
    limited = json.loads(told("json", OLD, 7))
    assert (7, 40) == (len(limited["problems"]), limited["summary"]["warnings"])
    assert 40 == len(json.loads(told("sarif", OLD))["runs"][0]["results"])
    assert 7 == len(json.loads(told("sarif", OLD, 7))["runs"][0]["results"])


def test_junit_folds_and_counts():
    """JUnit puts the count of a file into its test, and what a limit hides into the suite."""
    suite = ET.fromstring(told("junit", OLD)).find("testsuite")
    assert "… and 35 more no-alt-text in this file" in (suite.findtext("testcase/system-out"))
    limited = ET.fromstring(told("junit", [*many(3), *OLD], 3)).find("testsuite")
    assert "… and 40 more\n    40 no-alt-text" == limited.findtext("system-out")


_PROBLEMS = st.lists(
    st.builds(
        lambda file, line, step, code, warns: problem(
            file,
            line,
            path=("sections", step),
            code=code,
            **({"severity": WARNING} if warns else {}),
        ),
        st.sampled_from("ab"),
        st.integers(1, 9),
        st.integers(0, 9),
        st.sampled_from(["x", "y"]),
        st.booleans(),
    ),
    max_size=40,
)


@given(_PROBLEMS, st.integers(0, 12), st.booleans())
def test_what_is_shown_does_not_depend_on_lines(found: list[Problem], most: int, folded: bool):
    """The choice does not depend on lines, so only problems that are shown must be located."""
    limits = Bounds(most, folded=folded)
    found = list({p.origin: p for p in found}.values())
    without = in_order(p._replace(place=None) for p in found)
    chosen = {(p.origin, p.code) for p in select_problems(without, limits).shown}
    assert chosen == {(p.origin, p.code) for p in select_problems(in_order(found), limits).shown}


@given(_PROBLEMS, st.integers(0, 12), st.booleans())
def test_every_problem_is_shown_or_counted(found: list[Problem], most: int, folded: bool):
    """Every problem is either shown or counted."""
    shown = select_problems(found, Bounds(most, folded=folded))
    folds = sum(
        shown.more[kind]
        for kind in {(p.origin.file, p.code) for p in shown.shown} & set(shown.more)
    )
    assert len(found) == len(shown.shown) + folds + shown.rest.total()
