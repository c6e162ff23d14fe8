"""What people have changed on the platform, and what a plan shows of it."""

from collections.abc import Iterable, Iterator

from ...diff import Drift, Resolution
from ...plan import Action, PlannedChange


def staying(drift: Iterable[Drift]) -> list[Drift]:
    """The fields that an apply leaves as the platform has them."""
    return [one for one in drift if one.decision.stays]


def is_left(planned: PlannedChange) -> bool:
    """True if people have changed it on the platform, and an apply leaves that as it is."""
    parts = planned.action is Action.UNCHANGED and planned.edited_parts
    return bool(parts or staying(planned.drift))


def shown(drift: Iterable[Drift]) -> Iterator[Drift]:
    """Those that a plan does not show as a change of its own."""
    return (one for one in drift if one.decision.stays or one.decision is Resolution.CONVERGED)
