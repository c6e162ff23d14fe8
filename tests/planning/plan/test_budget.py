"""What a plan costs."""

import pytest

from lmssync.planning.plan import plan_budget
from lmssync.planning.plan.schedule import calls_least
from lmssync.platform.client import most_polls
from lmssync.state import Store
from tests.making import course, criterion, license_, path

from .planning import numbered, planned


def test_nothing_costs_nothing(store: Store):
    """A plan without changes needs no call, not even a ping."""
    cost = plan_budget(planned(store, [course()], [course()]))
    assert (0, 0, {}, (0, 0)) == (cost.total, cost.least, cost.by_route, cost.reads)


def test_creates_are_read_back(store: Store):
    """Each new course is read once, for its ids (O16), or twice if the read lags."""
    cost = plan_budget(planned(store, numbered(3)))
    assert ({"course.create": 1}, (3, 7)) == (cost.writes, cost.reads)
    assert {"course.create": 1, "course.read": 6, "ping": 1} == cost.by_route


def test_what_is_read_later_is_counted_once(store: Store):
    """Of many new courses each is read once at most, apart from those that are read at once."""
    low, high = plan_budget(planned(store, numbered(100))).reads
    assert (True, 100 + low) == (low < 60, high - len(["ping"]))


def test_criteria_of_a_course_share_a_read(store: Store):
    """The criteria of a course share its reads (O25): one before they are added, one after."""
    documents = [criterion("safety.a"), criterion("safety.b"), criterion("safety.c")]
    cost = plan_budget(planned(store, [course(), *documents], [course()]))
    assert ({"criteria.update": 1}, (1, 4)) == (cost.writes, cost.reads)


def test_what_is_new_itself_is_not_looked_at_first(store: Store):
    """A new course is not read before its criteria are added, since it cannot have any."""
    new = plan_budget(planned(store, [course(), criterion()]))
    assert {"course.create": 1, "criteria.update": 1, "course.read": 4, "ping": 1} == new.by_route


def test_answers_that_say_enough_need_no_read(store: Store):
    """Licenses and paths are not read back; the client and the list of paths are looked up."""
    cost = plan_budget(planned(store, [course(), license_(), path()], [course()]))
    assert {"license.create": 1, "path.create": 1} == cost.writes
    assert ((0, 3), {"client.list": 1, "path.list": 1, "ping": 1}) == (cost.reads, cost.most_reads)


def test_an_edit_is_not_read_back(store: Store):
    """An update is not read back, but a saved plan repeats the reads of planning."""
    made = planned(store, [course(title="New")], [course()], planning={"ping": 1, "course.read": 1})
    cost = plan_budget(made)
    assert ({"course.update": 1}, (0, 2), 2) == (
        cost.writes,
        cost.reads,
        sum(cost.planning.values()),
    )


def test_jobs_are_followed(store: Store):
    """Jobs that a call leaves are polled one after the other, for up to a minute in all."""
    packages = [course(asset="https://example.com/a.jpg", detailAsset="https://example.com/b.jpg")]
    cost = plan_budget(planned(store, packages))
    assert (0, most_polls(2)) == (cost.least_reads["job.read"], cost.most_reads["job.read"])


def test_what_is_taken_away_leaves_no_job(store: Store):
    """A field that is set to nothing is sent as null, and the platform fetches nothing for it."""
    image = {"asset": "https://example.com/a.jpg"}
    made = planned(store, [course() | {"asset": None}], [course(**image)])
    assert all(b'"asset":null' in part.spelled_body for part in made.parts)
    assert 0 == plan_budget(made).most_reads["job.read"]


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
    """The least number of calls fills each call with as many entries as its route takes."""
    assert least == calls_least(sizes)


def test_waiting_costs_calls_and_the_plan_says_so(store: Store):
    """A chain of two courses takes two creates, though both would fit into one."""
    cost = plan_budget(planned(store, [course("a"), course("b", prerequisiteCourses=["a"])]))
    assert (2, 1) == (sum(cost.writes.values()), cost.fewest_writes)


@pytest.mark.parametrize(("paths", "minutes"), [(60, 0.0), (61, 1.0), (121, 2.0)])
def test_minutes_by_the_windows_of_routes(store: Store, paths: int, minutes: float):
    """A route's window makes many calls slower: sixty purchase paths a minute (spec 8)."""
    many = [path(f"safety.p{n}", label=f"Buy {n}") for n in range(paths)]
    assert minutes == plan_budget(planned(store, [course(), *many], [course()])).minutes[0]


def test_minutes_by_the_account_are_more(store: Store):
    """With account-wide limits it takes longer: sixty a minute, a thousand an hour (spec 8)."""
    low, high = plan_budget(planned(store, numbered(200))).minutes
    assert (0.0, 4.3) == (low, high)
