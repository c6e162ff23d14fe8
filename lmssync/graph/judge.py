"""All that can be wrong between the resources of a catalog."""

from collections.abc import Mapping, Set

from ..address import Address
from ..problems import Problem
from ..resource import Resource
from .check import check
from .circles import cycles
from .moves import ignored, moved
from .unique import unique


def judge(
    resources: Mapping[Address, Resource], refused: Set[Address], *, whole: bool
) -> list[Problem]:
    """Every problem; circles only of a catalog that is `whole`.

    `refused` are addresses that documents give and no resource came of.
    """
    found = [*check(resources, refused), *unique(resources), *moved(resources), *ignored(resources)]
    return [*found, *cycles(resources)] if whole else found
