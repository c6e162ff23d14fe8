"""Sends requests: each in its turn, at the platform's pace, over connections of one instance."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from ...support import redaction, tracing
from ...vocabulary.limits import STANDARD
from ...vocabulary.routes import ROUTES, Route
from .request_outcomes import DeliveryStatus, Outcome
from .request_pacing import RequestPacer
from .request_windows import SendTurn, Throttle

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .access_tokens import OAuthClient, Tokens
    from .http_exchange import Wire
    from .request_outcomes import WindowStanding
    from .send_deadline import SendDeadline
    from .shared_limits import LimitsShelf, SharedLimits
    from .window_count import Urgency

_Answer = TypeVar("_Answer")
_DOUBLINGS = 8
"""Doublings of the pause after a 429 that names no time; the last one is about a minute."""
_CLOCK_STEPS = 2.0
"""Seconds by which two answers may differ about the time; else a clock was set."""
_PATIENCE = 7_200.0
"""Seconds that one request waits because the platform says so. No window of the platform is longer
than an hour (spec 8), and others may have used up the next one as well."""
_FORECAST_DIFFERS = 0.2
"""A forecast that is off by this share of what is left is said again."""
_LATENCY = 0.5
_OWN_WINDOW = "the platform accepts no more of these requests until then"
_OTHER_RUNS = "other runs need what the platform accepts until then"
_NOTHING_YET = "no access tokens are given out until then"
_THROTTLED = 429


class Aside(Protocol):
    """Does something that takes time, such as waiting for an answer, and returns what came of it.

    What raises there, raises here.
    """

    def __call__(self, work: Callable[[], _Answer], /) -> _Answer: ...


class AwaitFuture(Protocol):
    """Waits for what another thread does, and returns or raises what came of it."""

    def __call__(self, future: "Future[_Answer]", /) -> _Answer: ...


def _at_once(work: Callable[[], _Answer]) -> _Answer:
    return work()


def _may_be_repeated(outcome: Outcome) -> bool:
    """True if a read that ended so may end otherwise the next time: no read is answered with an
    empty body."""
    empty = outcome.fate is DeliveryStatus.ACKNOWLEDGED and outcome.answer is None
    return empty or (outcome.fate is DeliveryStatus.UNKNOWN and outcome.again)


class Sender:
    """One connection to the platform, as it paces what is sent over it."""

    def __init__(
        self,
        base_url: str,
        key: "str | OAuthClient",
        timeout: float = 60.0,
        connections: int = STANDARD.connections,
    ) -> None:
        """`timeout` is how many seconds to wait for an answer, `connections` how many requests may
        be under way at once."""
        if isinstance(key, str):
            redaction.register_secret(key)
        self.base_url = base_url
        self.connections = connections
        self._key = key
        self._timeout = timeout
        self._opened: Wire | None = None
        self._lock = Lock()
        self.pace = RequestPacer()
        self.throttle = Throttle(lambda: self.pace.now())  # noqa: PLW0108 - a test may put another pace here
        self.ahead = 0.0
        """Seconds that the platform's clock is ahead of ours, by its latest answer; it tells its
        time in whole seconds."""
        self._ahead_most = 0.0
        self.calls: Counter[str] = Counter()
        """Requests that were sent, by route."""
        self.ended: Counter[tuple[str, int]] = Counter()
        """Requests by route and status; 0 for a request that got no answer."""
        self.asked: Counter[str] = Counter()
        """Reads that were wanted, by route: a read that had to be repeated counts once."""
        self.standings: dict[str, WindowStanding] = {}
        """The windows that requests were counted in, by route, as the latest answers say."""
        self._forecast = 0.0
        """When the run ends, as it has said last."""
        self._answered = 0
        self._answering = 0.0
        self.aside: Aside = _at_once
        """How this thread waits for answers; another way lets it do something else meanwhile."""
        self.await_future: AwaitFuture = lambda future: future.result()

    def __enter__(self) -> Self:
        return self

    def share_limits(self, shelf: "LimitsShelf", urgency: "Urgency") -> None:
        """Shares the limits of the instance with all runs that use the same shelf."""

        def open_shared() -> "SharedLimits":
            from .shared_limits import SharedLimits

            return SharedLimits(
                shelf,
                urgency,
                platform_seconds=lambda: time.time() + self._ahead_most,
                is_sure=lambda: any(status for _, status in [*self.ended]),
            )

        self.throttle.open_shared = open_shared

    def expect_calls(self, calls: Mapping[str, int]) -> None:
        """Says which calls the run sends from now on in any case, so that others leave room."""
        before = self._count_sent()

        def find_needed() -> Mapping[Route, int]:
            left = Counter(calls) + before - self._count_sent()
            return {ROUTES[name]: number for name, number in left.items()}

        self.throttle.find_needed = find_needed

    def __exit__(self, *_: object) -> None:
        self.throttle.leave_shared()
        if self._opened is not None:
            self._opened.close()

    def _open_wire(self) -> "Wire":
        """The connections, opened when the first request is made: many runs make none."""
        with self._lock:
            if self._opened is None:
                from .http_exchange import Wire

                bearer = self._key if isinstance(self._key, str) else self._open_tokens(self._key)
                self._opened = Wire(
                    self.base_url, bearer, self._timeout, connections=self.connections
                )
            return self._opened

    def _open_tokens(self, client: "OAuthClient") -> "Tokens":
        from .access_tokens import Tokens

        return Tokens(client, self._timeout, lambda wait: self.pace.sleep(wait, _NOTHING_YET))

    def _take_turn(self, route: Route, *, counted: bool = True) -> SendTurn:
        """Returns when a request may be sent, and counts it: requests come from several threads."""
        self._open_wire()  # it takes a moment, in which other runs would use up what is left
        while True:
            self.pace.wait_for_turn()
            turn = self.throttle.take_turn(route) if counted else self.throttle.next_turn(route)
            if turn.is_now:
                return turn
            if turn.wait:
                why, is_new = (
                    self._forecast_end() if turn.waits_for_others else (_OWN_WINDOW, False)
                )
                self.pace.look_again(turn.wait, why, is_new=is_new)
            else:
                self.pace.raise_if_stopped()
                self.throttle.wait_for_answer()

    def _forecast_end(self) -> tuple[str, bool]:
        """Why it waits for other runs, and how long all that is left takes, where that is known;
        and whether that is another forecast than the one that it has said."""
        needed = self.throttle.find_needed()
        if not needed or self.throttle.has_guesses():
            return _OTHER_RUNS, False
        left, now = self.throttle.seconds_ahead(needed), self.pace.now()
        with self._lock:
            is_new = abs(now + left - self._forecast) > _FORECAST_DIFFERS * left
            self._forecast = now + left if is_new else self._forecast
        return f"{_OTHER_RUNS}; all that is left takes {left / 60:.1f} min", is_new

    def pause(self, seconds: float) -> None:
        """Waits, without regard to what the platform asks for."""
        self.aside(lambda: time.sleep(seconds))

    def take_looks(
        self, seconds: float, *, pause: float = 0.1, longest: float = 2.0
    ) -> Iterator[float]:
        """One turn for each look, after growing pauses, with the seconds that are left.

        The last look begins when the time is up, so what it does not show is not there.
        """
        deadline, left = time.monotonic() + seconds, seconds
        while left > 0:
            yield left
            self.pause(max(0.0, min(pause, deadline - time.monotonic())))
            pause, left = min(2 * pause, longest), deadline - time.monotonic()
        yield 0.0

    def seconds_limited(self, calls: Mapping[str, int]) -> float:
        """Seconds that the platform's limits make the last of so many calls wait at least."""
        return max(
            self.pace.seconds_held,
            self.throttle.seconds_ahead({ROUTES[n]: c for n, c in calls.items()}),
        )

    def _count_sent(self) -> Counter[str]:
        with self._lock:
            return Counter(self.calls)

    def count_ended(self) -> Counter[str]:
        """Requests that have ended, by route, whether an answer came or not."""
        with self._lock:
            ended = Counter[str]()
            for (route, _), number in self.ended.items():
                ended[route] += number
            return ended

    def calls_within(self, seconds: float) -> float:
        """How many calls fit into so many seconds by the time that an answer takes."""
        return self.connections * seconds / (self.latency or _LATENCY)

    def calls_beside(self, route: str, needed: Mapping[str, int]) -> float:
        """How many calls of a route may be sent, by the limits that answers have told of, without
        making calls wait that are needed."""
        others = {ROUTES[name]: number for name, number in needed.items()}
        return self.throttle.calls_beside(ROUTES[route], others)

    def platform_time(self) -> str:
        """The time by the platform's clock, as far as it is known; ISO 8601, UTC."""
        moment = datetime.now(UTC).replace(tzinfo=None) + timedelta(seconds=self.ahead)
        return f"{moment.isoformat(timespec='microseconds')}Z"

    def _exchange(
        self,
        route: Route,
        path: str,
        *,
        attempts: int = 1,
        turn: SendTurn | None = None,
        announced: "SendDeadline | None" = None,
        **sent: Any,
    ) -> Outcome:
        """One request; after a 429, which did nothing, it waits as told and sends again.

        A read may be repeated after a failure or an empty answer too, with growing pauses or as the
        answer says. No wait begins that would exceed `_PATIENCE` in all. What was `announced` is
        not sent again: it has to be announced again, once its turn has come.
        """
        refused, failed, waited = 0, 0, announced.waited if announced else 0.0
        while True:
            turn = turn or self._take_turn(route)
            with tracing.trace_call(route.method, route.path, refused + failed + 1) as note:
                outcome = self._exchange_timed(route, path, announced=announced, **sent)
                note(outcome.status, outcome.fate)
            # Before anything else: what is judged by moments (`change_marks`) must use the clock
            # that made them.
            if outcome.date is not None:
                self.ahead = outcome.date - time.time()
                # An answer tells whole seconds: the platform's clock is further ahead than that.
                most = max(self._ahead_most, self.ahead)
                self._ahead_most = self.ahead if most - self.ahead > _CLOCK_STEPS else most
            throttled = outcome.status == _THROTTLED
            final = failed + 1 == attempts or not _may_be_repeated(outcome)
            if final and not throttled:
                self.throttle.end_request(route, turn, outcome)
                self._count_end(route, outcome)
                return outcome  # if nothing answers, more tries would only make the author wait
            # Refusals and failures are counted apart: a 429 says nothing about whether the platform
            # works, so it must not use up the few tries that a failing read has.
            pause = 0.25 * 2 ** (min(refused, _DOUBLINGS) if throttled else failed)
            wait = max(outcome.retry_after or 0.0, pause * throttled)
            refused, failed, waited = refused + throttled, failed + (not throttled), waited + wait
            enough = waited > _PATIENCE
            known = throttled and not enough and self.throttle.note_refusal(turn, wait)
            if not known:
                self.throttle.end_request(route, turn, outcome)
            self._count_end(route, outcome)
            if enough:
                return outcome
            turn = None
            self.pace.hold_all(0.0 if known else wait)
            # Whoever finds the announcement in the log counts from its time. After a wait it is too
            # old, so the caller has to write another one first.
            if announced:
                announced.waited = waited
                return outcome._replace(fate=DeliveryStatus.UNSENT, late=True)
            self.pace.sleep(0.0 if throttled else pause)

    def _exchange_timed(self, route: Route, path: str, **sent: Any) -> Outcome:
        with self._lock:
            self.calls[route.name] += 1
        began = time.monotonic()
        outcome = self._open_wire().exchange(route.method, path, **sent)
        with self._lock:
            if outcome.standing:
                self.standings[route.name] = outcome.standing
            self._answered += 1
            self._answering += time.monotonic() - began
        return outcome

    def _count_end(self, route: Route, outcome: Outcome) -> None:
        # The windows know of its end first: a request that had ended and was in no window would
        # leave room for one more than the platform takes.
        with self._lock:
            self.ended[route.name, outcome.status or 0] += 1

    @property
    def latency(self) -> float:
        """Seconds that an answer took on average; a guess before the first one."""
        with self._lock:
            return self._answering / self._answered if self._answered else _LATENCY
