"""Keeping to fixed windows, by a clock that only moves when it is slept on."""

import pytest

from lmssync.client.throttle import Throttle
from lmssync.vocabulary.limits import Tier, Window
from lmssync.vocabulary.routes import Repeat, Route

FREE = Route("free", "GET", "/free", Repeat.SAFE)
LIMITED = Route("limited", "GET", "/limited", Repeat.SAFE, limit=Window(3, 60))
EVENTS = Route("events", "GET", "/events", Repeat.SAFE, tier=Tier.EVENT)
OTHERS = Route("others", "GET", "/others", Repeat.SAFE, tier=Tier.EVENT)
BOTH = Route("both", "GET", "/both", Repeat.SAFE, tier=Tier.USER, limit=Window(1, 60))


class Clock:
    """Time that passes by sleeping alone."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.throttle = Throttle(self.sleep, lambda: self.now)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def send(self, route: Route, times: int = 1) -> list[float]:
        """When each request was sent, from the first moment."""
        sent = []
        for _ in range(times):
            self.throttle.wait(route)
            sent.append(self.now - 1_000.0)
        return sent


def test_routes_without_a_window_never_wait():
    """Routes that are not throttled never wait (spec 8)."""
    assert [0.0] * 500 == Clock().send(FREE, 500)


def test_a_window_is_used_up_before_anybody_waits():
    """When a window is used up, the client waits for the next one plus a margin."""
    assert [0.0, 0.0, 0.0, 61.0, 61.0, 61.0, 122.0] == Clock().send(LIMITED, 7)


def test_routes_of_a_tier_share_its_window():
    """Routes of one tier share one counter."""
    clock = Clock()
    assert [0.0] * 60 == clock.send(EVENTS, 60)
    assert [61.0] == clock.send(OTHERS)


def test_tiers_and_routes_have_windows_of_their_own():
    """A used-up window does not delay other tiers and routes."""
    clock = Clock()
    clock.send(LIMITED, 3)
    assert [0.0] == clock.send(EVENTS)


def test_a_route_with_a_limit_in_a_tier_keeps_to_both():
    """Of two limits the stricter one decides."""
    assert [0.0, 61.0] == Clock().send(BOTH, 2)


def test_a_window_that_has_passed_is_forgotten():
    """A new window starts with the next request."""
    clock = Clock()
    clock.send(LIMITED, 2)
    clock.now += 100
    assert [100.0, 100.0, 100.0, 161.0] == clock.send(LIMITED, 4)


def test_no_window_ever_holds_more_than_it_may():
    """Any sixty seconds hold at most the requests of two of our windows."""
    sent = Clock().send(LIMITED, 30)
    counts = [sum(start <= moment < start + 60 for moment in sent) for start in sent]
    assert 3 == max(counts)


@pytest.mark.parametrize("sent", [0, 1, 3, 4, 7])
@pytest.mark.parametrize(
    "calls", [{LIMITED: 1}, {LIMITED: 3}, {LIMITED: 9}, {EVENTS: 60, OTHERS: 1}, {FREE: 9}, {}]
)
def test_what_is_ahead_is_known_before(sent: int, calls: dict[Route, int]):
    """The wait that is forecast is the one that sending then takes, however much was sent."""
    clock = Clock()
    clock.send(LIMITED, sent)
    forecast, before = clock.throttle.ahead(calls), clock.now
    for route, number in calls.items():
        clock.send(route, number)
    assert forecast == clock.now - before
