"""Finds everything that can be wrong between the resources of a catalog."""

from collections.abc import Mapping, Sequence, Set

from ..address import Address
from ..kinds import KINDS
from ..problems import Problem
from ..resource import RefusedResource, Resource
from .circles import find_cycles
from .moves import check_ignored_fields, check_moves
from .references import CLEAR, Vague, check_references
from .siblings import check_siblings
from .unique import check_unique_values

Resources = Mapping[Address, Resource]


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
        read = {one.address: one.reading(number) for one in reversed(unsure)}
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
