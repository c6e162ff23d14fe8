"""The steps that an apply has left to people."""

from ..address import Address
from ..apply import Done, Report
from ..kind import ManualStep
from ..plan import Action, Plan

_UNDONE = frozenset({Done.FAILED, Done.SKIPPED, Done.UNKNOWN})


def due(report: Report, plan: Plan | None) -> list[tuple[Address, ManualStep]]:
    """Each step with its resource, in the order of the plan.

    Resources that were not done, or are blocked, have no manual steps yet.
    """
    if plan is None or report.declined:
        return []
    return [
        (planned.address, step)
        for planned in plan.changes
        if planned.manual and _is_due(report, planned.action, planned.address)
        for step in planned.manual
    ]


def _is_due(report: Report, action: Action, address: Address) -> bool:
    done = report.done.get(address)
    return action is Action.MANUAL or (done is not None and done not in _UNDONE)
