"""How rooms and modules hang together: circles, knots, and imports that go past a face."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cache

from .source_tree import modules, ours

Graph = Mapping[str, Set[str]]


@cache
def imports(*, types_too: bool = True) -> Graph:
    """What each module imports of ours; the package itself, which holds a version, is left out."""
    return {m.name: set(ours(m, types_too=types_too)) - {""} for m in modules() if m.name}


def circles(graph: Graph) -> list[str]:
    """What leads back to itself, and what leads there only."""
    needs = {node: set(wanted) for node, wanted in graph.items()}
    while free := [node for node, wanted in needs.items() if not wanted & needs.keys()]:
        for node in free:
            del needs[node]
    return sorted(needs)


def knots() -> Iterator[str]:
    """What is in a room and imports each other in a circle, folders and single modules alike."""
    for room in ["", *(m.name for m in modules() if m.is_face and m.name)]:
        neighbours: dict[str, set[str]] = defaultdict(set)
        for name, wanted in imports().items():
            here = _child(room, name)
            if here:
                there = {child for other in wanted if (child := _child(room, other))}
                neighbours[here] |= there - {here}
        knot = {*circles(neighbours)} & {*circles(_turned(neighbours))}
        yield from sorted(f"{room}.{node}".lstrip(".") for node in knot)


def _child(room: str, name: str) -> str:
    """What a module is in a room: a single module of it, or the folder that it stands in."""
    below = f"{room}." if room else ""
    return name.removeprefix(below).partition(".")[0] if name.startswith(below) else ""


def _turned(graph: Graph) -> Graph:
    turned: dict[str, set[str]] = {node: set() for node in graph}
    for node, wanted in graph.items():
        for other in wanted:
            turned.setdefault(other, set()).add(node)
    return turned


def past_faces() -> Iterator[tuple[str, str]]:
    """Who imports what from inside a room whose face offers something to others."""
    offering = {m.name for m in modules() if m.is_face and m.name and list(ours(m))}
    for name, wanted in imports().items():
        for other in wanted:
            steps = other.split(".")
            rooms = {".".join(steps[:depth]) for depth in range(1, len(steps))}
            if any(not f"{name}.".startswith(f"{room}.") for room in rooms & offering):
                yield name, other
