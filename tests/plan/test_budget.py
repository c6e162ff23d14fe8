"""What a plan costs."""

import pytest

from lmssync.plan import budget
from lmssync.plan.schedule import calls_least
from lmssync.state import Store

from ..making import course, criterion, license_, path
from .planning import numbered, planned


def test_nothing_costs_nothing(store: Store):
    """Not even a ping."""
    cost = budget(planned(store, [course()], [course()]))
    assert (0, 0, {}) == (cost.total, cost.least, {k: v for k, v in cost.by_route.items() if v})


def test_creates_are_read_back(store: Store):
    """One read a course, since the answer does not say which is which (O16)."""
    cost = budget(planned(store, numbered(3)))
    assert {"course.create": 1, "course.read": 3, "ping": 1} == cost.by_route


def test_criteria_of_a_course_share_a_read(store: Store):
    """They are read with their course (O25)."""
    documents = [criterion("safety.a"), criterion("safety.b"), criterion("safety.c")]
    cost = budget(planned(store, [course(), *documents], [course()]))
    assert {"course.read": 1, "criteria.update": 1, "ping": 1} == cost.by_route


def test_answers_that_say_enough_need_no_read(store: Store):
    """Of licenses and purchase paths."""
    cost = budget(planned(store, [course(), license_(), path()], [course()]))
    assert {"license.create": 1, "path.create": 1, "ping": 1} == cost.by_route


@pytest.mark.parametrize(
    ("sizes", "least"),
    [
        ({}, 0),
        ({"course.create": 1}, 1),
        ({"course.create": 100}, 1),
        ({"course.create": 101}, 2),
        ({"license.create": 5}, 5),
        ({"course.create": 5, "criteria.update": 5}, 2),
    ],
)
def test_the_least_possible(sizes: dict[str, int], least: int):
    """As many entries a call as the route takes."""
    assert least == calls_least(sizes)


def test_waiting_costs_calls_and_the_plan_says_so(store: Store):
    """A chain of two takes two creates where one would do for their number."""
    cost = budget(planned(store, [course("a"), course("b", prerequisiteCourses=["a"])]))
    assert (5, 4) == (cost.total, cost.least)


@pytest.mark.parametrize(("paths", "minutes"), [(60, 0.0), (61, 1.0), (121, 2.0)])
def test_minutes_by_the_windows_of_routes(store: Store, paths: int, minutes: float):
    """Sixty purchase paths a minute (spec 8)."""
    many = [path(f"safety.p{n}", label=f"Buy {n}") for n in range(paths)]
    assert minutes == budget(planned(store, [course(), *many], [course()])).minutes[0]


def test_minutes_by_the_account_are_more(store: Store):
    """If the account-wide figures hold too: sixty a minute, a thousand an hour (spec 8)."""
    low, high = budget(planned(store, numbered(200))).minutes
    assert (0.0, 3.4) == (low, high)
