"""Ways of doing the same, measured in turn, so that the noise of a machine meets all of them."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from measure import Cost, Failed

Costs = list[Cost] | Failed


class Ratio(NamedTuple):
    """How much more one way takes than another: medians over the rounds, each with itself."""

    wall: float
    cpu: float
    peak: float


def in_turn(
    ways: Mapping[str, Callable[[], Cost]], *, runs: int, patience: float
) -> dict[str, Costs]:
    """Up to `runs` rounds, none begun after `patience` seconds, in each of which each way has its
    turn. One that fails has no further turn."""
    found: dict[str, Costs] = {name: [] for name in ways}
    began = time.perf_counter()
    for number in range(runs):
        if number and time.perf_counter() - began > patience:
            break
        for name, way in ways.items():
            costs = found[name]
            if isinstance(costs, Failed):
                continue
            try:
                costs.append(way())
            except Failed as failure:
                found[name] = failure
    return found


def ratio(costs: Sequence[Cost], others: Sequence[Cost]) -> Ratio:
    """What `costs` are, as a multiple of `others` in the same rounds."""
    pairs = list(zip(costs, others, strict=False))
    return Ratio(
        statistics.median(one.wall / other.wall for one, other in pairs),
        statistics.median(one.cpu / other.cpu for one, other in pairs),
        statistics.median(one.peak / other.peak for one, other in pairs),
    )
