"""When a request may be sent: never before its time, and never later (spec 8).

`Throttle` sends nothing and waits for nothing. Answers tell how the windows of the platform stand,
also for what others have sent; so a limit that is higher or lower for an account is known after one
answer. `RequestPacer` does the waiting, by one clock for all threads of a run.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Condition, Event, Lock
from typing import NamedTuple

from ...errors import Stopped
from ...vocabulary.limits import Window
from ...vocabulary.routes import Route
from .request_outcomes import Outcome, WindowStanding

_WORTH_A_WORD = 5.0
"""Seconds; a shorter wait is not reported."""
_LOOK = 0.5
"""Seconds between two checks whether the run should stop."""


class RequestPacer:
    """Waits that apply to all threads, are reported, and end when the run should stop."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        nap: Callable[[float], object] | None = None,
    ) -> None:
        self._clock = clock
        self._broken_off = Event()
        self._nap = nap or self._broken_off.wait
        self._lock = Lock()
        self._held_until = self._reported = 0.0
        self.tell: Callable[[str], None] = lambda _text: None
        """Called with a line for each wait that is long enough to report."""
        self.stops: Callable[[], bool] = lambda: False
        """True once the run has been asked to stop."""

    def hold_all(self, seconds: float) -> None:
        """Pause all threads until that time, because the platform asked for it."""
        with self._lock:
            until = self._clock() + seconds
            later = until - max(self._held_until, self._clock())
            self._held_until = max(self._held_until, until)
        if later > 1:  # else another thread has been told the same, and has said so
            self._report_wait(seconds, "the platform asked for it")

    @property
    def seconds_held(self) -> float:
        """Seconds for which the platform has asked to wait."""
        return max(0.0, self._held_until - self._clock())

    def now(self) -> float:
        """Seconds, by the clock of all waits."""
        return self._clock()

    def wait_for_turn(self) -> None:
        """Returns when a request may be sent; raises `Stopped`."""
        while (left := self._held_until - self._clock()) > 0:
            self._sleep_in_pieces(left)

    def sleep(self, seconds: float, why: str = "") -> None:
        """Waits for a reason of our own; raises `Stopped`."""
        if seconds > 0:
            self._report_wait(seconds, why)
            self._sleep_in_pieces(seconds)

    def look_again(self, seconds: float, why: str) -> None:
        """Waits so long, or for a moment if that is shorter; raises `Stopped`.

        Threads that wait for the same report it once.
        """
        with self._lock:
            until = self._clock() + seconds
            later, self._reported = until - self._reported, max(until, self._reported)
        if later > _WORTH_A_WORD:
            self._report_wait(seconds, why)
        self._sleep_in_pieces(min(seconds, _LOOK))

    def raise_if_stopped(self) -> None:
        """Raises `Stopped` if nobody should wait any more."""
        if self.stops() or self._broken_off.is_set():
            raise stopped_error()

    @contextmanager
    def broken_off(self) -> Iterator[None]:
        """Within this block no thread waits, so that the threads of a failed step can end."""
        self._broken_off.set()
        try:
            yield
        finally:
            self._broken_off.clear()

    def _report_wait(self, seconds: float, why: str) -> None:
        if seconds >= _WORTH_A_WORD and why:
            self.tell(f"waiting {seconds:,.0f} s: {why}")

    def _sleep_in_pieces(self, seconds: float) -> None:
        """Waits in short pieces: a second Ctrl-C ends it at once, the first within a moment."""
        end = self._clock() + seconds
        try:
            while (left := end - self._clock()) > 0:
                self.raise_if_stopped()
                self._nap(min(left, _LOOK))
        except KeyboardInterrupt:
            raise stopped_error() from None


def stopped_error() -> Stopped:
    return Stopped(
        "stopped while waiting for the platform", "run the same command again: nothing is lost"
    )


_WINDOW_MARGIN = 1.0
"""Seconds after which a window counts as over whose end no answer has told: it begins for the
platform when our request arrives, which is later than we send it."""
_ROUNDED = 2.0
"""Seconds by which the end of a window may seem later than it is: it is told in whole seconds, by a
clock that tells whole seconds as well."""
_ALONE = 2.0
"""Seconds for which the others wait until the first answer tells how a window stands."""


class WindowCount:
    """The requests of a window that the platform has counted, or may have.

    Answers tell how many it has counted, those of others included. What is under way, or has ended
    without a word, may or may not be among these; it counts here until a later answer tells.
    """

    def __init__(self, window: Window) -> None:
        self.limit, self.seconds = window.requests, float(window.seconds)
        self._began = self._ends = -1.0
        self._told = False
        self._counted = 0
        self._under_way = 0
        self._silent: list[float] = []

    def seconds_to_wait(self, now: float) -> float | None:
        """Seconds until a request may be sent; None: an answer that is under way tells more."""
        if now >= self._ends:
            self._told, self._counted, self._silent = False, 0, []
        # What is under way is left out here: it may yet turn out not to have counted, and its
        # answer says so.
        if self._counted + len(self._silent) >= self.limit:
            return self._ends - now
        # The first goes alone, unless it takes long: others may have left nothing of this window.
        first = not self._told and now < self._began + _ALONE
        if self._under_way and (first or self._count_used >= self.limit):
            return None
        return 0.0

    def count_sent(self, now: float) -> None:
        """A request is being sent."""
        if now >= self._ends:
            self._began, self._ends = now, now + self.seconds + _WINDOW_MARGIN
        self._under_way += 1

    def note_standing(self, sent: float, standing: WindowStanding, now: float) -> None:
        """The answer of a request that was sent then tells how the window stands."""
        self._under_way -= 1
        self.limit = standing.limit
        most = now + self.seconds  # it began before this answer was made
        ends = most if standing.left is None else min(now + standing.left, most)
        # A later end means that a new window has begun since the last answer. A difference of a
        # second or two is only the rounding of the header (`_ROUNDED`).
        if not self._told or ends > self._ends + _ROUNDED:
            self._counted, self._ends = 0, ends
        self._told, self._ends = True, min(self._ends, ends)
        self._counted = max(self._counted, standing.limit - standing.remaining)
        # The answer counts all that came before its own request. Only what ended without a word
        # after that request was sent may be missing in it.
        self._silent = [moment for moment in self._silent if moment > sent]

    def note_silence(self, sent: float, now: float, *, answered: bool) -> None:
        """A request has ended, and nothing tells whether it was counted.

        Where even an answer tells nothing, there is nothing to wait for.
        """
        self._under_way -= 1
        self._silent.append(now)
        if not self._told:
            self._told = answered
            # The request that opened the window was answered without headers: the window may have
            # begun as late as now.
            if sent <= self._began:
                self._ends = now + self.seconds

    def note_refusal(self, wait: float, now: float) -> None:
        """The platform has refused a request (429), and takes none for so many seconds."""
        self._under_way -= 1
        self._told, self._counted, self._silent = True, self.limit, []
        self._ends = now + wait

    def count_earlier(self, ages: list[float], now: float) -> None:
        """Counts what other runs have sent, so many seconds ago."""
        within = [age for age in ages if age < self.seconds]
        if within:
            self._began = now - max(within)
            self._ends = self._began + self.seconds + _WINDOW_MARGIN
            self._silent += [now - age for age in within]

    def seconds_ahead(self, calls: int, now: float) -> float:
        """Seconds until the last of so many requests may be sent, if nobody else sends any."""
        over = now >= self._ends
        room = self.limit - (self._under_way if over else self._count_used)
        if calls <= room:
            return 0.0
        # A division that rounds up.
        windows = -(-(calls - room) // self.limit)
        left = self.seconds + _WINDOW_MARGIN if over else self._ends - now
        return left + (windows - 1) * (self.seconds + _WINDOW_MARGIN)

    def calls_beside(self, needed: int, now: float) -> int:
        """The requests that may be sent besides so many that are needed, without making one of
        these wait: what is free in the windows that they take anyway. What is under way is among
        the needed ones."""
        used = 0 if now >= self._ends else self._counted + len(self._silent)
        free = max(0, self.limit - used) - needed
        # An answer may have counted what is under way: then so much more is free. As long as nobody
        # knows whether the needed ones end in this window or in the next, nothing counts as free.
        if free < 0 and free // self.limit < (free + self._under_way) // self.limit:
            return 0
        return free if free >= 0 else free % self.limit

    @property
    def _count_used(self) -> int:
        return self._counted + self._under_way + len(self._silent)


_ANSWER = 0.5
"""The most seconds to wait for an answer that tells more; then one looks again."""
_SLACK = 2.0
"""Seconds by which the window of a route may seem longer than it is: it is told in whole ones."""


class SendTurn(NamedTuple):
    """Whether a request may be sent now; its end has to be reported here."""

    wait: float | None
    """Seconds to wait before asking again; None: until an answer that is under way has come."""
    windows: tuple[WindowCount, ...] = ()
    sent: float = 0.0

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
        self._found: dict[str, dict[int, WindowCount]] = {}
        """Further windows of a route, by their limit: two routes that tell the same share it."""
        self._changed = Condition()

    def take_turn(self, route: Route) -> SendTurn:
        """Counts a request and lets it go, if it may be sent now."""
        with self._changed:
            turn = self._next_turn(route)
            for window in turn.windows:
                window.count_sent(turn.sent)
            return turn

    def next_turn(self, route: Route) -> SendTurn:
        """Whether a request could be sent now; it is not counted."""
        with self._changed:
            return self._next_turn(route)

    def _next_turn(self, route: Route) -> SendTurn:
        now, windows = self._clock(), self._windows_of(route)
        waits = [window.seconds_to_wait(now) for window in windows]
        longest = max((wait for wait in waits if wait), default=0.0)
        # The longest known wait wins over a window that is still unclear: what it says when its
        # answer comes does not matter before then.
        if longest or None in waits:
            return SendTurn(longest or None)
        return SendTurn(0.0, windows, now)

    def wait_for_answer(self) -> None:
        """Waits until an answer has come, or for a moment."""
        with self._changed:
            self._changed.wait(_ANSWER)

    def end_request(self, route: Route, turn: SendTurn, outcome: Outcome) -> None:
        """Reports that a request has ended; its answer may have said how full a window is."""
        with self._changed:
            now, standing = self._clock(), outcome.standing
            announced = self._find_window(route, standing) if standing else None
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
        booked: Counter[WindowCount] = Counter()
        with self._changed:
            for route, number in calls.items():
                for window in self._windows_of(route):
                    booked[window] += number
            now = self._clock()
            return max(
                (window.seconds_ahead(most, now) for window, most in booked.items()), default=0.0
            )

    def calls_beside(self, route: Route, needed: Mapping[Route, int]) -> float:
        """How many calls of a route may be sent without making calls wait that are needed, which
        are those under way as well. An account-wide window that any answer has told of counts;
        infinite where none is known."""
        with self._changed:
            wide = {window for found in self._found.values() for window in found.values()}
            booked = dict.fromkeys(wide, sum(needed.values()))
            for window in {*self._windows_of(route)} - wide:
                users = (one for one in needed if window in self._windows_of(one))
                booked[window] = sum(needed[one] for one in users)
            now = self._clock()
            beside = (window.calls_beside(number, now) for window, number in booked.items())
            return min(beside, default=math.inf)

    def _windows_of(self, route: Route) -> tuple[WindowCount, ...]:
        own = []
        for name, window in _limits_of(route):
            if name not in self._windows:
                self._windows[name] = WindowCount(window)
            own.append(self._windows[name])
        return (*own, *self._found.get(route.name, {}).values())

    def _find_window(self, route: Route, standing: WindowStanding) -> WindowCount:
        """The window that an answer tells of: that of its tier or route, if it can be that one."""
        # The headers do not say which window they mean. An end that is further away than any
        # declared window is long must be of another one.
        found = self._found.setdefault(route.name, {})
        if standing.limit not in found:
            for name, _ in _limits_of(route):
                own = self._windows[name]
                if standing.left is None or standing.left <= own.seconds + _SLACK:
                    return own
            known = [
                each[standing.limit] for each in self._found.values() if standing.limit in each
            ]
            length = Window(standing.limit, int(standing.left or 0))
            found[standing.limit] = known[0] if known else WindowCount(length)
        shared = found[standing.limit]
        shared.seconds = max(shared.seconds, standing.left or 0.0)
        return shared


def _limits_of(route: Route) -> list[tuple[str, Window]]:
    own = [(route.name, route.limit)] if route.limit else []
    return [*own, (route.tier, route.tier.window)] if route.tier else own
