"""When a request may be sent: never before its time, and never later (spec 8).

`Throttle` sends nothing and waits for nothing. Answers tell how the windows of the platform stand,
also for what others have sent; so a limit that is higher or lower for an account is known after one
answer. `RequestPacer` does the waiting.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Condition
from typing import TYPE_CHECKING, NamedTuple

from ...vocabulary.limits import ENTERPRISE, Window
from ...vocabulary.routes import Route
from .request_outcomes import DeliveryStatus, Outcome, WindowStanding
from .window_count import RunNeeds, WindowCount

if TYPE_CHECKING:
    from .shared_limits import SharedLimits

_ANSWER = 0.5
"""The most seconds to wait for an answer that tells more; then one looks again."""
_AT_ONCE = 2 * ENTERPRISE.connections
"""The most requests that may be counted here and were not when an answer was made: those that were
under way then, and those that were answered before it came."""
_SLACK = 2.0
"""Seconds by which the window of a route may seem longer than it is: it is told in whole ones."""


class SendTurn(NamedTuple):
    """Whether a request may be sent now; its end has to be reported here."""

    wait: float | None
    """Seconds to wait before asking again; None: until an answer that is under way has come."""
    windows: tuple[WindowCount, ...] = ()
    sent: float = 0.0
    waits_for_others: bool = False
    """Whether other runs have taken what the platform accepts."""

    @property
    def is_now(self) -> bool:
        return self.wait == 0


class Throttle:
    """The windows that the requests of a run count against, shared by all of its threads.

    Each tier has one, and each route with a limit of its own. Where an answer tells of another, as
    the account-wide ones that the specification mentions, it counts for the routes that told it.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._windows: dict[str, WindowCount] = {}
        self._wide: dict[int, WindowCount] = {}
        """Those that nobody declares, by their limit: two routes that tell the same share one."""
        self._changed = Condition()
        self.open_shared: Callable[[], SharedLimits] | None = None
        """Opens what all runs share, before the first request: many runs send none."""
        self._shared: SharedLimits | None = None
        self.find_needed: Callable[[], Mapping[Route, int] | None] = lambda: None
        """The calls that the run has not sent yet; None where it does not know."""

    def take_turn(self, route: Route) -> SendTurn:
        """Counts a request and lets it go, if it may be sent now."""
        with self._changed:
            turn = self._next_turn(route)
            for window in turn.windows:
                window.count_sent(turn.sent)
            if self._shared and turn.is_now:
                self._shared.first_at = min(self._shared.first_at, turn.sent)
            return turn

    def next_turn(self, route: Route) -> SendTurn:
        """Whether a request could be sent now; it is not counted."""
        with self._changed:
            return self._next_turn(route)

    def _next_turn(self, route: Route) -> SendTurn:
        self._join_others()
        now, windows = self._clock(), self._windows_of(route)
        waits = [window.seconds_to_wait(now) for window in windows]
        longest = max((wait for wait in waits if wait), default=0.0)
        # The longest known wait wins over a window that is still unclear: what it says when its
        # answer comes does not matter before then.
        if longest or None in waits:
            return SendTurn(longest or None)
        if self._shared and not self._shared.may_send(now):
            return SendTurn(None)
        shared = self._shared if windows else None
        if shared and (wait := shared.seconds_to_wait(windows, self._count_needs, now)):
            return SendTurn(wait, waits_for_others=True)
        return SendTurn(0.0, windows, now)

    def _join_others(self) -> None:
        """Learns of the windows that other runs use, once: before the first request nothing has
        answered, and what others were told is all there is."""
        if not self.open_shared:
            return
        self._shared, self.open_shared = self.open_shared(), None
        for told in self._shared.learn_windows():
            self._wide_window(told.limit, told.seconds).routes.update(told.routes)

    def _wide_window(self, limit: int, seconds: float) -> WindowCount:
        if limit not in self._wide:
            self._wide[limit] = WindowCount(Window(limit, int(seconds)), f"account {limit}")
        return self._wide[limit]

    def _count_needs(self) -> RunNeeds:
        """What the run still needs of each window besides what it has taken; of one that does not
        know, a part of each."""
        needed, now = self.find_needed(), self._clock()
        booked = self._book_calls(needed or {})
        calls = {}
        for window in self._list_windows():
            number = max(1, window.limit // 4) if needed is None else booked.get(window, 0)
            calls[window.key] = max(0, number - max(0, window.granted_left(now)))
        return RunNeeds(calls, needed is None)

    def _list_windows(self) -> set[WindowCount]:
        return {*self._windows.values(), *self._wide.values()}

    def _book_calls(self, calls: Mapping[Route, int]) -> dict[WindowCount, int]:
        """How many of these calls count against each window; an account-wide one that any answer
        has told of counts all."""
        booked = dict.fromkeys(self._wide.values(), sum(calls.values()))
        for route, number in calls.items():
            for window in {*self._windows_of(route)} - {*self._wide.values()}:
                booked[window] = booked.get(window, 0) + number
        return booked

    def _count_ahead(self, window: WindowCount, own: int) -> int:
        return self._shared.count_ahead(window.key, own) if self._shared else 0

    def _count_taken(self, window: WindowCount, now: float) -> int:
        taken = self._shared.count_taken(window.key) if self._shared else 0
        return taken - max(0, window.granted_left(now))

    def count_others(self) -> int:
        """How many other runs use the limits now, as far as is known."""
        with self._changed:
            self._join_others()
            return self._shared.count_others(self._count_needs()) if self._shared else 0

    def has_guesses(self) -> bool:
        """Whether what other runs send before this one, or beside it, is not known yet."""
        with self._changed:
            return self._shared is not None and self._shared.has_guesses()

    def leave_shared(self) -> None:
        """Gives back what this run has taken of the limits and not used."""
        with self._changed:
            if self._shared:
                self._shared.end_run(self._list_windows(), self._clock())
            self._shared = self.open_shared = None

    def wait_for_answer(self) -> None:
        """Waits until an answer has come, or for a moment."""
        with self._changed:
            self._changed.wait(_ANSWER)

    def end_request(self, route: Route, turn: SendTurn, outcome: Outcome) -> None:
        """Reports that a request has ended; its answer may have said how full a window is."""
        with self._changed:
            now, standing = self._clock(), outcome.standing
            announced = self._find_window(route, standing) if standing else None
            if outcome.fate is DeliveryStatus.ACKNOWLEDGED:
                self._forget_windows(self._find_lifted(route, turn.sent, announced, standing))
            for window in turn.windows:
                # A window of which the answer did not speak gets no word about this request, though
                # another window did.
                if window is not announced:
                    window.note_silence(turn.sent, now, answered=outcome.status is not None)
            if announced and standing:
                if announced not in turn.windows:
                    announced.count_sent(turn.sent)
                announced.note_standing(turn.sent, standing, now)
            self._changed.notify_all()

    def _find_lifted(
        self,
        route: Route,
        sent: float,
        announced: WindowCount | None,
        standing: WindowStanding | None,
    ) -> Sequence[WindowCount]:
        """The windows of which earlier answers about a route have told and that are no more: an
        answer tells of the one that has the fewest requests left."""
        left = standing.remaining if standing else math.inf
        return [
            window
            for window in self._wide.values()
            if route.name in window.routes
            if window is not announced and window.told_at < sent
            if left > window.limit - self._count_known(window, self._clock()) + _AT_ONCE
        ]

    def _count_known(self, window: WindowCount, now: float) -> int:
        """The requests of a window that the platform has counted for sure."""
        alone = self._shared is not None and self._shared.is_alone()
        return max(window.count_told(now), self._count_taken(window, now) if alone else 0)

    def _forget_windows(self, lifted: Sequence[WindowCount]) -> None:
        """The account was given other limits, or none. Where they still hold, the next answer tells
        of them."""
        self._wide = {limit: one for limit, one in self._wide.items() if one not in lifted}
        if lifted and self._shared:
            self._shared.forget_windows([window.key for window in lifted])

    def note_refusal(self, turn: SendTurn, wait: float) -> bool:
        """The platform has refused a request for now; False if it is not known for which window."""
        with self._changed:
            now = self._clock()
            for window in turn.windows:
                window.note_refusal(wait, now)
            self._changed.notify_all()
            return bool(turn.windows)

    def count_earlier(self, sent: Iterable[tuple[Route, float]]) -> None:
        """Counts what other runs with the same state have sent: routes, and seconds since."""
        ages: dict[str, list[float]] = {}
        with self._changed:
            for route, age in sent:
                for name, _ in _limits_of(route):
                    ages.setdefault(name, []).append(age)
                self._windows_of(route)
            for name, each in ages.items():
                self._windows[name].count_earlier(each, self._clock())

    def seconds_ahead(self, calls: Mapping[Route, int]) -> float:
        """Seconds until the last of these calls may be sent, if each is made as soon as it may."""
        with self._changed:
            self._join_others()
            booked = self._book_calls(calls)
            now = self._clock()
            waits = (
                window.seconds_ahead(
                    most + self._count_ahead(window, most), now, self._count_taken(window, now)
                )
                for window, most in booked.items()
            )
            return max(waits, default=0.0)

    def calls_beside(self, route: Route, needed: Mapping[Route, int]) -> float:
        """How many calls of a route may be sent without making calls wait that are needed, which
        are those under way as well. An account-wide window that any answer has told of counts;
        infinite where none is known."""
        with self._changed:
            booked = self._book_calls(needed)
            counting = {*self._wide.values(), *self._windows_of(route)}
            now = self._clock()
            beside = (
                window.calls_beside(number + self._count_ahead(window, number), now)
                for window in counting
                for number in [booked.get(window, 0)]
            )
            return min(beside, default=math.inf)

    def _windows_of(self, route: Route) -> tuple[WindowCount, ...]:
        own = []
        for name, window in _limits_of(route):
            if name not in self._windows:
                self._windows[name] = WindowCount(window, str(name))
            own.append(self._windows[name])
        found = [window for window in self._wide.values() if route.name in window.routes]
        # Before the first answer about a route, what others have told of all requests counts it
        # too: what the platform counts already would else seem to be sent by other runs.
        return (*own, *(found if found or own else self._wide.values()))

    def _find_window(self, route: Route, standing: WindowStanding) -> WindowCount:
        """The window that an answer tells of: that of its tier or route, if it can be that one."""
        # The headers do not say which window they mean. An end that is further away than any
        # declared window is long must be of another one.
        known = self._wide.get(standing.limit)
        if known is None or route.name not in known.routes:
            for name, _ in _limits_of(route):
                own = self._windows[name]
                if standing.left is None or standing.left <= own.seconds + _SLACK:
                    return own
        shared = self._wide_window(standing.limit, standing.left or 0)
        shared.routes.add(route.name)
        shared.seconds = max(shared.seconds, standing.left or 0.0)
        return shared


def _limits_of(route: Route) -> list[tuple[str, Window]]:
    own = [(route.name, route.limit)] if route.limit else []
    return [*own, (route.tier, route.tier.window)] if route.tier else own
