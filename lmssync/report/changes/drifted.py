"""What people have changed on the platform, and what a plan shows of it."""

from collections.abc import Iterable, Iterator

from ...diff import Drift, Resolution


def staying(drift: Iterable[Drift]) -> list[Drift]:
    """The fields that an apply leaves as the platform has them."""
    return [one for one in drift if one.decision.stays]


def shown(drift: Iterable[Drift]) -> Iterator[Drift]:
    """Those that a plan does not show as a change of its own."""
    return (one for one in drift if one.decision.stays or one.decision is Resolution.CONVERGED)
