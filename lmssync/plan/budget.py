"""What a plan costs: calls by route, the least there could be, and minutes (spec 8)."""

from collections import Counter
from typing import NamedTuple

from ..kinds import KINDS
from ..kinds.kind import nothing
from ..resource import unpack
from ..vocabulary.limits import STANDARD
from ..vocabulary.routes import ROUTES
from .plan import Plan, Share, entries
from .schedule import calls_least


class Budget(NamedTuple):
    """Calls that an apply of a plan makes, reads included."""

    by_route: dict[str, int]
    least: int
    minutes: tuple[float, float]
    """If only the tiers and route limits apply; if the account-wide standard figures do too."""

    @property
    def total(self) -> int:
        return sum(self.by_route.values())


def budget(plan: Plan) -> Budget:
    """The cost of a plan, before anything is sent."""
    writes = Counter(step.route for step in plan.steps)
    reads = Counter(
        route
        for step in plan.steps
        for route, _ in {_readback(share) for share in step.shares if _is_read_back(share)}
    )
    reads["job.read"] += sum(
        KINDS[step.shares[0].address.kind].jobs is not nothing for step in plan.steps
    )
    sizes: Counter[str] = Counter()
    for step in plan.steps:
        sizes[step.route] += sum(len(entries(step.route, share.body)) for share in step.shares)
    by_route = dict(sorted((writes + reads + Counter(ping=int(bool(plan.steps)))).items()))
    total = sum(by_route.values())
    least = calls_least(sizes) + reads.total() + int(bool(plan.steps))
    return Budget(
        by_route, least, (_by_windows(by_route), max(_by_windows(by_route), _by_account(total)))
    )


def _is_read_back(share: Share) -> bool:
    return share.adds and KINDS[share.address.kind].readback


def _readback(share: Share) -> tuple[str, str]:
    """The route that is read after this share, and what of: shares of one step may share a read."""
    reading = KINDS[share.address.kind].reading(share.address, unpack(share.packed_after))
    return (reading.route, str((reading.params, reading.query))) if reading else ("", "")


def _by_windows(by_route: dict[str, int]) -> float:
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
