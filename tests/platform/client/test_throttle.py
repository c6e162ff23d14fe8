"""Keeping to fixed windows, by a clock that moves only when somebody waits."""

import math
from typing import Any

import pytest

from lmssync.platform.client import DeliveryStatus, Outcome
from lmssync.platform.client.request_outcomes import WindowStanding, read_standing
from lmssync.platform.client.request_windows import SendTurn, Throttle
from lmssync.vocabulary.limits import Tier, Window
from lmssync.vocabulary.routes import Repeat, Route

FREE = Route("free", "GET", "/free", Repeat.SAFE)
ALSO_FREE = Route("alsoFree", "GET", "/alsoFree", Repeat.SAFE)
LIMITED = Route("limited", "GET", "/limited", Repeat.SAFE, limit=Window(3, 60))
EVENTS = Route("events", "GET", "/events", Repeat.SAFE, tier=Tier.EVENT)
OTHERS = Route("others", "GET", "/others", Repeat.SAFE, tier=Tier.EVENT)
BOTH = Route("both", "GET", "/both", Repeat.SAFE, tier=Tier.USER, limit=Window(1, 60))
BROKEN = Outcome(DeliveryStatus.UNKNOWN)


def answer(limit: int = 0, remaining: int = 0, left: float = 60) -> Outcome:
    """An answer, which tells how its window stands if it has a limit."""
    standing = WindowStanding(limit, remaining, left) if limit else None
    return Outcome(DeliveryStatus.ACKNOWLEDGED, 200, standing=standing)


class Clock:
    """Time that passes by waiting alone."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.throttle = Throttle(lambda: self.now)

    def turn(self, route: Route) -> SendTurn:
        """The turn of a request, once it has come."""
        while not (turn := self.throttle.take_turn(route)).is_now:
            assert turn.wait
            self.now += turn.wait
        return turn

    def send(self, route: Route, times: int = 1, ended: Outcome | None = None) -> list[float]:
        """When each request was sent, from the first moment; each is answered at once."""
        moments = []
        for _ in range(times):
            turn = self.turn(route)
            moments.append(self.now - 1_000.0)
            self.throttle.end_request(route, turn, ended or answer())
        return moments


def test_routes_without_a_window_never_wait():
    """Routes that are not throttled never wait (spec 8)."""
    assert [0.0] * 500 == Clock().send(FREE, 500)


def test_a_window_is_used_up_before_anybody_waits():
    """When a window is used up, the client waits for the next one."""
    assert [0.0, 0.0, 0.0, 60.0, 60.0, 60.0, 120.0] == Clock().send(LIMITED, 7)


def test_routes_of_a_tier_share_its_window():
    """Routes of one tier share one counter."""
    clock = Clock()
    assert [0.0] * 60 == clock.send(EVENTS, 60)
    assert [60.0] == clock.send(OTHERS)


def test_tiers_and_routes_have_windows_of_their_own():
    """A used-up window does not delay other tiers and routes."""
    clock = Clock()
    clock.send(LIMITED, 3)
    assert [0.0] == clock.send(EVENTS)


def test_a_route_with_a_limit_in_a_tier_keeps_to_both():
    """Of two limits the stricter one decides."""
    assert [0.0, 60.0] == Clock().send(BOTH, 2)


def test_a_window_that_has_passed_is_forgotten():
    """A new window starts with the next request."""
    clock = Clock()
    clock.send(LIMITED, 2)
    clock.now += 100
    assert [100.0, 100.0, 100.0, 160.0] == clock.send(LIMITED, 4)


def test_a_window_begins_for_the_platform_when_it_answers():
    """The end of a window counts from the answer of its first request, which took its time."""
    clock = Clock()
    turn = clock.turn(LIMITED)
    clock.now += 30
    clock.throttle.end_request(LIMITED, turn, answer())
    assert [30.0, 30.0, 90.0] == clock.send(LIMITED, 3)


def test_a_raised_limit_is_known_after_one_answer():
    """An account with increased limits gets all that it may have, from its first window on."""
    clock = Clock()
    clock.send(EVENTS, 1, answer(200, 199))
    assert [0.0] * 199 + [60.0] == clock.send(EVENTS, 200)


def test_a_lowered_limit_is_known_after_one_answer():
    """A custom override may also be lower."""
    clock = Clock()
    clock.send(EVENTS, 1, answer(2, 1))
    assert [0.0, 60.0, 60.0, 120.0] == clock.send(EVENTS, 4)


def test_what_others_have_sent_counts():
    """The remaining requests of a window are those that its answers tell, until its told end."""
    clock = Clock()
    clock.send(EVENTS, 1, answer(60, 2, left=20))
    assert [0.0, 0.0, 20.0] == clock.send(EVENTS, 3)


def test_an_older_answer_that_comes_late_gives_nothing_back():
    """Of two answers about one window the one with the higher count is the later one."""
    clock = Clock()
    clock.send(EVENTS, 1, answer(60, 3))
    first, second = clock.turn(EVENTS), clock.turn(EVENTS)
    clock.throttle.end_request(EVENTS, second, answer(60, 1))
    clock.throttle.end_request(EVENTS, first, answer(60, 2))
    assert [0.0, 60.0] == clock.send(EVENTS, 2)


def test_what_broke_counts_until_an_answer_tells_otherwise():
    """A request whose connection broke may have been counted; a later answer says whether."""
    clock = Clock()
    clock.send(LIMITED, 1, answer(3, 2))
    clock.send(LIMITED, 1, BROKEN)
    clock.send(LIMITED, 1, answer(3, 1))
    assert [0.0, 60.0] == clock.send(LIMITED, 2)


def test_the_first_request_of_a_window_goes_alone():
    """Others may have used a window up, which its first answer tells: then one 429 is enough."""
    clock = Clock()
    first = clock.turn(EVENTS)
    assert clock.throttle.take_turn(EVENTS).wait is None
    clock.throttle.note_refusal(first, 30)
    assert 30.0 == clock.throttle.take_turn(EVENTS).wait


def test_nobody_waits_long_for_a_first_answer():
    """If the first request of a window takes long, the others go all the same."""
    clock = Clock()
    clock.turn(EVENTS)
    clock.now += 3
    assert clock.throttle.take_turn(EVENTS).is_now


def test_the_last_request_of_a_window_waits_for_answers():
    """While answers are under way, no more are sent than the window could still take."""
    clock = Clock()
    clock.send(LIMITED, 1, answer(3, 2))
    turns = [clock.turn(LIMITED), clock.turn(LIMITED)]
    assert clock.throttle.take_turn(LIMITED).wait is None
    clock.throttle.end_request(LIMITED, turns[0], answer(3, 1))
    assert clock.throttle.take_turn(LIMITED).wait is None


def test_a_window_of_which_only_answers_tell():
    """The account-wide limits are found by their headers; routes that tell of one share it."""
    clock = Clock()
    clock.send(FREE, 1, answer(4, 3))
    clock.send(ALSO_FREE, 1, answer(4, 2))
    assert [0.0, 0.0, 60.0] == clock.send(FREE, 3)


def test_a_longer_window_is_not_that_of_the_tier():
    """A tier keeps its own limit where an answer tells of a window that lasts an hour."""
    clock = Clock()
    clock.send(EVENTS, 1, answer(1_000, 500, left=2_000))
    assert [0.0] * 59 + [60.0] == clock.send(EVENTS, 60)


def test_a_refusal_is_for_the_window_of_its_route():
    """After a 429 of a tier its requests wait as long as it says, and no others."""
    clock = Clock()
    assert clock.throttle.note_refusal(clock.turn(EVENTS), 12)
    assert ([0.0], [12.0]) == (clock.send(LIMITED), clock.send(OTHERS))


def test_a_refusal_of_a_route_without_a_window_is_for_all():
    """Where it is not known what a 429 is about, the throttle says so."""
    clock = Clock()
    assert not clock.throttle.note_refusal(clock.turn(FREE), 12)


def test_what_other_runs_have_sent_counts():
    """A run that begins knows what the log shows of the present windows."""
    clock = Clock()
    clock.throttle.count_earlier([(LIMITED, 20.0), (LIMITED, 50.0), (LIMITED, 300.0), (FREE, 1.0)])
    assert [0.0, 11.0] == clock.send(LIMITED, 2)


@pytest.mark.parametrize("sent", [0, 1, 3, 4, 7])
@pytest.mark.parametrize(
    "calls", [{LIMITED: 1}, {LIMITED: 3}, {LIMITED: 9}, {EVENTS: 60, OTHERS: 1}, {FREE: 9}, {}]
)
def test_what_is_ahead_is_known_before(sent: int, calls: dict[Route, int]):
    """The wait that is forecast is the one that sending then takes, however much was sent."""
    clock = Clock()
    clock.send(LIMITED, sent)
    forecast, before = clock.throttle.seconds_ahead(calls), clock.now
    for route, number in calls.items():
        clock.send(route, number)
    windows = 10  # each may begin a margin later than it has to
    assert 0 <= forecast - (clock.now - before) <= windows


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-ratelimit-limit": "60"},
        {"x-ratelimit-limit": "many", "x-ratelimit-remaining": "3"},
        {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "61"},
        {"x-ratelimit-limit": "0", "x-ratelimit-remaining": "0"},
        {"x-ratelimit-limit": "nan", "x-ratelimit-remaining": "nan"},
    ],
)
def test_headers_that_cannot_be_are_not_believed(headers: Any):
    """A limit is what three plausible numbers say, and nothing else."""
    assert read_standing(headers) is None


def test_headers_say_how_a_window_stands():
    """The end is told by the platform's clock; a moment in other units is not believed."""
    told = {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "7"}
    date = {"date": "Thu, 01 Jan 1970 00:10:00 GMT"}
    standing = read_standing(told | date | {"x-ratelimit-reset": "625"})
    assert WindowStanding(60, 7, 25.0, 625.0) == standing
    assert WindowStanding(60, 7, None) == read_standing(
        told | date | {"x-ratelimit-reset": "625000000"}
    )


def test_what_makes_nothing_wait():
    """As many as the tightest window allows beside what is needed, once an answer of any route has
    told of it."""
    clock = Clock()
    assert math.inf == clock.throttle.calls_beside(FREE, {ALSO_FREE: 9})
    clock.send(ALSO_FREE, ended=answer(60, 50, 30))
    assert (41, 3) == tuple(
        clock.throttle.calls_beside(one, {ALSO_FREE: 9}) for one in (FREE, LIMITED)
    )
    clock.send(ALSO_FREE, ended=answer(1_000, 7, 1_800))
    assert 7 == clock.throttle.calls_beside(FREE, {})


def test_a_route_with_a_limit_has_room_beside_its_own_calls():
    """Calls of other routes take nothing of it."""
    assert 1 == Clock().throttle.calls_beside(LIMITED, {LIMITED: 2, FREE: 80})
