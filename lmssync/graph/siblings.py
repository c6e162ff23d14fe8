"""Rules about resources that belong together, such as the criteria of a course."""

from collections.abc import Iterator, Mapping, Sequence

from ..address import Address
from ..kinds import KINDS
from ..problems import Problem
from ..resource import Resource


def check_siblings(resources: Mapping[Address, Resource]) -> Iterator[Problem]:
    """What the rules of each kind find in its groups; no form is opened, `facts` decide."""
    groups = _group_siblings(resources)
    for name, kind in KINDS.items():
        for rule in kind.relations.group_rules if name in groups else ():
            for resource, finding in rule(groups[name], resources):
                yield finding.at(resource.origin, resource.address)


def _group_siblings(
    resources: Mapping[Address, Resource],
) -> Mapping[str, Mapping[object, Sequence[Resource]]]:
    """By kind and by the fact that makes resources of that kind siblings."""
    by = {name: kind.relations.group_by for name, kind in KINDS.items() if kind.relations.group_by}
    groups: dict[str, dict[object, list[Resource]]] = {}
    for address, resource in resources.items():
        if address.kind in by:
            fact = resource.facts.get(by[address.kind])
            groups.setdefault(address.kind, {}).setdefault(fact, []).append(resource)
    return groups
