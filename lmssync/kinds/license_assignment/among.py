"""Checks of all assignments together, and of the licenses that they name."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ...address import Address
from ...problems import Finding
from ...resource import Resource
from ..kind import Families, Resources

Found = Iterator[tuple[Resource, Finding]]


def clashes(families: Families, _resources: Resources) -> Found:
    """Who has a license by two assignments would lose it by leaving one of them."""
    for assignments in families.values():
        holders: dict[tuple[str, str], Resource] = {}
        for assignment in assignments:
            yield from _clashes(assignment, holders)


def _clashes(assignment: Resource, holders: dict[tuple[str, str], Resource]) -> Found:
    for license_ in assignment.facts["licenses"]:
        others: dict[Address, list[str]] = {}
        for mark in assignment.facts["people"]:
            first = holders.setdefault((license_, mark), assignment)
            if first is not assignment:
                others.setdefault(first.address, []).append(mark)
        for other, marks in others.items():
            yield assignment, _given_twice(other, license_, marks)


def _given_twice(other: Address, license_: str, marks: Sequence[str]) -> Finding:
    more = f" and {len(marks) - 1} more" if len(marks) > 1 else ""
    return Finding(
        "license-given-twice",
        ("licenses",),
        f"{other} gives the license `{license_}` to {marks[0]}{more} too",
        "name each person for a license in one assignment only: who leaves one of them would "
        "lose the license, whatever the other says",
    )


def one_client(families: Families, resources: Resources) -> Found:
    """A license must be of the client that the learner is in, and nobody is in two (rule 7)."""
    for assignment in chain.from_iterable(families.values()):
        clients = {
            resource.facts["client"]: resource
            for name in assignment.facts["licenses"]
            if (resource := resources.get(Address.parse(name)))
        }
        if len(clients) > 1:
            (_, one), (_, other), *_ = sorted(clients.items())
            yield (
                assignment,
                Finding(
                    "licenses-of-two-clients",
                    ("licenses",),
                    f"{one.address} and {other.address} are of two clients, and nobody is in both",
                    "write an assignment for each client",
                ),
            )


def seats(families: Families, resources: Resources) -> Found:
    """Demand above a seat limit fails the whole job (rule 7)."""
    taken: Counter[str] = Counter()
    for assignment in chain.from_iterable(families.values()):
        for name in assignment.facts["licenses"]:
            license_ = resources.get(Address.parse(name))
            before, taken[name] = taken[name], taken[name] + assignment.facts["count"]
            limit = license_.facts.get("seatsLimit") if license_ else None
            if limit and before <= limit < taken[name]:
                yield (
                    assignment,
                    Finding(
                        "seats-exceeded",
                        ("licenses",),
                        f"{name} has {limit:,} seats, and {taken[name]:,} people are to have one",
                        "raise `seatsLimit` of the license, or name fewer people",
                    ),
                )


AMONG = (clashes, one_client, seats)
