"""Wherever a run is killed, the next one ends where an undisturbed one would have.

That is: everything is on the platform once, what a read of it shows is the same, each id is
recorded, the plan is empty and the log is whole; after whatever a person has to answer truly.
"""

from itertools import count

import pytest

from .crashing import Crashes
from .killing import ANSWERED
from .scenarios import ON_AN_INSTANCE, SCENARIOS

A_COURSE = SCENARIOS["a course"]
ONE_SERVER = pytest.mark.xdist_group("postgresql")


def test_what_may_be_made_twice_is_announced_first(crashes: Crashes):
    """The last step before the first byte, and the first after the answer, is a commit."""
    steps = crashes.run(0, crashes.prepared(A_COURSE, "whole")).steps
    sent = next(number for number, step in enumerate(steps) if "bytes" in step)
    answered = steps.index(ANSWERED)
    assert ["commit", "commit"] == [steps[sent - 1], steps[answered + 2]]


@pytest.mark.parametrize("shared", ["s3"], indirect=True)
def test_it_is_announced_to_everybody_first(shared: Crashes):
    """A segment goes to the home before the commit before the first byte."""
    steps = shared.run(0, shared.prepared(A_COURSE, "whole")).steps
    sent = next(number for number, step in enumerate(steps) if "bytes" in step)
    assert ["segment for the home", "commit"] == steps[sent - 2 : sent]


def test_some_moments(crashes: Crashes):
    """Every fifth moment of a run that makes a course."""
    assert [] == crashes.wrong(A_COURSE, count(4, 5))


@pytest.mark.parametrize("shared", ["s3"], indirect=True)
def test_some_moments_of_a_runner_that_is_gone(shared: Crashes):
    """A few moments of the same with a shared state; another machine goes on."""
    assert [] == shared.wrong(A_COURSE, count(6, 8))


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_moment(crashes: Crashes, name: str):
    """Each kind, made and changed, alone, in a batch, in several calls, and side by side."""
    assert [] == crashes.wrong(SCENARIOS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_AN_INSTANCE)
def test_every_moment_on_an_instance(on_an_instance: Crashes, name: str):
    """What only an instance with more routes can do by a call."""
    assert [] == on_an_instance.wrong(ON_AN_INSTANCE[name])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shared", "step"),
    [("s3", 1), ("git", 3), pytest.param("postgresql", 3, marks=ONE_SERVER)],
    indirect=["shared"],
)
def test_every_moment_of_a_runner_that_is_gone(shared: Crashes, step: int):
    """Another machine takes over, and the first one comes back to the same.

    The steps are the same in each home, so where each takes long, every third must do.
    """
    assert [] == shared.wrong(A_COURSE, count(1, step))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shared", "name"),
    [
        *(("s3", name) for name in ("everything", "courses side by side", "licenses given")),
        ("git", "a license"),
        pytest.param("postgresql", "everything", marks=ONE_SERVER),
    ],
    indirect=["shared"],
)
def test_moments_of_longer_runs_on_a_shared_state(shared: Crashes, name: str):
    """Every ninth of them."""
    assert [] == shared.wrong(SCENARIOS[name], count(5, 9))
