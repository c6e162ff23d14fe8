"""What a plan was to cost, and what it did cost, for people."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..planning.plan import Budget, Plan, plan_budget
from . import words

if TYPE_CHECKING:
    from ..applying.apply import Report


def cost_lines(report: "Report", plan: Plan | None, *, full: bool) -> Iterator[str]:
    """`The plan took 5 calls in 2 s; the forecast was 4 to 7 calls, under a minute.`

    `full` adds a line for each route.
    """
    if plan is None or report.spent is None or not plan.steps:
        return
    cost, spent = plan_budget(plan), report.spent
    number = words.count_noun(sum(spent.calls.values()), "call")
    if cost.follows_jobs:
        number += f" ({cost.count_polls(spent.calls):,} of them reads of jobs)"
    sure = cost.exclude_polls()
    forecast = f"{spell_range(sure.fewest, sure.total)} calls, {describe_minutes(sure)}"
    besides = ", and reads of jobs while they run" * cost.follows_jobs
    took = f"The plan took {number} in {words.seconds(spent.seconds)}"
    yield f"{took}; the forecast was {forecast}{besides}."
    if full:
        for route in sorted({*cost.by_route, *spent.calls}):
            yield f"  {route}: {spent.calls.get(route, 0):,} ({spell_range(*cost.range(route))})"


def spell_range(low: int, high: int) -> str:
    """`4`, `4 to 7`."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def describe_minutes(cost: Budget) -> str:
    """`under a minute`, `under a minute to 12 min`; the limits of the account, if they decide."""
    short, long = map(words.duration, cost.minutes)
    if short == long:
        return short
    if cost.is_bound_by_account:
        return f"{short}, or {long} where the limits of the whole account apply"
    return f"{short} to {long}"
