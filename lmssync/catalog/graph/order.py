"""In which order resources can be made: whatever a reference needs comes first."""

from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter

from ...resource import Address, Resource

Resources = Mapping[Address, Resource]


def needs_of(resource: Resource, among: Iterable[Address]) -> set[Address]:
    """What must exist before this resource can; references that may be set later do not count."""
    return {
        reference.address
        for reference in resource.references
        if not reference.deferrable and reference.address in among
    }


def depth_levels(resources: Resources) -> dict[Address, int]:
    """How many other resources must be made one after the other before each resource."""
    level: dict[Address, int] = {}
    sorter = TopologicalSorter({a: needs_of(r, resources) for a, r in resources.items()})
    for address in sorter.static_order():
        above = needs_of(resources[address], resources)
        level[address] = max((level[other] + 1 for other in above), default=0)
    return level
