"""Whether two resources claim what only one of them can have."""

from collections.abc import Iterator, Mapping

from ..address import Address
from ..kinds import KINDS
from ..problems import Problem
from ..resource import Resource


def unique(resources: Mapping[Address, Resource]) -> Iterator[Problem]:
    """A problem for each resource after the first with a value that its kind declares unique."""
    first: dict[tuple[str, str, object], Resource] = {}
    for resource in resources.values():
        kind = resource.address.kind
        for field in KINDS[kind].relations.unique:
            value = resource.facts.get(field)
            if not value:
                continue
            holder = first.setdefault((kind, field, value), resource)
            if holder is not resource:
                yield _taken(field, value, holder, resource)


def _taken(field: str, value: object, holder: Resource, resource: Resource) -> Problem:
    origin = resource.origin.at((field,))
    return Problem(
        "value-taken",
        f"{holder.address} in {holder.origin.file} has the {field} `{value}` too",
        origin,
        f"give one of the two another `{field}`: the platform allows each value only once",
        resource.address,
    )
