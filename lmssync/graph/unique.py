"""Finds resources that claim a value that only one of them can have."""

from collections.abc import Iterator, Mapping

from ..address import Address
from ..kinds import KINDS
from ..problems import Problem, Rule
from ..resource import Resource

VALUE_TAKEN = Rule(
    "value-taken",
    "Two resources have the same value in a field that is unique on the platform.",
    "Give one of them another value.",
    source="O18",
)


def check_unique_values(resources: Mapping[Address, Resource]) -> Iterator[Problem]:
    """A problem for each resource after the first with a value that its kind declares unique.

    What two kinds declare under one name is one thing to the platform: a course and a further
    session of another never have the same sku.
    """
    first: dict[tuple[str, object], Resource] = {}
    for resource in resources.values():
        for field in KINDS[resource.address.kind].relations.unique:
            value = resource.facts.get(field)
            holder = first.setdefault((field, value), resource)
            if value and holder is not resource:
                message = f"{holder.address} in {holder.origin.file} has the {field} `{value}` too"
                hint = (
                    f"give one of the two another `{field}`: the platform allows each value only "
                    "once"
                )
                yield VALUE_TAKEN.at((field,), message, hint).at(resource.origin, resource.address)
