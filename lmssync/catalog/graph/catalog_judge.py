"""Finds everything that can be wrong between the resources of a catalog."""

from collections.abc import Iterator, Mapping, Sequence, Set

from ...kinds import KINDS
from ...problems import Problem, Rule
from ...resource import Address, RefusedResource, Resource
from .creation_order import Resources, find_cycles
from .lifecycle_checks import check_ignored_fields, check_moves
from .reference_checks import CLEAR, Vague, check_references

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


def check_siblings(resources: Mapping[Address, Resource]) -> Iterator[Problem]:
    """The findings of each kind's rules in its groups; no form is opened, `facts` decide."""
    groups = _group_siblings(resources)
    for name, kind in KINDS.items():
        for rule in kind.relations.group_rules if name in groups else ():
            for resource, finding in rule(groups[name], resources):
                yield finding.at(resource.origin, resource.address)


def _group_siblings(
    resources: Mapping[Address, Resource],
) -> Mapping[str, Mapping[object, Sequence[Resource]]]:
    """The resources in groups of siblings: by kind, and by the fact that makes resources of that
    kind siblings."""
    by = {name: kind.relations.group_by for name, kind in KINDS.items() if kind.relations.group_by}
    groups: dict[str, dict[object, list[Resource]]] = {}
    for address, resource in resources.items():
        if address.kind in by:
            fact = resource.facts.get(by[address.kind])
            groups.setdefault(address.kind, {}).setdefault(fact, []).append(resource)
    return groups


def judge_catalog(
    resources: Resources, refused: Set[Address], unsure: Sequence[RefusedResource] = ()
) -> list[Problem]:
    """Every problem.

    `refused` are addresses that documents give but that became no resource; they take part as far
    as they can be read. What is wrong in every reading of one is reported.
    """
    if not unsure:
        return _judge_resources(resources, refused, CLEAR)
    given = refused | resources.keys()
    vague = Vague(
        frozenset(one.address for one in unsure if not _sure_of_parts(one)),
        frozenset(one.address.kind for one in unsure if one.address not in given),
    )
    sure: list[Problem] = []
    for number in range(max(len(one.readings) for one in unsure)):
        read = {one.address: one.read_as(number) for one in reversed(unsure)}
        problems = _judge_resources(_in_order({**read, **resources}), refused, vague)
        known = set(problems)
        sure = [problem for problem in sure if problem in known] if number else problems
        if not sure:
            break
    return sure


def _in_order(resources: Resources) -> Resources:
    """In the order of the catalog: if two claim the same value, the second one is reported."""
    order = sorted(resources.values(), key=lambda resource: resource.origin[:2])
    return {resource.address: resource for resource in order}


def _sure_of_parts(unsure: RefusedResource) -> bool:
    """True if its parts have the same names in all readings."""
    parts = KINDS[unsure.address.kind].authoring.parts
    first, *others = (parts(reading.form).keys() for reading in unsure.readings)
    return all(other == first for other in others)


def _judge_resources(resources: Resources, refused: Set[Address], vague: Vague) -> list[Problem]:
    return [
        *check_references(resources, refused, vague),
        *check_siblings(resources),
        *check_unique_values(resources),
        *check_moves(resources),
        *check_ignored_fields(resources),
        *find_cycles(resources),
    ]
