"""The part of an instance's limits that a run may use, beside other runs with the same state.

The windows of a run know what answers tell, which is what was sent. What other runs are about to
send is in a ledger beside the state. Where it cannot be read or written, a run goes on by the
answers alone.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from ...errors import StateError
from ...support import tracing
from .limit_ledger import LimitLedger, SharedWindow, Urgency
from .window_count import WindowCount

_FIRST = 2.0
"""Seconds for which the first answer is waited for."""
_LOOK = 5.0
"""Seconds between two looks at a ledger that has nothing left for a run."""


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
        self._has_read = self._is_noted = self._is_broken = False
        self._look_at: dict[WindowCount, float] = {}
        """When the ledger is read again for a window of which nothing was left."""
        self._first_at: float | None = None

    def count_others(self) -> int:
        """How many other runs use the limits now, as far as the ledger says."""
        return len(self._ledger.list_others(self._run, self._platform_seconds()))

    def learn_windows(self) -> Iterable[SharedWindow]:
        """The windows of which the answers of other runs have told; once, before the first
        request."""
        if self._has_read:
            return ()
        self._has_read = True
        self._change(lambda _ledger: False)
        now = self._platform_seconds()
        return [one for one in self._ledger.windows.values() if one.routes and one.ends > now]

    def may_send(self, now: float) -> bool:
        """False while the first request is under way, unless it takes long: its answer tells the
        time of the platform and what is left."""
        first = self._first_at
        return first is None or now >= first + _FIRST or self._is_sure()

    def note_first(self, now: float) -> None:
        """The run has sent a request."""
        if self._first_at is None:
            self._first_at = now

    def seconds_to_wait(
        self,
        windows: Mapping[WindowCount, Sequence[str]],
        needs: Callable[[], Mapping[str, int]],
        now: float,
    ) -> float:
        """Seconds until these windows, with the routes that tell of them, may have room for a
        request of this run."""
        lacking = {one: windows[one] for one in windows if one.granted_left(now) <= 0}
        if lacking and not any(self._look_at.get(one, now) > now for one in lacking):
            for one in self._take_requests(lacking, needs(), now):
                self._look_at[one] = min(now + _LOOK, one.granted_until)
        if self._is_broken:
            return 0.0
        waits = (one.granted_until - now for one in lacking if self._look_at.get(one, now) > now)
        return max(waits, default=0.0)

    def _take_requests(
        self,
        lacking: Mapping[WindowCount, Sequence[str]],
        needs: Mapping[str, int],
        now: float,
    ) -> Sequence[WindowCount]:
        """Takes some requests of each window; the windows of which nothing was left."""
        moment, is_sure = self._platform_seconds(), self._is_sure()
        asks = {one: one.describe_use(now, moment, told) for one, told in lacking.items()}
        got = {}

        def take(ledger: LimitLedger) -> bool:
            # A clock that is behind would take what is over for the current window.
            at = moment if is_sure else max(moment, ledger.written)
            for window, asked in asks.items():
                taken = ledger.take_requests(self._run, self._urgency, asked, at, is_sure=is_sure)
                if taken:
                    got[window] = taken._replace(ends=taken.ends - at)
            changed = any(one.number or asks[window].sent for window, one in got.items())
            if is_sure and (changed or not ledger.was_noted(self._run, at)):
                ledger.note_run(self._run, self._urgency, needs, at)
                changed = True
            self._is_noted |= changed
            return changed

        self._change(take)
        for window, taken in got.items():
            window.take_granted(taken.number, now + taken.ends, is_told=taken.is_told)
        return [window for window, taken in got.items() if not taken.number]

    def count_ahead(self, key: str, own: int) -> int:
        """The requests of a window that other runs send before this one has sent so many."""
        now = self._platform_seconds()
        return self._ledger.count_ahead(self._run, self._urgency, key, own, now)

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
            return self._ledger.spell_text(self._platform_seconds()) if changed else text

        try:
            with tracing.trace_stage("limits"):
                self._shelf.change_text(change_text)
        except StateError:
            # Nobody's run fails, or is slower, because others cannot be told of it: a home that is
            # read-only, a plan by somebody without rights. Answers still say what is left.
            self._is_broken = True
