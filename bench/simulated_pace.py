"""How long a number of calls takes at the limits of an account, by a clock that nobody waits for.

The pacing of the client and the limits of the sandbox are those of a real run. Only their clock is
another: it moves when the client would sleep, and by the time of an answer for each call.
"""

from email.utils import formatdate
from http import HTTPStatus

from lmssync.platform.client.request_outcomes import (
    DeliveryStatus,
    Outcome,
    read_standing,
    retry_after,
)
from lmssync.platform.client.request_pacing import RequestPacer
from lmssync.platform.client.request_windows import Throttle
from lmssync.sandbox.http_messages import Refusal
from lmssync.sandbox.request_gateway import Throttle as AccountWindows, account_limits
from lmssync.vocabulary.routes import ROUTES

ANSWER = 0.05
"""Seconds in which the platform answers a call; one call is under way at a time."""
_BEGINNING = 1_000_000_000.0
"""The clock begins on a day like any other."""


class SimulatedClock:
    """Seconds that pass when somebody says so."""

    def __init__(self) -> None:
        self.seconds = _BEGINNING

    def read_seconds(self) -> float:
        return self.seconds

    def pass_seconds(self, seconds: float) -> None:
        self.seconds += seconds


def simulate_minutes(calls: int, account: str) -> float:
    """Minutes from the first call to the last answer, if nobody else uses the account."""
    clock, route = SimulatedClock(), ROUTES["course.read"]
    pace = RequestPacer(clock.read_seconds, clock.pass_seconds)
    throttle, windows = Throttle(pace.now), AccountWindows()
    limits = list(account_limits(account))
    while calls:
        turn = throttle.take_turn(route)
        if not turn.is_now:
            pace.sleep(turn.wait or ANSWER)
            continue
        try:
            headers = windows.take_request(limits, peer="", now=clock.seconds)
        except Refusal as refusal:
            wait = retry_after({name.lower(): value for name, value in refusal.headers})
            if not throttle.note_refusal(turn, wait):
                throttle.end_request(route, turn, Outcome(DeliveryStatus.REJECTED, refusal.status))
                pace.sleep(wait)
            continue
        clock.pass_seconds(ANSWER)
        told = {name.lower(): value for name, value in headers}
        standing = read_standing(told | {"date": formatdate(clock.seconds, usegmt=True)})
        outcome = Outcome(DeliveryStatus.ACKNOWLEDGED, HTTPStatus.OK, standing=standing)
        throttle.end_request(route, turn, outcome)
        calls -= 1
    return (clock.seconds - _BEGINNING) / 60
