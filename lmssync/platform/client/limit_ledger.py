"""What all runs of an instance have taken of its limits, and who goes first: a small text beside
the state.

Moments are those of the platform's clock, in Unix seconds, so it does not matter whose clock is
wrong. A run takes some requests of a window at a time, so that it writes a few times a minute.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import orjson

_ACTIVE = 90.0
"""Seconds for which a run counts as one that goes on after it has written last: a killed one does
not keep others waiting for longer."""
_SAME_END = 2.0
"""Seconds by which two answers may differ about the end of one window: they round."""
_SHARE, _MOST_TOGETHER = 4, 60
"""A run takes a fourth of a window at a time, and never more than that many requests: so much is
lost if it is killed."""
_MOST_TEXT = 100_000


class Urgency(IntEnum):
    """Which runs go first where the limits are not enough for all of them."""

    APPLY = 0
    PLAN = 1
    LOOK = 2


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

    @property
    def used(self) -> int:
        return self.others + sum(self.taken.values())


@dataclass
class ActiveRun:
    """A run that goes on, and the requests that it still needs of each window."""

    urgency: int
    until: float
    needs: dict[str, int] = field(default_factory=dict)


class Asked(NamedTuple):
    """What a run wants of one window, and what answers have told it about it."""

    key: str
    limit: int
    seconds: float
    sent: int = 0
    """Requests that it has sent without having taken them."""
    counted: int | None = None
    """What the platform has counted, by the latest answer; None: no answer has told."""
    ends: float | None = None
    routes: Sequence[str] = ()


class Taken(NamedTuple):
    """What a run got of a window, and until when it counts."""

    number: int
    ends: float
    is_told: bool


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
            found = orjson.loads(text) if len(text) <= _MOST_TEXT else {}
            return cls(
                {key: _checked(SharedWindow(**one)) for key, one in found["windows"].items()},
                {name: _checked(ActiveRun(**one)) for name, one in found["runs"].items()},
                float(found["written"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def spell_text(self, now: float) -> str:
        """The ledger as text, without what is over."""
        windows = {key: asdict(one) for key, one in self.windows.items() if one.ends > now}
        runs = {name: asdict(one) for name, one in self.runs.items() if one.until > now}
        document = {"windows": windows, "runs": runs, "written": now}
        return orjson.dumps(document, option=orjson.OPT_NON_STR_KEYS).decode()  # keys may be tiers

    def note_run(self, run: str, urgency: int, needs: Mapping[str, int], now: float) -> None:
        """Says that a run goes on, and what it still needs."""
        self.runs[run] = ActiveRun(int(urgency), now + _ACTIVE, dict(needs))

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
        self, run: str, urgency: int, asked: Asked, now: float, *, is_sure: bool
    ) -> Taken | None:
        """Lets a run take some requests of a window, as far as it is its turn.

        A run that has heard nothing from the platform yet is not `is_sure` of its time. It takes
        one request, and where a window seems to be over, the ledger does not say: None.
        """
        if asked.ends is not None and asked.ends <= now:  # what was told is of an earlier window
            asked = asked._replace(counted=None, ends=None)
        window = self.windows.get(asked.key)
        if not is_sure and (window is None or self._is_over(window, now)):
            return None
        if window is None or self._has_ended(window, asked, now):
            window = SharedWindow(asked.limit, asked.seconds, now + asked.seconds + 1.0)
            self.windows[asked.key] = window
        self._note_told(window, asked)
        # What was sent before the window was known is a fact: it counts, whatever is left.
        window.taken[run] = window.taken.get(run, 0) + asked.sent
        if asked.counted is not None:
            window.others = max(window.others, asked.counted - sum(window.taken.values()))
        wanted = 1 if not is_sure else min(max(1, window.limit // _SHARE), _MOST_TOGETHER)
        number = max(0, min(wanted, self._count_free(run, urgency, asked.key, now)))
        window.taken[run] += number
        return Taken(number, window.ends, window.is_told)

    def _has_ended(self, window: SharedWindow, asked: Asked, now: float) -> bool:
        """Whether it is over, by the clock or because an answer tells of a later one."""
        later = asked.ends is not None and window.is_told and asked.ends > window.ends + _SAME_END
        return later or self._is_over(window, now)

    @staticmethod
    def _is_over(window: SharedWindow, now: float) -> bool:
        # None ends later than its length from now: the ledger is damaged, or a clock was wrong, and
        # every run would wait until then.
        return not now < window.ends <= now + window.seconds + _ACTIVE

    @staticmethod
    def _note_told(window: SharedWindow, asked: Asked) -> None:
        if asked.ends is not None:
            window.limit = asked.limit
            window.ends = min(window.ends, asked.ends) if window.is_told else asked.ends
            window.is_told = True
        window.seconds = max(window.seconds, asked.seconds)
        window.routes = sorted({*window.routes, *asked.routes})

    def _count_free(self, run: str, urgency: int, key: str, now: float) -> int:
        """What is left for a run beside others: who goes first gets all it needs, equals a part."""
        window, others = self.windows[key], self.list_others(run, now)
        free = window.limit - window.used
        free -= sum(one.needs.get(key, 0) for _, one in others if one.urgency < urgency)
        equals = {
            name: needed
            for name, one in others
            if one.urgency == urgency and (needed := one.needs.get(key, 0))
        }
        part = (window.limit - window.others) // (len(equals) + 1)
        due = (min(needed, part - window.taken.get(name, 0)) for name, needed in equals.items())
        # Its own part a run gets in any case: else two could leave the last requests to each other.
        own = min(free, part - window.taken.get(run, 0))
        return max(own, free - sum(max(0, one) for one in due))

    def list_others(self, run: str, now: float) -> Sequence[tuple[str, ActiveRun]]:
        """The runs that go on beside one, and their names."""
        # None is noted for longer than `_ACTIVE`; later moments are those of a damaged ledger.
        until = now + 2 * _ACTIVE
        others = ((name, one) for name, one in self.runs.items() if name != run)
        return [(name, one) for name, one in others if now < one.until <= until]

    def count_ahead(self, run: str, urgency: int, key: str, own: int, now: float) -> int:
        """The requests of a window that others send before a run has sent so many."""
        return sum(
            needed if one.urgency < urgency else min(needed, own)
            for _, one in self.list_others(run, now)
            if (needed := one.needs.get(key, 0)) and one.urgency <= urgency
        )


def _checked(one: Any) -> Any:
    """The value itself; raises `TypeError` where a number is none."""
    numbers = [v for k, v in vars(one).items() if k not in {"taken", "needs", "routes", "is_told"}]
    counts = [*getattr(one, "taken", {}).values(), *getattr(one, "needs", {}).values()]
    names = getattr(one, "routes", [])
    if not all(isinstance(n, int | float) for n in (*numbers, *counts)):
        raise TypeError("not a number")
    if not all(isinstance(name, str) for name in names):
        raise TypeError("not a name")
    return one
