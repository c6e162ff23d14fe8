"""The part of an instance's limits that a run may use, beside other runs.

The windows of a run know what answers tell, which is what was sent. What other runs are about to
send is in a ledger: a short text that they share. Its moments are those of the platform's clock, in
Unix seconds, so it does not matter whose clock is wrong. Where it cannot be read or written, a run
goes on by the answers alone.
"""

import math
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Protocol

import orjson

from ...errors import StateError
from ...support import tracing
from .window_count import RunNeeds, Urgency, WindowCount, WindowUse

_FIRST = 2.0
"""Seconds for which the first answer is waited for."""
_LOOK = 5.0
"""Seconds between two looks at a ledger that has nothing left for a run."""
_ACTIVE = 90.0
"""Seconds for which a run counts as one that goes on after it has written last: a killed one does
not keep others waiting for longer."""
_SAME_END = 2.0
"""Seconds by which two answers may differ about the end of one window: they round."""
_SHARE, _MOST_TOGETHER = 4, 60
"""A run takes a fourth of a window at a time, and never more than that many requests: so much is
lost if it is killed."""
_MOST_TEXT = 100_000
_LONG = 120.0
"""For a longer wait than so many seconds that the ledger alone tells of, the platform is asked."""


@dataclass
class SharedWindow:
    """What has been taken of the current window of a limit."""

    limit: int
    seconds: float
    ends: float
    is_told: bool = False
    """Whether an answer has told the end; else the run that began the window has guessed it."""
    others: int = 0
    """Requests that the platform has counted and no run has taken: those of other programs."""
    taken: dict[str, int] = field(default_factory=dict)
    """By run, how many requests it has sent or may still send."""
    routes: list[str] = field(default_factory=list)
    """The routes whose answers have told of it; none where the specification declares it."""

    def is_over(self, now: float) -> bool:
        """Whether it has ended, by the clock."""
        # None ends later than its length from now: the ledger is damaged, or a clock was wrong, and
        # every run would wait until then.
        return not now < self.ends <= now + self.seconds + _ACTIVE


@dataclass
class ActiveRun:
    """A run that goes on, and the requests that it still needs of each window."""

    urgency: int
    until: float
    needs: dict[str, int] = field(default_factory=dict)
    is_guess: bool = False
    """Whether it does not know yet what it needs."""

    @property
    def is_beginning(self) -> bool:
        """Whether its first request is still to be sent, for which no window may be known."""
        return self.is_guess and not self.needs


@dataclass
class LimitLedger:
    """The windows of an instance and the runs that use them."""

    windows: dict[str, SharedWindow] = field(default_factory=dict)
    runs: dict[str, ActiveRun] = field(default_factory=dict)
    written: float = 0.0

    @classmethod
    def parse_text(cls, text: str) -> "LimitLedger":
        """The ledger in a text; an empty one where another version or nobody has written it: what
        was taken is then known from the answers of the platform alone."""
        try:
            found = orjson.loads(text[:_MOST_TEXT])
            ledger = cls(
                {key: SharedWindow(**one) for key, one in found["windows"].items()},
                {name: ActiveRun(**one) for name, one in found["runs"].items()},
                found["written"],
            )
            numbers = [ledger.written]
            for window in ledger.windows.values():
                numbers += (window.limit, window.seconds, window.ends, window.others)
                numbers += window.taken.values()
                "".join(window.routes)
            for run in ledger.runs.values():
                numbers += (run.urgency, run.until, run.is_guess, *run.needs.values())
            sum(numbers)  # fails where one of them is none
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls()
        return ledger

    def spell_text(self, now: float) -> str:
        """The ledger as text, without what is over."""
        # The clock of this run may be behind: what ends late by it may be right.
        windows = {key: asdict(one) for key, one in self.windows.items() if one.ends > now}
        runs = {name: asdict(one) for name, one in self.runs.items() if one.until > now}
        document = {"windows": windows, "runs": runs, "written": now}
        return orjson.dumps(document, option=orjson.OPT_NON_STR_KEYS).decode()  # keys may be tiers

    def was_noted(self, run: str, now: float) -> bool:
        """Whether a run was noted not long ago."""
        return run in self.runs and self.runs[run].until > now + _ACTIVE / 2

    def end_run(self, run: str, unused: Mapping[str, int]) -> None:
        """Forgets a run, and gives back what it has taken and not used."""
        self.runs.pop(run, None)
        for key, number in unused.items():
            if (window := self.windows.get(key)) and run in window.taken:
                window.taken[run] = max(0, window.taken[run] - number)

    def take_requests(
        self, run: str, urgency: int, use: WindowUse, now: float, *, is_sure: bool
    ) -> int | None:
        """Lets a run take some requests of a window, as far as it is its turn; returns how many.

        A run that has heard nothing from the platform yet is not `is_sure` of its time. It takes
        one request, and where a window seems to be over, the ledger does not say: None.
        """
        if use.ends is not None and use.ends <= now:  # what was told is of an earlier window
            use = use._replace(counted=None, ends=None)
        window = self.windows.get(use.key)
        if window is None or window.is_over(now):
            if not is_sure:
                return None
            window = None
        elif use.ends is not None and window.is_told and use.ends > window.ends + _SAME_END:
            window = None  # an answer tells of a later one
        if window is None:
            window = SharedWindow(use.limit, use.seconds, now + use.seconds + 1.0)
            self.windows[use.key] = window
        if use.ends is not None:
            window.limit = use.limit
            window.ends = min(window.ends, use.ends) if window.is_told else use.ends
            window.is_told = True
        window.seconds = max(window.seconds, use.seconds)
        window.routes = sorted({*window.routes, *use.routes})
        # What was sent before the window was known is a fact: it counts, whatever is left.
        window.taken[run] = window.taken.get(run, 0) + use.sent
        taken = sum(window.taken.values())
        if use.counted is not None:
            window.others = max(window.others, use.counted - taken)
        wanted = 1 if not is_sure else min(max(1, window.limit // _SHARE), _MOST_TOGETHER)
        left = window.limit - window.others - taken
        number = max(0, min(wanted, self._count_own(run, urgency, use.key, left, now)))
        window.taken[run] += number
        return number

    def _count_own(self, run: str, urgency: int, key: str, left: int, now: float) -> int:
        """How many of the requests that are left a run may take beside others: who goes first gets
        all it needs, equals a part."""
        window, others = self.windows[key], self.list_others(run, now)
        needs = [(name, one.urgency, one.needs.get(key, 0)) for name, one in others]
        if not (run in self.runs and self.runs[run].is_beginning):  # else two could wait for ever
            left -= sum(one.is_beginning for _, one in others)
        left -= sum(needed for _, other, needed in needs if other < urgency)
        equals = {name: needed for name, other, needed in needs if other == urgency and needed}
        part = (window.limit - window.others) // (len(equals) + 1)
        due = (min(needed, part - window.taken.get(name, 0)) for name, needed in equals.items())
        # Its own part a run gets in any case: else two could leave the last requests to each other.
        own = min(left, part - window.taken.get(run, 0))
        return max(own, left - sum(max(0, one) for one in due))

    def list_others(self, run: str, now: float) -> Sequence[tuple[str, ActiveRun]]:
        """The runs that go on beside one, and their names."""
        # None is noted for longer than `_ACTIVE`; later moments are those of a damaged ledger.
        others = ((name, one) for name, one in self.runs.items() if name != run)
        return [(name, one) for name, one in others if now < one.until <= now + 2 * _ACTIVE]


class LimitsShelf(Protocol):
    """Keeps the text of a ledger where other runs find it."""

    def change_text(self, change: Callable[[str], str]) -> None:
        """Replaces the text by what `change` makes of it, as one step; writes nothing where that is
        the same. Raises `StateError`."""

    def close_shelf(self) -> None:
        """Lets go of what is open."""


class SharedLimits:
    """Takes requests from the ledger for one run, some at a time."""

    def __init__(
        self,
        shelf: LimitsShelf,
        urgency: Urgency,
        *,
        platform_seconds: Callable[[], float],
        is_sure: Callable[[], bool],
    ) -> None:
        """`is_sure` once the platform has told its time."""
        self._shelf, self._urgency = shelf, urgency
        self._platform_seconds, self._is_sure = platform_seconds, is_sure
        self._run = secrets.token_hex(4)
        self._ledger = LimitLedger()
        self._is_noted = self._is_broken = False
        self._look_at: dict[WindowCount, float] = {}
        """When the ledger is read again for a window of which nothing was left."""
        self.first_at = math.inf
        """When the run has sent its first request."""

    def count_others(self, needs: RunNeeds) -> int:
        """How many other runs use the limits now; from now on, they know what this one needs."""
        self._change(lambda ledger: self._note_run(ledger, needs))
        return len(self._list_others())

    def _list_others(self) -> Sequence[ActiveRun]:
        others = self._ledger.list_others(self._run, self._platform_seconds())
        return [one for _, one in others]

    def _note_run(self, ledger: LimitLedger, needs: RunNeeds) -> bool:
        """Notes this run."""
        # Where our clock is wrong, and the platform has not told the time yet, nobody heeds it.
        until = max(self._platform_seconds(), ledger.written) + _ACTIVE
        calls = dict(needs.calls)
        ledger.runs[self._run] = ActiveRun(int(self._urgency), until, calls, needs.is_guess)
        self._is_noted = True
        return True

    def has_guesses(self) -> bool:
        """Whether a run that goes before this one, or beside it, does not know yet what it
        needs."""
        return any(one.is_guess and one.urgency <= self._urgency for one in self._list_others())

    def learn_windows(self) -> Iterable[SharedWindow]:
        """The windows of which the answers of other runs have told; they know of this one now."""

        def join_ledger(ledger: LimitLedger) -> bool:
            # Where nobody has noted anything yet, no answer tells of a limit: nothing to write.
            return bool(ledger.written) and self._note_run(ledger, RunNeeds({}, is_guess=True))

        self._change(join_ledger)
        now = self._platform_seconds()
        return [one for one in self._ledger.windows.values() if one.routes and not one.is_over(now)]

    def may_send(self, now: float) -> bool:
        """False while the first request is under way, unless it takes long: its answer tells the
        time of the platform and what is left."""
        return not self.first_at <= now < self.first_at + _FIRST or self._is_sure()

    def seconds_to_wait(
        self,
        windows: Iterable[WindowCount],
        needs: Callable[[], RunNeeds],
        now: float,
    ) -> float:
        """Seconds until these windows may have room for a request of this run."""
        lacking = [one for one in windows if one.granted_left(now) <= 0]
        if lacking and not any(self._is_awaited(one, now) for one in lacking):
            for one in self._take_requests(lacking, needs(), now):
                self._look_at[one] = min(now + _LOOK, one.granted_until)
        if self._is_broken:
            return 0.0
        waits = (one.granted_until - now for one in lacking if self._is_awaited(one, now))
        longest = max(waits, default=0.0)
        # The account may have been given other limits since the last run. One answer tells.
        asks = longest > _LONG and self.first_at == math.inf and self.is_alone()
        return 0.0 if asks else longest

    def is_alone(self) -> bool:
        """Whether no other run uses the limits now, as far as is known."""
        return not self._list_others()

    def forget_windows(self, keys: Iterable[str]) -> None:
        """Takes windows from the ledger that the platform no longer has."""

        def forget(ledger: LimitLedger) -> bool:
            return any([ledger.windows.pop(key, None) for key in keys])  # noqa: C419 - all of them

        self._change(forget)

    def _is_awaited(self, window: WindowCount, now: float) -> bool:
        # An answer may have told of a later window since nothing was left.
        return self._look_at.get(window, now) > now and window.granted_until > now

    def _take_requests(
        self,
        lacking: Iterable[WindowCount],
        needs: RunNeeds,
        now: float,
    ) -> Sequence[WindowCount]:
        """Takes some requests of each window; the windows of which nothing was left."""
        moment, is_sure = self._platform_seconds(), self._is_sure()
        uses = {one: one.describe_use(now, moment) for one in lacking}
        got: dict[WindowCount, tuple[int, float, bool]] = {}

        def take(ledger: LimitLedger) -> bool:
            # A clock that is behind would take what is over for the current window.
            at = moment if is_sure else max(moment, ledger.written)
            for window, use in uses.items():
                number = ledger.take_requests(self._run, self._urgency, use, at, is_sure=is_sure)
                if number is not None:
                    shared = ledger.windows[use.key]
                    got[window] = number, now + shared.ends - at, shared.is_told
            changed = any(number or uses[window].sent for window, (number, *_) in got.items())
            if changed or not ledger.was_noted(self._run, at):
                now_taken = {window.key: number for window, (number, *_) in got.items()}
                left = {key: max(0, n - now_taken.get(key, 0)) for key, n in needs.calls.items()}
                changed |= self._note_run(ledger, RunNeeds(left, needs.is_guess))
            self._is_noted |= changed
            return changed

        self._change(take)
        for window, (number, until, is_told) in got.items():
            window.take_granted(number, until, is_told=is_told)
        return [window for window, (number, *_) in got.items() if not number]

    def count_ahead(self, key: str, own: int) -> int:
        """The requests of a window that other runs send before this one has sent so many."""
        return sum(
            needed if one.urgency < self._urgency else min(needed, own)
            for one in self._list_others()
            if (needed := one.needs.get(key, 0)) and one.urgency <= self._urgency
        )

    def count_taken(self, key: str) -> int:
        """The requests of the current window that any run has taken, sent or not."""
        window = self._ledger.windows.get(key)
        if window is None or window.is_over(self._platform_seconds()):
            return 0
        return window.others + sum(window.taken.values())

    def end_run(self, windows: Iterable[WindowCount], now: float) -> None:
        """Gives back what was not used; nothing is written where nothing was taken."""
        unused = {one.key: left for one in windows if (left := one.granted_left(now)) > 0}

        def give_back(ledger: LimitLedger) -> bool:
            ledger.end_run(self._run, unused)
            return True

        if self._is_noted:
            self._change(give_back)
        self._shelf.close_shelf()

    def _change(self, change: Callable[[LimitLedger], bool]) -> None:
        """Changes the ledger; from the first failure on, the run goes on without one."""
        if self._is_broken:
            return

        def change_text(text: str) -> str:
            self._ledger = LimitLedger.parse_text(text)
            changed = change(self._ledger)
            # What seems to be over may not be so before the platform has told the time.
            now = self._platform_seconds() if self._is_sure() else self._ledger.written
            return self._ledger.spell_text(now) if changed else text

        try:
            with tracing.trace_stage("limits"):
                self._shelf.change_text(change_text)
        except StateError:
            # Nobody's run fails, or is slower, because others cannot be told of it: a home that is
            # read-only, a plan by somebody without rights. Answers still say what is left.
            self._is_broken = True
