"""Wherever a run is killed, the next one ends where an undisturbed one would have.

That is: everything is on the platform once, what a read of it shows is the same, each id is
recorded, the plan is empty and the log is whole; after whatever a person has to answer truly.
"""

import pytest

from .crashing import Crashes
from .scenarios import ON_AN_INSTANCE, SCENARIOS

A_COURSE = SCENARIOS["a course"]
STRIDE = 7
"""The slow run kills at each seventh step, beginning with another one in the next scenario. The
exhaustive run kills at all of them."""
ONE_SERVER = pytest.mark.xdist_group("postgresql")


def test_what_is_sent_was_announced(crashes: Crashes):
    """Before the first byte of a call is sent, the journal has it."""
    assert ["course.a"] == crashes.announced(A_COURSE)


@pytest.mark.parametrize("shared", ["s3"], indirect=True)
def test_what_is_sent_was_announced_to_everybody(shared: Crashes):
    """By then another machine finds it in the journal as well."""
    assert ["course.a"] == shared.announced(A_COURSE)


def test_some_moments(crashes: Crashes):
    """A few moments of a run that makes a course."""
    assert [] == crashes.wrong(A_COURSE, first=9, step=4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first"), [(name, 1 + number % STRIDE) for number, name in enumerate(SCENARIOS)]
)
def test_some_moments_of_each_change(crashes: Crashes, name: str, first: int):
    """Each kind, made and changed, alone, in a batch, in several calls, and side by side."""
    assert [] == crashes.wrong(SCENARIOS[name], first, step=STRIDE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first"), [("a text", 3), ("a license changed", 4), ("everything", 2)]
)
def test_some_moments_on_an_instance(on_an_instance: Crashes, name: str, first: int):
    """What only an instance with more routes can do by a call."""
    assert [] == on_an_instance.wrong(ON_AN_INSTANCE[name], first, step=STRIDE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shared", "first", "step"),
    [
        ("s3", 3, STRIDE),
        pytest.param("postgresql", 6, STRIDE, marks=ONE_SERVER),
        ("git", 4, 2 * STRIDE),  # a push takes a second
    ],
    indirect=["shared"],
)
def test_some_moments_of_a_runner_that_is_gone(shared: Crashes, first: int, step: int):
    """Another machine takes over, and the first one comes back to what that has left."""
    assert [] == shared.wrong(A_COURSE, first, step)


@pytest.mark.slow
@pytest.mark.parametrize(
    "shared", ["git", pytest.param("postgresql", marks=ONE_SERVER)], indirect=True
)
def test_some_moments_of_a_runner_that_reads_later(shared: Crashes):
    """What one machine has not read back yet, another one reads when it goes on."""
    assert [] == shared.wrong(SCENARIOS["courses read later"], first=10, step=16)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_moment(crashes: Crashes, name: str):
    """Every scenario, with the state in its usual file."""
    assert [] == crashes.wrong(SCENARIOS[name])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ON_AN_INSTANCE)
def test_every_moment_on_an_instance(on_an_instance: Crashes, name: str):
    """The same on an instance with more routes."""
    assert [] == on_an_instance.wrong(ON_AN_INSTANCE[name])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize(
    "shared", ["s3", "git", pytest.param("postgresql", marks=ONE_SERVER)], indirect=True
)
def test_every_moment_on_each_backend(shared: Crashes, name: str):
    """Every scenario; after each run that is killed two go on."""
    assert [] == shared.wrong(SCENARIOS[name])
