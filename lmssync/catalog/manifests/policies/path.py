"""A path through a manifest: the values that it leads to, and where they stand."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ....resource import Path


class PathStep(NamedTuple):
    """A field on a path, and whether the path goes on through each item of it."""

    key: str
    each: bool = False


class Location(NamedTuple):
    """A value and where it stands; for a value that is not there, its nearest parent."""

    path: Path
    value: Any
    there: bool = True


class FieldPath(NamedTuple):
    """A path, and which of its steps are lists.

    Where a list is missing or empty the path leads to nothing; where the last field is missing it
    leads to one value, None.
    """

    written: str
    """As it stands in the policy."""
    steps: tuple[PathStep, ...]

    def values_from(self, top: Any) -> list[Any]:
        """What the path leads to from `top`, a mapping that its model has accepted."""
        steps = self.steps
        if len(steps) == 1 and not steps[0].each:
            return [top.get(steps[0].key)]  # most ways, a third of the time
        here = [top]
        for key, each in steps:
            here = [holder.get(key) if holder else None for holder in here]
            if each:
                here = [item for items in here if items for item in items]
        return here

    def locations_from(self, top: Any) -> Iterator[Location]:
        """The same values in the same order with their places: what only a mistake needs."""
        return _walk_down(Location((), top), self.steps)


def _walk_down(location: Location, steps: tuple[PathStep, ...]) -> Iterator[Location]:
    if not steps:
        yield location
        return
    (key, each), rest = steps[0], steps[1:]
    there = location.there and isinstance(location.value, dict) and key in location.value
    value = location.value[key] if there else None
    path = (*location.path, key) if there else location.path
    if not each:
        yield from _walk_down(Location(path, value, there), rest)
        return
    for position, item in enumerate(value or ()):
        yield from _walk_down(Location((*path, position), item), rest)


def non_empty(value: Any) -> Any:
    """None for what says nothing: null, blank text, a list or mapping without anything in it."""
    kind = value.__class__
    if kind is str:
        return None if not value or value.isspace() else value
    return None if (kind is list or kind is dict) and not value else value
