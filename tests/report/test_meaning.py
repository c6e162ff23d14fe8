"""What a plan means for people, in its text."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest

from lmssync.applying.apply import Report
from lmssync.planning.plan import Counted, Plan
from lmssync.planning.verification_coverage import VerificationCoverage
from lmssync.report.changes import plan_markdown, plan_text
from lmssync.report.evidence_text import describe_age
from lmssync.report.html_pages import plan_html, receipt_html
from lmssync.state import Store
from tests.making import course, criterion, license_
from tests.planning.plan.planning import numbered, planned


def replacing(*names: str) -> list[dict[str, Any]]:
    """New licenses that take assignments of others away for good."""
    return [license_(name, name=name, replaceCourseIds=True) for name in names]


def test_the_same_line_below_many_changes_is_one_line(store: Store):
    """From four changes on it stands at their end, with the addresses of the first."""
    text = plan_text(planned(store, replacing("a", "b", "c", "d")))
    assert "4 changes: it cannot be undone (license.a, license.b, license.c and 1 more)" in text
    assert 1 == text.count("it cannot be undone")


def test_a_few_lines_stand_below_their_changes(store: Store):
    """Three changes have a line each."""
    text = plan_text(planned(store, replacing("a", "b", "c")))
    assert 3 == text.count("\n      it cannot be undone")


@pytest.mark.parametrize("full", [True, False])
def test_the_recipe_is_for_those_who_ask(store: Store, full: bool):
    """`--full` says how to undo each change."""
    text = plan_text(planned(store, [course(title="New")], [course()]), full=full)
    assert full is ("to undo it: put the earlier values back" in text)


def test_each_course_has_one_version_word(store: Store):
    """It is the strictest of the course and its rules; new courses have none."""
    before, after = numbered(5), numbered(5, title="New")
    rules = [criterion("c000.most", course="c000", percent=percent) for percent in (80, 90)]
    made: Plan = planned(store, [*after, course("new"), rules[1]], [*before, rules[0]])
    assert (
        "Versions: major (may break something for learners) for course.c000; "
        "patch (editorial) for course.c001, course.c002, course.c003 and 1 more.\n"
    ) in plan_text(made, full=True)


PULLED = "on 7 May 2026, 11:00 UTC"


def test_times_in_texts_that_are_kept_are_absolute(store: Store):
    """A comment, a page and a written text give moments with their zone; a terminal gives ages."""
    plan = plan_of_old_news(store)
    page = b"".join(plan_html(plan)).decode()
    for kept in (plan_markdown(plan), page, plan_text(plan, full=True)):
        shown = unescape(kept).replace("\u200b", "")
        assert f"pulled {PULLED}" in shown
        assert f"the oldest {PULLED}" in shown
        assert not re.search(r"\bago\b|just now", kept)
    assert re.search(r"pulled \d+ days ago", plan_text(plan, full=True, say=describe_age))


def test_a_page_says_when_by_whom_and_of_which_commit(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    """The page of a plan and that of a receipt, since they are read long after."""
    monkeypatch.setenv("GITHUB_ACTOR", "mona")
    plan = replace(plan_of_old_news(store), commit="c0ffee" * 6)
    for pieces in (plan_html(plan), receipt_html(Report(), plan, {}, "test")):
        page = b"".join(pieces).decode()
        assert re.search(r"<dt>Written</dt><dd>\d+ \w+ \d{4}, \d\d:\d\d UTC, by mona</dd>", page)
        assert "<dt>Commit</dt><dd>c0ffee" in page


def plan_of_old_news(store: Store) -> Plan:
    """What is proven and what learners are counted from is of an earlier day."""
    counted = Counted(datetime(2026, 5, 7, 11, tzinfo=UTC), None)
    truth = VerificationCoverage(10, 10, 0, 0, counted.until.isoformat())
    return replace(planned(store, [course(title="New")], [course()]), counted=counted, truth=truth)
