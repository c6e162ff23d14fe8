"""Finds everything wrong between resources, except circles and values that are taken twice."""

from collections.abc import Iterator, Mapping, Set

from ..address import Address
from ..problems import Problem
from ..resource import Resource
from .references import CLEAR, Vague, references
from .siblings import siblings


def check(
    resources: Mapping[Address, Resource],
    refused: Set[Address] = frozenset(),
    vague: Vague = CLEAR,
) -> Iterator[Problem]:
    """Problems of references first, then those of resources that belong together."""
    yield from references(resources, refused, vague)
    yield from siblings(resources)
