"""Checks all assignments together, and the licenses that they name."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ...kind import Groups, Resources
from ...problems import Finding, Rule
from ...resource import Address, Place, Resource
from .assigned_people import person_place

LICENSE_GIVEN_TWICE = Rule(
    "license-given-twice",
    "Two license assignments give the same license to the same person. Removing the person "
    "from one of them would take the license away, although the other one still gives it.",
    "Name each person for a license in one assignment only.",
    fixed=False,
)
LICENSES_OF_TWO_CLIENTS = Rule(
    "licenses-of-two-clients",
    "The licenses of one assignment belong to two clients. No learner is in both, and the "
    "platform gives learners only licenses of their own client.",
    "Write an assignment for each client.",
    source="spec 4",
)
SEATS_EXCEEDED = Rule(
    "seats-exceeded",
    "A license is assigned to more people than it has seats. The whole job would fail.",
    "Raise `seatsLimit` of the license, or name fewer people.",
    fixed=False,
    source="spec 4",
)


Findings = Iterator[tuple[Resource, Finding]]


def check_clashes(groups: Groups, _resources: Resources) -> Findings:
    """A person with a license from two assignments would lose it by leaving one of them."""
    holders: dict[tuple[str, str], Resource] = {}
    for assignment in chain.from_iterable(groups.values()):
        facts = assignment.facts
        for license_ in facts["licenses"]:
            others: dict[Address, list[int]] = {}
            for marks, line in zip(facts["people"], facts["lines"], strict=True):
                firsts = [holders.setdefault((license_, mark), assignment) for mark in marks]
                other = next((first for first in firsts if first is not assignment), None)
                if other is not None:
                    others.setdefault(other.address, []).append(line)
            for address, lines in others.items():
                yield assignment, _given_twice(address, license_, facts["list"], lines)


def _given_twice(other: Address, license_: str, file: str, lines: Sequence[int]) -> Finding:
    """Reported at the first person, without names: more people read messages than lists."""
    first = person_place(file, min(lines))
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    return LICENSE_GIVEN_TWICE.at(
        ("licenses",) if isinstance(first, Place) else first,
        f"{other} gives the license `{license_}` to this person{more} too",
        "name each person for a license in one assignment only: removing somebody from one of "
        "them would take the license away, although the other one still gives it",
        place=first if isinstance(first, Place) else None,
    )


def one_client(groups: Groups, resources: Resources) -> Findings:
    """A license must belong to the learner's client, and nobody is in two clients (rule 7)."""
    for assignment in chain.from_iterable(groups.values()):
        clients = {
            resource.facts["client"]: resource
            for name in assignment.facts["licenses"]
            if (resource := resources.get(Address.parse(name)))
        }
        if len(clients) > 1:
            (_, one), (_, other), *_ = sorted(clients.items())
            both = f"{one.address} and {other.address}"
            message = f"{both} belong to two clients, and no learner is in both"
            yield assignment, LICENSES_OF_TWO_CLIENTS.at(("licenses",), message)


def check_seats(groups: Groups, resources: Resources) -> Findings:
    """Demand above a seat limit fails the whole job (rule 7)."""
    taken: Counter[str] = Counter()
    for assignment in chain.from_iterable(groups.values()):
        for name in assignment.facts["licenses"]:
            license_ = resources.get(Address.parse(name))
            before, taken[name] = taken[name], taken[name] + assignment.facts["count"]
            limit = license_.facts.get("seatsLimit") if license_ else None
            if limit and before <= limit < taken[name]:
                message = f"{name} has {limit:,} seats, but is assigned to {taken[name]:,} people"
                yield assignment, SEATS_EXCEEDED.at(("licenses",), message)


GROUP_RULES = (check_clashes, one_client, check_seats)
