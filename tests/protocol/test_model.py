"""No order of events makes a thing twice, and each rule of the protocol is needed for that."""

import pytest

from .model import Limits, Rule, forgotten, search, twice

ALL = frozenset(Rule)


@pytest.mark.parametrize("wrong", [twice, forgotten])
def test_two_runs_a_takeover_a_kill_and_a_lost_answer(wrong):
    """Whatever follows what: nothing is made twice, and nothing without an entry in the log."""
    found = search(wrong)
    assert () == found.way
    assert found.worlds > 2000


@pytest.mark.parametrize(
    "runs",
    [pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.exhaustive)],
)
def test_more_runs(runs: int):
    """Nor do more runs make it twice."""
    assert () == search(twice, runs=runs).way


@pytest.mark.exhaustive
def test_more_goes_wrong():
    """Nor do two takeovers, two kills and two lost answers among three runs."""
    assert () == search(twice, runs=3, limits=Limits(kills=2, lost=2, takeovers=2)).way


@pytest.mark.parametrize("rule", Rule)
def test_each_rule_is_needed(rule: Rule):
    """Without it there is a way to a second thing: the search is able to find one."""
    way = search(twice, rules=ALL - {rule}).way
    assert 2 == sum("lands" in what for what in way), way


def test_a_run_that_was_paused_is_the_reason_to_send_in_time():
    """It announces a call, sleeps until another run has looked in vain, and wakes up."""
    way = search(twice, rules=ALL - {Rule.IN_TIME}).way
    assert way.index("the lease of run 0 is over") < way.index("run 0 sends call 1")
    assert "run 1 records that it is not there" in way
