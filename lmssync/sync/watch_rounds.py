"""Rounds of `lmssync watch`: what each has found and done, and when the next one is due.

Times are seconds since 1970.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from enum import StrEnum
from typing import NamedTuple, Self

from ..planning.plan import Action, GuardVerdict, Plan, stopping_verdicts
from ..platform.client import Reader
from ..resource import Address
from ..support.notification_settings import Occasion
from .drift import DriftResult
from .news_delivery import Message
from .recorded_status import Status

LONGEST = 3_600.0
"""Seconds to which the pauses after failures grow, where rounds are not further apart anyway."""
_SPREAD = 0.05
"""By how much of it a pause is longer or shorter, so that several services do not ask at once."""
_UNHEALTHY = 3
"""Intervals without a round that ended well, after which the service counts as unhealthy."""


class Ending(StrEnum):
    """How a round ended."""

    WELL = "well"
    """A plan was made, and what could be applied was."""
    HINDERED = "hindered"
    """The catalog or the project file is wrong, or another run holds the state: the next round is
    as usual."""
    FAILED = "failed"
    """The platform, the state or lmssync failed: the next pauses grow."""


class Planned(NamedTuple):
    """The summary of a plan."""

    at: float
    changes: Mapping[str, int]
    """How many resources have each action."""
    guards: Sequence[GuardVerdict]
    blocked: Sequence[tuple[Address, str]]
    """The changes that have to be decided first, and why."""

    @classmethod
    def from_plan(cls, plan: Plan, at: float) -> Self:
        blocked = [(one.address, one.block_reason) for one in plan.undecided_changes]
        return cls(at, plan.summary, plan.guards, blocked)

    @property
    def stopping_guards(self) -> Sequence[GuardVerdict]:
        """The guards and policies for which nothing of it is applied."""
        return stopping_verdicts(self.guards)

    @property
    def wanted_changes(self) -> Mapping[str, int]:
        """How many resources have each action, without those that are as they should be."""
        return {k: n for k, n in self.changes.items() if n and k != Action.UNCHANGED}


class KnownDrift(NamedTuple):
    """The result of all looks for drift so far."""

    at: float
    drifted: Set[Address]
    left: int
    """How many resources the latest look had no calls left for."""

    @classmethod
    def from_look(cls, look: DriftResult, before: "KnownDrift | None", at: float) -> Self:
        """The findings of a look; what it did not read is as the looks before have left it."""
        known = before.drifted if before else frozenset()
        found = {one.address for one in look.findings}
        return cls(at, found | (known & set(look.left)), len(look.left))


class Round(NamedTuple):
    """One round."""

    began: float
    seconds: float
    code: int
    """The exit code that a command would have."""
    ending: Ending
    environment: str = ""
    """Empty where the project file could not be read."""
    message: str = ""
    """The error that stopped it, or a part of it."""
    hint: str = ""
    planned: Planned | None = None
    done: Mapping[str, int] = {}
    """How many resources have each outcome, where something was applied."""
    drift: KnownDrift | None = None
    status: Status | None = None
    news: Mapping[Occasion, Message | None] = {}
    """What was to be told to those whom `notify:` names."""
    readers: Sequence[Reader] = ()
    """The ways to the platform that it has used."""


class WatchOverview(NamedTuple):
    """The result of all rounds of a service; it is replaced as a whole, since threads read it."""

    interval: float
    applies: bool
    began: float
    last: Round | None = None
    due: float | None = None
    """When the next round begins; None while one runs."""
    good: float | None = None
    """When the latest round ended that ended well."""
    failures: int = 0
    """Rounds in a row that have failed."""
    environment: str = ""
    planned: Planned | None = None
    drift: KnownDrift | None = None
    status: Status | None = None
    news: Mapping[Occasion, Message | None] = {}
    """What was told last about each occasion."""
    rounds: Mapping[int, int] = {}
    """How many rounds there were with each exit code."""
    calls: Mapping[tuple[str, int], int] = {}
    """Requests by route and status; the status of a request without an answer is 0."""
    remaining: Mapping[str, int] = {}
    """By route, how many requests its window still takes, as the latest answers say."""

    def after_round(self, one: Round) -> Self:
        """The overview with a further round; what that round did not learn stays as it was."""
        failed = one.ending is Ending.FAILED
        calls = sum((reader.ended for reader in one.readers), Counter(self.calls))
        standings = {k: v for reader in one.readers for k, v in reader.standings.items()}
        remaining = {name: standing.remaining for name, standing in standings.items()}
        return self._replace(
            last=one._replace(readers=()),
            good=one.began + one.seconds if one.ending is Ending.WELL else self.good,
            failures=self.failures + 1 if failed else 0,
            environment=one.environment or self.environment,
            planned=one.planned or self.planned,
            drift=one.drift or self.drift,
            status=one.status or self.status,
            news={**self.news, **one.news},
            rounds=Counter(self.rounds) + Counter([one.code]),
            calls=calls,
            remaining={**self.remaining, **remaining},
        )

    def is_healthy(self, now: float) -> bool:
        """Whether some round has ended well in the last three intervals."""
        return now - (self.good or self.began) <= _UNHEALTHY * self.interval

    def seconds_to_next(self, chance: float) -> float:
        """Seconds until the next round; `chance` is a random number from 0 to 1.

        After failures in a row it doubles, up to an hour.
        """
        # The exponent has a limit, since a service that fails for a year would overflow the float.
        doubled = self.interval * 2.0 ** min(max(self.failures - 1, 0), 20)
        longest = max(self.interval, LONGEST)
        # Spread at random: many services that were started together must not ask the platform
        # together.
        return min(doubled, longest) * (1 + _SPREAD * (2 * chance - 1))
