"""Several runs at the limits of one account, by a clock that nobody waits for.

The pacing of the client and the limits of the sandbox are those of real runs; requests take a
moment to arrive and to be answered, and each machine has a clock of its own.
"""

import heapq
from collections.abc import Callable, Iterator
from email.utils import formatdate
from itertools import count

from lmssync.errors import StateError
from lmssync.platform.client import DeliveryStatus, Outcome, Urgency
from lmssync.platform.client.request_outcomes import read_standing, retry_after
from lmssync.platform.client.request_windows import SendTurn, Throttle
from lmssync.platform.client.shared_limits import SharedLimits
from lmssync.sandbox.http_messages import Refusal
from lmssync.sandbox.request_gateway import Throttle as AccountWindows, account_limits
from lmssync.vocabulary.routes import ROUTES, Route

ROUTE = ROUTES["course.read"]
_WAY, _ANSWER, _AGAIN = 0.02, 0.08, 0.5


class Shelf:
    """A text in memory; broken where nobody may write."""

    def __init__(self, *, broken: bool = False) -> None:
        self.text, self.broken, self.written = "", broken, 0

    def change_text(self, change: Callable[[str], str]) -> None:
        """As a home does it."""
        if self.broken:
            raise StateError("read-only", "nothing")
        new = change(self.text)
        self.written += new != self.text
        self.text = new

    def close_shelf(self) -> None:
        """Nothing is open."""


class Run:
    """So many calls, up to five under way at once."""

    def __init__(
        self,
        account: "Account",
        calls: int,
        urgency: Urgency,
        *,
        fast: float = 0.0,
        plans: float = 0.0,
    ) -> None:
        """`fast` says how many seconds its clock is ahead; for so many that it `plans` it does not
        know its calls."""
        self.account, self.left, self.urgency = account, calls, urgency
        self.under_way, self.refused, self.ended = 0, 0, 0.0
        self._ahead, self._heard, self.fast = 0.0, False, fast
        self.throttle = Throttle(lambda: account.now)
        self.forecast, self._plans = 0.0, plans
        self.killed = False

    def share(self, shelf: Shelf) -> "Run":
        """Has it share the limits with runs of the same shelf."""
        self.throttle.open_shared = lambda: SharedLimits(
            shelf,
            self.urgency,
            platform_seconds=lambda: self.account.now + self.fast + self._ahead,
            is_sure=lambda: self._heard,
        )
        self.throttle.find_needed = self._find_needed
        return self

    def _find_needed(self) -> dict[Route, int] | None:
        if self.account.now < self.began + self._plans:
            return None
        return {ROUTE: self.left}

    def begin(self) -> None:
        """Sends what may be sent, or says when it looks again."""
        while self.left and self.under_way < 5 and not self.killed:
            if self._held_until > self.account.now:
                self.account.later(_AGAIN, self.begin)
                return
            turn = self.throttle.take_turn(ROUTE)
            if not turn.is_now:
                self.account.later(min(turn.wait or _AGAIN, _AGAIN), self.begin)
                return
            self.left -= 1
            self.under_way += 1
            self.account.later(self.way, lambda turn=turn: self._arrive(turn))

    def note_forecast(self) -> None:
        """What is forecast at this moment, from the beginning of the run."""
        left = self.throttle.seconds_ahead({ROUTE: self.left})
        self.forecast = self.account.now - self.began + left

    def hear(self) -> None:
        """An answer has told it the time."""
        self._heard = True

    def kill(self) -> None:
        """It sends and writes nothing any more."""
        self.killed = True

    def _arrive(self, turn: SendTurn) -> None:
        try:
            headers = dict(self.account.count())
            status = 200
        except Refusal as refusal:
            headers, status = dict(refusal.headers), refusal.status
        headers["date"] = formatdate(int(self.account.now), usegmt=True)
        told = {name.lower(): value for name, value in headers.items()}
        self.account.later(_ANSWER, lambda: self._end(turn, told, status))

    def _end(self, turn: SendTurn, told: dict[str, str], status: int) -> None:
        # As the sender does it: the time of the platform, in whole seconds, against our clock.
        ahead = int(self.account.now) - self.account.now - self.fast
        self._ahead = max(self._ahead, ahead) if self._heard else ahead
        self._heard = True
        self.under_way -= 1
        if status != 200:
            self.refused += 1
            self.left += 1
            wait = retry_after(told)
            if not self.throttle.note_refusal(turn, wait):
                self.throttle.end_request(ROUTE, turn, Outcome(DeliveryStatus.REJECTED, status))
                self._held_until = self.account.now + wait
        else:
            outcome = Outcome(DeliveryStatus.ACKNOWLEDGED, status, standing=read_standing(told))
            self.throttle.end_request(ROUTE, turn, outcome)
        if not self.left and not self.under_way and not self.killed:
            self.ended = self.account.now - self.began
            self.throttle.leave_shared()
        self.begin()

    began = _held_until = 0.0
    way = _WAY
    """Seconds until a request arrives."""


class Account:
    """The limits of an account, and the runs that use it."""

    def __init__(self, account: str = "standard") -> None:
        self.now = self.start = 1_000_000_000.3
        self.limits = list(account_limits(account))
        self._windows = AccountWindows()
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers: Iterator[int] = count()

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Does it when so many seconds are over."""
        assert seconds >= 0  # who waits for less than nothing, asks without end
        heapq.heappush(self._later, (self.now + seconds, next(self._numbers), what))

    def count(self) -> tuple[tuple[str, str], ...]:
        """Counts a request; raises `Refusal`."""
        return self._windows.take_request(self.limits, peer="", now=self.now)

    def begin(self, run: Run, after: float = 0.0) -> Run:
        """Has a run begin, so many seconds after the first one."""

        def begin() -> None:
            run.began = self.now
            run.begin()

        self.later(after, begin)
        return run

    def lower_limits(self, most: int) -> None:
        """So many requests a minute from now on."""
        self.limits[0] = self.limits[0]._replace(most=most)

    def pass_time(self, seconds: float = 7_200.0) -> None:
        """Until nobody does anything any more."""
        end = self.now + seconds
        while self._later and self._later[0][0] <= end:
            self.now, _, what = heapq.heappop(self._later)
            what()
