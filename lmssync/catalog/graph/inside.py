"""Settles references between resources of one file, once: they change with that file only."""

from collections.abc import Sequence, Set

from ...problems import Problem
from ...resource import Address, Resource
from .references import Named, check_part_references


def settle_references_inside(resources: Sequence[Resource]) -> tuple[list[Resource], list[Problem]]:
    """Returns the resources with their settled references marked, and the problems of these.

    Only references to parts are settled here: to judge one, the form of the resource that it names
    must be opened, which would be too slow for a whole catalog each time one file changes.
    """
    by_address: dict[Address, Resource] = {}
    for resource in resources:
        by_address.setdefault(resource.address, resource)
    named: dict[Address, list[Named]] = {}
    for resource in resources:
        for reference in resource.references:
            if reference.part and reference.address in by_address:
                named.setdefault(reference.address, []).append((resource, reference))
    if not named:
        return list(resources), []
    problems = [
        p
        for address, group in named.items()
        for p in check_part_references(by_address[address], group)
    ]
    return [_settle_references(resource, named.keys()) for resource in resources], problems


def _settle_references(resource: Resource, named: Set[Address]) -> Resource:
    return resource._replace(
        references=tuple(
            r._replace(settled=True) if r.part and r.address in named else r
            for r in resource.references
        )
    )
