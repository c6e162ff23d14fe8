"""What a plan means for people, in its text."""

from typing import Any

import pytest

from lmssync.plan import Plan
from lmssync.report.changes import plan_text
from lmssync.state import Store

from ..making import course, criterion, license_
from ..plan.planning import numbered, planned


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
        "Versions: major (breaking for learners) for course.c000; "
        "patch (editorial) for course.c001, course.c002, course.c003 and 1 more.\n"
    ) in plan_text(made)
