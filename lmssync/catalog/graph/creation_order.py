"""In which order resources can be made: whatever a reference needs comes first.

Resources that need each other in a circle have no order, so each circle is a problem.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from graphlib import TopologicalSorter
from typing import TypeVar

from ...problems import Problem, Rule
from ...resource import Address, Resource

Resources = Mapping[Address, Resource]


def needs_of(resource: Resource, among: Iterable[Address]) -> set[Address]:
    """The resources that must exist before this one can; references that may be set later do not
    count."""
    return {
        reference.address
        for reference in resource.references
        if not reference.deferrable and reference.address in among
    }


def depth_levels(resources: Resources) -> dict[Address, int]:
    """How many other resources must be made one after the other before each resource."""
    # Most resources need nothing: of a large catalog only the others are sorted.
    needs = {a: above for a, r in resources.items() if (above := needs_of(r, resources))}
    level = dict.fromkeys(resources, 0)
    for address in TopologicalSorter(needs).static_order():
        if address in needs:
            level[address] = max(level[other] + 1 for other in needs[address])
    return level


REFERENCE_CIRCLE = Rule(
    "reference-circle",
    "Resources need each other in a circle, so none can be created first.",
    "Remove one of the references. `relatedCourses` may form a circle.",
)

T = TypeVar("T", bound=Hashable)
Needs = Mapping[T, Set[T]]


def find_cycles(resources: Resources) -> Iterator[Problem]:
    """A problem for each knot: a group of resources that all need each other."""
    needs = _needs_by_address(resources)
    for knot in _find_knots(needs):
        circle = _shortest_circle(needs, knot)
        if circle:
            yield _circle_problem(resources, circle, len(knot) - len(circle) + 1)


def _needs_by_address(resources: Resources) -> Needs[Address]:
    """What each resource needs; references that may be set later do not count.

    A circle of resources is also a circle of their kinds, which leaves out most of a catalog.
    """
    kinds = _needs_by_kind(resources)
    knot_of = {kind: knot for knot in _find_knots(kinds) for kind in knot if kinds[kind] & knot}
    needs: dict[Address, set[Address]] = {}
    for address, resource in resources.items():
        if knot := knot_of.get(address.kind):
            others = {other for other in needs_of(resource, resources) if other.kind in knot}
            needs |= {address: others} if others else {}
    return needs


def _needs_by_kind(resources: Resources) -> Needs[str]:
    needs: dict[str, set[str]] = {}
    for resource in resources.values():
        for reference in resource.references:
            if not reference.deferrable:
                needs.setdefault(resource.address.kind, set()).add(reference.kind)
    return needs


def _find_knots(needs: Needs[T]) -> Iterator[Set[T]]:
    """The strongly connected components, of one member too (Kosaraju, without recursion)."""
    needed_by: dict[T, list[T]] = {}
    for name, others in needs.items():
        for other in others:
            needed_by.setdefault(other, []).append(name)
    left = set(needs)
    for start in reversed(_finishing_order(needs)):
        if start not in left:
            continue
        left.discard(start)
        knot, waiting = {start}, [start]
        while waiting:
            for other in needed_by.get(waiting.pop(), ()):
                if other in left:
                    left.discard(other)
                    knot.add(other)
                    waiting.append(other)
        yield knot


def _finishing_order(needs: Needs[T]) -> list[T]:
    """Every member after all that it needs, as far as circles allow."""
    seen: set[T] = set()
    order: list[T] = []
    for root in needs:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(needs[root]))]
        while stack:
            name, others = stack[-1]
            below = next((o for o in others if o in needs and o not in seen), None)
            if below is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(below)
                stack.append((below, iter(needs[below])))
    return order


def _shortest_circle(needs: Needs[Address], knot: Set[Address]) -> list[Address]:
    """A shortest way from the first resource of a knot back to it; empty if there is none."""
    start = min(knot)
    came_from: dict[Address, Address] = {}
    waiting = [start]
    # The list grows while it is walked: this is a search in breadth, so the first way back that is
    # found is a shortest one.
    for address in waiting:
        for other in sorted(needs[address] & knot):
            if other == start:
                return [*_way_back(came_from, address), start]
            if other not in came_from:
                came_from[other] = address
                waiting.append(other)
    return []


def _way_back(came_from: Mapping[Address, Address], address: Address) -> list[Address]:
    way = [address]
    while way[-1] in came_from:
        way.append(came_from[way[-1]])
    return way[::-1]


def _circle_problem(resources: Resources, circle: list[Address], others: int) -> Problem:
    first = resources[circle[0]]
    names = " needs ".join(str(address) for address in circle)
    tangled = f", nor of {others} more that depend on them," if others else ""
    path = next(r.path for r in first.references if r.address == circle[1] and not r.deferrable)
    message = f"{names}: none of them{tangled} can be created first"
    hint = "remove one of these references"
    return REFERENCE_CIRCLE.problem(message, first.origin.at(path), hint, first.address)
