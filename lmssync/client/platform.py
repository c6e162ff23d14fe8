"""The platform as the stages see it: one type that can only read, and one that can also write."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime, timedelta
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar
from urllib.parse import quote

from .. import secrets, tracing
from ..errors import BudgetSpent, Refused, Stopped, Unreachable, Unreadable, WrongUse
from ..vocabulary.limits import STANDARD
from ..vocabulary.routes import ROUTES, Repeat, Route
from . import answers
from .failures import ELSEWHERE, problem, unreadable
from .outcome import Fate, Outcome
from .pace import Pace
from .throttle import SendTurn, Throttle

if TYPE_CHECKING:
    from .announced import Announced
    from .pages import Page
    from .tokens import OAuthClient, Tokens
    from .waits import WindowStanding
    from .wire import Wire

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")
_READ_ATTEMPTS = 4
_DOUBLINGS = 8
"""Doublings of the pause after a 429 that names no time; the last one is about a minute."""
_PATIENCE = 7_200.0
"""Seconds that one request waits because the platform says so. No window of the platform is longer
than an hour (spec 8), and others may have used up the next one as well."""
_LATENCY = 0.5
_OWN_WINDOW = "the platform accepts no more of these requests until then"
_NOTHING_YET = "no access tokens are given out until then"
_NOT_FOUND, _THROTTLED = 404, 429


class Aside(Protocol):
    """Does something that takes time, such as waiting for an answer, and returns what came of it.

    What raises there, raises here.
    """

    def __call__(self, work: Callable[[], _Answer], /) -> _Answer: ...


def _at_once(work: Callable[[], _Answer]) -> _Answer:
    return work()


class Reader:
    """Reads the platform. It has no method that changes anything."""

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
            secrets.register(key)
        self.base_url = base_url
        self.connections = connections
        self._key = key
        self._timeout = timeout
        self._opened: Wire | None = None
        self._lock = Lock()
        self.pace = Pace()
        self.throttle = Throttle(lambda: self.pace.now())  # noqa: PLW0108 - a test may put another pace here
        self.ahead = 0.0
        """Seconds that the platform's clock is ahead of ours, by its latest answer; it tells its
        time in whole seconds."""
        self.calls: Counter[str] = Counter()
        """Requests that were sent, by route."""
        self.ended: Counter[tuple[str, int]] = Counter()
        """The same by route and status; 0 for a request that got no answer."""
        self.asked: Counter[str] = Counter()
        """Reads that were wanted, by route: a read that had to be repeated counts once."""
        self._answered = 0
        self._answering = 0.0
        self.aside: Aside = _at_once
        """How this thread waits for answers; another way lets it do something else meanwhile."""
        self.most: int | None = None
        """The most reads that may be wanted; `BudgetSpent` is raised before the next one."""
        self.standings: dict[str, WindowStanding] = {}
        """How the windows stand that reads were counted in, by route, as the latest answers say."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()

    @property
    def _wire(self) -> "Wire":
        """The connections, opened when the first request is made: many runs make none."""
        with self._lock:
            if self._opened is None:
                from .wire import Wire

                bearer = self._key if isinstance(self._key, str) else self._tokens(self._key)
                self._opened = Wire(
                    self.base_url, bearer, self._timeout, connections=self.connections
                )
            return self._opened

    def _tokens(self, client: "OAuthClient") -> "Tokens":
        from .tokens import Tokens

        return Tokens(client, self._timeout, lambda wait: self.pace.sleep(wait, _NOTHING_YET))

    def _turn(self, route: Route) -> SendTurn:
        """Returns when a request may be sent, and counts it: requests come from several threads."""
        while True:
            self.pace.wait()
            turn = self.throttle.take(route)
            if turn.now:
                return turn
            if turn.wait:
                self.pace.look_again(turn.wait, _OWN_WINDOW)
            else:
                self.pace.check()
                self.throttle.listen()

    def pause(self, seconds: float) -> None:
        """Waits, without regard to what the platform asks for."""
        self.aside(lambda: time.sleep(seconds))

    def waits(self, calls: Mapping[str, int]) -> float:
        """Seconds that the platform's limits make the last of so many calls wait at least."""
        return max(self.pace.held, self.throttle.ahead({ROUTES[n]: c for n, c in calls.items()}))

    def now(self) -> str:
        """The time by the platform's clock, as far as it is known; ISO 8601, UTC."""
        moment = datetime.now(UTC) + timedelta(seconds=self.ahead)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def ping(self) -> None:
        """Makes sure that the platform answers and knows the key; raises `PlatformError`."""
        try:
            wrong = " (404 on ping)" if self.read("ping") is None else ""
        except Unreadable as error:
            wrong = f": {error.message}"
        if wrong:
            message = f"{self.base_url} answers, but not like the platform{wrong}"
            raise Unreachable(message, ELSEWHERE)

    def read(
        self,
        name: str,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        """The answer of a read, in the shape that its route declares, or nothing if the platform
        has no such thing (404).

        Raises `KeyRefused`, `Refused`, `Unreachable`, `Unreadable` or `Stopped`.
        """
        return self._read(name, params, query)[0]

    def _read(
        self, name: str, params: Mapping[str, str] | None, query: Mapping[str, Any] | None
    ) -> tuple[Any, int]:
        """The answer, and how many bytes it took."""
        route = ROUTES[name]
        if not route.reads:
            raise TypeError(f"{name} is not a read")
        path = fill(route, params or {})
        with self._lock:
            if self.most is not None and self.asked.total() >= self.most:
                raise BudgetSpent(f"{self.most:,} calls were allowed", "allow more of them")
            self.asked[name] += 1
        outcome = self.aside(
            lambda: self._exchange(route, path, attempts=_READ_ATTEMPTS, query=query)
        )
        if outcome.status == _NOT_FOUND and outcome.fate is Fate.REJECTED:
            return None, 0
        if outcome.fate is not Fate.ACKNOWLEDGED:
            raise problem(outcome, self.base_url, route)
        if outcome.standing:
            self.standings[name] = outcome.standing
        failure = answers.failure(outcome.answer)
        if failure:  # O29: a failure may come as 200 with errors
            raise Refused(f"{route.method} {route.path}: {failure}", outcome.status or 0)
        return _fitted(route, path, outcome.answer), outcome.size

    def pages(
        self,
        name: str,
        key: str,
        query: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Iterator[Any]:
        """Every item of a list once, page after page; raises `Unreadable` where it has no end."""
        for page in self.each_page(name, key, query, params):
            yield from page.items

    def each_page(
        self,
        name: str,
        key: str,
        query: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Iterator["Page"]:
        """The pages of a list one by one, for who may stop before its end."""
        from .pages import Walk
        from .shapes import Misfit

        route, walk = ROUTES[name], Walk(key)
        asked: dict[str, Any] | None = {}
        while asked is not None:
            answer, size = self._read(name, params, {**(query or {}), **asked})
            try:
                page, asked = walk.take(answer, size)
            except Misfit as wrong:
                raise unreadable(route, route.path, f"the list `{key}`: {wrong}") from None
            yield page

    def each(self, ask: Callable[[_Item], _Answer], items: Iterable[_Item]) -> Iterator[_Answer]:
        """The answers of several reads in their order, with as many at a time as allowed.

        No more than twice as many are asked for before they are wanted: whole courses fill the
        memory.
        """
        pool, waiting = ThreadPoolExecutor(self.connections), iter(items)
        try:
            first = islice(waiting, 2 * self.connections)
            asked = deque(pool.submit(copy_context().run, ask, item) for item in first)
            while asked:
                next_one = asked.popleft()
                answer = next_one.result() if next_one.done() else self.aside(next_one.result)
                asked += (pool.submit(copy_context().run, ask, item) for item in islice(waiting, 1))
                yield answer
        except BaseException:
            with self.pace.broken_off():
                pool.shutdown(cancel_futures=True)
            raise
        pool.shutdown()

    def _exchange(
        self,
        route: Route,
        path: str,
        *,
        attempts: int = 1,
        turn: SendTurn | None = None,
        announced: "Announced | None" = None,
        **sent: Any,
    ) -> Outcome:
        """One request; after a 429, which did nothing, it waits as told and sends again.

        A read may be repeated after a failure too, with growing pauses or as the answer says. No
        wait begins that would exceed `_PATIENCE` in all. What was `announced` is not sent again:
        it has to be announced again, once its turn has come.
        """
        refused, failed, waited = 0, 0, announced.waited if announced else 0.0
        while True:
            turn = turn or self._turn(route)
            with tracing.call(route.method, route.path, refused + failed + 1) as note:
                outcome = self._timed(route, path, announced=announced, **sent)
                note(outcome.status, outcome.fate)
            if outcome.date is not None:
                self.ahead = outcome.date - time.time()
            throttled = outcome.status == _THROTTLED
            final = outcome.fate is not Fate.UNKNOWN or not outcome.again or failed + 1 == attempts
            if final and not throttled:
                self.throttle.ended(route, turn, outcome)
                return outcome  # if nothing answers, more tries would only make the author wait
            pause = 0.25 * 2 ** (min(refused, _DOUBLINGS) if throttled else failed)
            wait = max(outcome.retry_after or 0.0, pause * throttled)
            refused, failed, waited = refused + throttled, failed + (not throttled), waited + wait
            enough = waited > _PATIENCE
            known = throttled and not enough and self.throttle.refused(turn, wait)
            if not known:
                self.throttle.ended(route, turn, outcome)
            if enough:
                return outcome
            turn = None
            self.pace.hold(0.0 if known else wait)
            if announced:
                announced.waited = waited
                return outcome._replace(fate=Fate.UNSENT, late=True)
            self.pace.sleep(0.0 if throttled else pause)

    def _timed(self, route: Route, path: str, **sent: Any) -> Outcome:
        with self._lock:
            self.calls[route.name] += 1
        began = time.monotonic()
        outcome = self._wire.exchange(route.method, path, **sent)
        with self._lock:
            self.ended[route.name, outcome.status or 0] += 1
            self._answered += 1
            self._answering += time.monotonic() - began
        return outcome

    @property
    def latency(self) -> float:
        """Seconds that an answer took on average; a guess before the first one."""
        with self._lock:
            return self._answering / self._answered if self._answered else _LATENCY


class Writer(Reader):
    """Reads and writes. Only apply and operations are given one."""

    def turn_now(self, name: str) -> SendTurn | None:
        """The turn of a request for `send`, if it may be sent at this moment."""
        turn = None if self.pace.held else self.throttle.take(ROUTES[name])
        return turn if turn and turn.now else None

    def turn(self, name: str) -> SendTurn:
        """The turn of a request for `send`, once it has come; raises `Stopped`."""
        return self.aside(lambda: self._turn(ROUTES[name]))

    def send(
        self,
        name: str,
        params: Mapping[str, str],
        body: Any,
        *,
        once: bool = False,
        turn: SendTurn | None = None,
        signed: bool = False,
        announced: "Announced | None" = None,
    ) -> Outcome:
        """Sends a write once, in its turn. What was `announced` is sent at once or not at all:
        then the outcome is `late`. `once` says that the body may not be sent a second time
        either where its route may: it adds something. `signed` puts the body into a signed `jwt`
        of the query, where the route takes its attributes from there (spec 4).

        If the run is stopped before anything was sent, the outcome says so.
        """
        route = ROUTES[name]
        path = fill(route, params)
        try:
            outcome = self.aside(
                lambda: (
                    self._sent_signed(route, path, body)
                    if signed
                    else self._exchange(route, path, turn=turn, announced=announced, body=body)
                )
            )
        except Stopped as error:
            return Outcome(Fate.REJECTED, message=error.message, retry_after=0.0)
        return _believed(route, path, outcome, once=once or route.repeat is Repeat.NEVER)

    def _sent_signed(self, route: Route, path: str, claims: Mapping[str, Any]) -> Outcome:
        """The end of a request that says something in the name of the key; a platform that quotes
        the address in its answer quotes the token."""
        if not isinstance(self._key, str):
            raise WrongUse(
                "a signed jwt needs an API key, and this environment asks for access tokens",
                "set LMSSYNC_API_KEY for this run, or send it without a jwt",
            )
        from .signing import signed

        token = signed(claims, self._key, now=time.time() + self.ahead)
        with secrets.during(token):
            return self._exchange(route, path, query={"jwt": token})


def _believed(route: Route, path: str, outcome: Outcome, *, once: bool) -> Outcome:
    """A 2xx in the shape of its route; for any other shape the outcome is unknown.

    A 2xx with `errors` is a failure (O29). For a write that adds something, the outcome is unknown.
    """
    if outcome.fate is not Fate.ACKNOWLEDGED:
        return outcome
    failure = answers.failure(outcome.answer, errors_are_results=route.errors_are_results)
    if failure:
        return outcome._replace(fate=Fate.UNKNOWN if once else Fate.REJECTED, message=failure)
    try:
        return outcome._replace(answer=_fitted(route, path, outcome.answer))
    except Unreadable as error:
        return outcome._replace(fate=Fate.UNKNOWN, message=error.message)


def _fitted(route: Route, path: str, answer: Any) -> Any:
    from .shapes import Misfit, fit

    try:
        return fit(route.name, answer)
    except Misfit as wrong:
        raise unreadable(route, path, str(wrong)) from None


def fill(route: Route, params: Mapping[str, str]) -> str:
    """The path of a route with its parameters in place."""
    return route.path.format(**{name: quote(value, safe="") for name, value in params.items()})
