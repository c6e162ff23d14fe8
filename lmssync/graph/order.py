"""In which order resources can be made: what a reference needs stands before it."""

from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter

from ..address import Address
from ..resource import Resource

Resources = Mapping[Address, Resource]


def needs(resource: Resource, among: Iterable[Address]) -> set[Address]:
    """What must exist before this resource can; references that may be set later do not count."""
    return {
        reference.address
        for reference in resource.references
        if not reference.deferrable and reference.address in among
    }


def levels(resources: Resources) -> dict[Address, int]:
    """For each resource how many others must be made, one after the other, before it."""
    found: dict[Address, int] = {}
    sorter = TopologicalSorter({a: needs(r, resources) for a, r in resources.items()})
    for address in sorter.static_order():
        above = needs(resources[address], resources)
        found[address] = max((found[other] + 1 for other in above), default=0)
    return found
