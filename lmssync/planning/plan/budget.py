"""What a plan costs: the exact number of writes, a range of reads, and minutes (spec 8)."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ...vocabulary.limits import STANDARD
from ...vocabulary.routes import ROUTES
from .plan import Plan
from .reads import JOB, list_reads, total_reads
from .schedule import calls_least


class Budget(NamedTuple):
    """The calls of an apply; those made for planning are counted separately."""

    writes: Mapping[str, int]
    """Calls by route: exactly these are sent, unless the platform refuses something."""
    least_reads: Mapping[str, int]
    most_reads: Mapping[str, int]
    fewest_writes: int
    """Minutes if every write were full and nothing had to wait for anything."""
    planning: Mapping[str, int]
    """Reads made to prepare the plan. An apply without a saved plan makes them again."""

    @property
    def by_route(self) -> dict[str, int]:
        """The most calls of each route, without those made for planning."""
        calls = Counter(self.writes) + Counter(self.most_reads)
        return dict(sorted(calls.items()))

    @property
    def total(self) -> int:
        return sum(self.by_route.values())

    @property
    def fewest(self) -> int:
        """The fewest calls that may be sent."""
        return sum(self.writes.values()) + sum(self.least_reads.values())

    def range(self, route: str) -> tuple[int, int]:
        """The fewest and the most calls of a route."""
        writes = self.writes.get(route, 0)
        low, high = (reads.get(route, 0) for reads in (self.least_reads, self.most_reads))
        return writes + low, writes + high

    @property
    def follows_jobs(self) -> bool:
        """True if jobs are read while they run: how often depends on the platform."""
        low, high = self.range(JOB)
        return low < high

    def exclude_polls(self) -> "Budget":
        """The same cost, where each job is read only as often as is sure."""
        sure = {JOB: self.least_reads.get(JOB, 0)} if self.follows_jobs else {}
        return self._replace(most_reads={**self.most_reads, **sure})

    @staticmethod
    def count_polls(calls: Mapping[str, int]) -> int:
        """How many of these calls, by route, have read a job."""
        return calls.get(JOB, 0)

    @property
    def least(self) -> int:
        return self.fewest_writes + sum(self.least_reads.values())

    @property
    def reads(self) -> tuple[int, int]:
        """The least and the most reads, without those made for planning."""
        return sum(self.least_reads.values()), sum(self.most_reads.values())

    @property
    def minutes(self) -> tuple[float, float]:
        """Minutes if only the tiers and route limits apply; if the account-wide figures do too."""
        low = _by_windows(Counter(self.writes) + Counter(self.least_reads))
        high = _by_windows(self.by_route)
        return low, max(low, high, _by_account(self.total))

    @property
    def is_bound_by_account(self) -> bool:
        """True if the longer time is that of the account-wide figures, not of a route."""
        return _by_account(self.total) > _by_windows(self.by_route)

    def seconds(self, latency: float, connections: int) -> tuple[float, float]:
        """The same in seconds, where a request takes `latency` to be answered, and so many may be
        under way at once."""
        short, long = (60 * minutes for minutes in self.minutes)
        return max(short, latency * self.fewest / connections), long + latency * self.total

    def document(self) -> dict[str, Any]:
        """As `calls` of the JSON."""
        return {
            "total": self.total,
            "byRoute": self.by_route,
            "least": self.least,
            "minutes": list(self.minutes),
            "writes": sum(self.writes.values()),
            "reads": list(self.reads),
            "planning": sum(self.planning.values()),
            "planningByRoute": dict(sorted(self.planning.items())),
        }


@lru_cache(maxsize=1)
def plan_budget(plan: Plan) -> Budget:
    """The cost of a plan, before anything is sent."""
    writes = Counter(step.route for step in plan.steps)
    sizes: Counter[str] = Counter()
    for part in plan.parts:
        sizes[part.route] += part.size
    low, high = total_reads(list_reads(plan))
    return Budget(writes, low, high, calls_least(sizes), plan.planning)


def _by_windows(by_route: Mapping[str, int]) -> float:
    """Minutes that the windows of tiers and routes make a run wait."""
    waits = [
        (calls - 1) // window.requests * window.seconds / 60
        for name, calls in by_route.items()
        for window in ROUTES[name].windows
    ]
    return max(waits, default=0.0)


def _by_account(total: int) -> float:
    """Minutes if the account-wide figures of the standard plan hold (spec 8)."""
    hours = (total - 1) // STANDARD.per_hour if total else 0
    rest = total - hours * STANDARD.per_hour
    return round(hours * 60 + rest / STANDARD.per_minute, 1)
