"""The platform as the stages see it: one type that can only read, one that can also write."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from ..errors import KeyRefused, PlatformError, Refused, Unreachable
from ..vocabulary.routes import ROUTES, Repeat, Route
from . import answers
from .outcome import Fate, Outcome
from .throttle import Throttle

if TYPE_CHECKING:
    from .wire import Wire

_READ_ATTEMPTS = 4
_LONGEST_WAIT = 300.0
"""Seconds: no window of the platform is longer (spec 8)."""
_UNAUTHENTICATED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404


class Reader:
    """Reads the platform. It has no verb that could change anything."""

    def __init__(self, base_url: str, key: str) -> None:
        self.base_url = base_url
        self._key = key
        self._opened: Wire | None = None
        self._lock = Lock()
        self._throttle = Throttle()
        self.calls: Counter[str] = Counter()
        """Requests that were sent, by route."""
        self.asked: Counter[str] = Counter()
        """Reads that were wanted, by route: a read that had to be repeated counts once."""

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

                self._opened = Wire(self.base_url, self._key)
            return self._opened

    def _await_turn(self, route: Route) -> None:
        """Returns when a request may be sent, and counts it: reads come from several threads."""
        self._throttle.wait(route)
        with self._lock:
            self.calls[route.name] += 1

    def ping(self) -> None:
        """Makes sure that the platform answers and knows the key; raises `PlatformError`."""
        if self.read("ping") is None:
            raise Unreachable(
                f"{self.base_url} answers, but not as the platform does (404 on ping)",
                "baseUrl is the address of the instance, without /incoming/v2",
            )

    def read(
        self,
        name: str,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        """The answer of a read, or nothing if the platform has no such thing (404).

        Raises `KeyRefused`, `Refused` or `Unreachable`.
        """
        route = ROUTES[name]
        if not route.reads:
            raise TypeError(f"{name} is not a read")
        with self._lock:
            self.asked[name] += 1
        outcome = self._patiently(route, params or {}, query)
        if outcome.status == _NOT_FOUND:
            return None
        if outcome.fate is not Fate.ACKNOWLEDGED:
            raise problem(outcome, self.base_url, route)
        said = answers.complaint(outcome.answer)
        if said:  # O29: a failure may come as 200 with errors
            raise Refused(f"{route.method} {route.path}: {said}", outcome.status or 0)
        return outcome.answer

    def pages(self, name: str, key: str, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """Every item of a list, page after page."""
        asked = dict(query or {})
        page = 1
        while True:
            answer = self.read(name, query=asked)
            yield from answers.items(answer, key)
            cursor = answers.next_page(answer)
            if cursor is None and not _more_by_number(answer):
                return
            page += 1
            asked |= {"cursor": cursor} if cursor is not None else {"page": page}

    def _patiently(
        self, route: Route, params: Mapping[str, str], query: Mapping[str, Any] | None
    ) -> Outcome:
        """A read may be repeated: after a 429 as it says, after a failure with growing pauses."""
        outcome = Outcome(Fate.UNSENT)
        for attempt in range(_READ_ATTEMPTS):
            self._await_turn(route)
            outcome = self._wire.exchange(route.method, fill(route, params), query=query)
            if outcome.retry_after is not None:
                time.sleep(min(outcome.retry_after, _LONGEST_WAIT))
            elif outcome.fate in {Fate.ACKNOWLEDGED, Fate.REJECTED}:
                return outcome
            elif outcome.fate is Fate.UNSENT:
                break  # nobody is there: three more tries would only make the author wait
            elif attempt + 1 < _READ_ATTEMPTS:
                time.sleep(0.25 * 2**attempt)
        return outcome


class Writer(Reader):
    """Reads and writes. Only apply is given one."""

    def send(self, name: str, params: Mapping[str, str], body: Any) -> Outcome:
        """Sends a write once; after a 429, which did nothing, it waits as told and sends again."""
        route = ROUTES[name]
        while True:
            self._await_turn(route)
            outcome = self._wire.exchange(route.method, fill(route, params), body=body)
            if outcome.retry_after is None:
                return _believed(route, outcome)
            time.sleep(min(outcome.retry_after, _LONGEST_WAIT))


def _believed(route: Route, outcome: Outcome) -> Outcome:
    """A 2xx that carries `errors` is a failure (O29); how far a create went, nobody can say."""
    said = answers.complaint(outcome.answer)
    if outcome.fate is not Fate.ACKNOWLEDGED or not said or route.errors_are_results:
        return outcome
    fate = Fate.UNKNOWN if route.repeat is Repeat.NEVER else Fate.REJECTED
    return outcome._replace(fate=fate, message=said)


def _more_by_number(answer: Any) -> bool:
    """True for a list in pages by number that has another one (tags, O26)."""
    page = answer.get("pageInfo") if isinstance(answer, Mapping) else None
    return bool(isinstance(page, Mapping) and page.get("hasMore") and "currentPage" in page)


def fill(route: Route, params: Mapping[str, str]) -> str:
    """The path of a route with its parameters in place."""
    return route.path.format(**{name: quote(value, safe="") for name, value in params.items()})


def problem(outcome: Outcome, base_url: str, route: Route) -> PlatformError:
    """A failed request as the error that a person should see."""
    if outcome.fate is Fate.UNSENT or outcome.status is None:
        return Unreachable(
            f"the platform at {base_url} cannot be reached: {outcome.message}",
            "check baseUrl and the network; for the sandbox: `lmssync sandbox serve`",
        )
    if outcome.status == _UNAUTHENTICATED:
        return KeyRefused(
            f"the platform at {base_url} does not accept the API key: {outcome.message}",
            "check the variable that `apiKey` names; keys are revoked and expire",
        )
    if outcome.status == _FORBIDDEN:
        needed = f"it needs the permission {route.permission}" if route.permission else ""
        if route.features:
            needed += f"; the account needs the features {', '.join(route.features)}"
        return KeyRefused(
            f"the API key may not {route.method} {route.path}: {outcome.message}", needed
        )
    if outcome.fate is Fate.REJECTED:
        return Refused(f"{route.method} {route.path}: {outcome.message}", outcome.status)
    return Unreachable(
        f"{route.method} {route.path} failed with HTTP {outcome.status}: {outcome.message}",
        "the platform is in trouble; run again later",
    )
