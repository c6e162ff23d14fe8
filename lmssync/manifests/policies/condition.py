"""Conditions as values: each can be asked whether it holds, and what keeps it from holding.

They are plain tuples, so that they travel to worker processes. Asking is what thousands of
documents cost and builds nothing; places and words are made only for what does not hold.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ...source import Path
from .operators import OPERATORS
from .way import Spot, Way, solid
from .wording import shown


class Scene(NamedTuple):
    """What is looked at: an item, the document that it is in, and where in it."""

    item: Any
    document: Mapping[str, Any]
    base: Path = ()


class Miss(NamedTuple):
    """What does not hold, and where."""

    path: Path
    text: str


class Elsewhere(NamedTuple):
    """The value of another field, in place of one that is written out."""

    way: Way
    outer: bool
    """It is a field of the document, not of the item."""

    def value(self, scene: Scene) -> Any:
        return solid(self.way.values(scene.document if self.outer else scene.item)[0])


class Test(NamedTuple):
    """An operator and what stands after it."""

    name: str
    operand: Any
    shown: str
    """The operand in words."""

    def met(self, value: Any, scene: Scene) -> bool:
        operator, operand = OPERATORS[self.name], self.operand
        if operand.__class__ is Elsewhere:
            operand = operand.value(scene)
        if value is None or operand is None:
            return not operator.asks
        return operator.holds(value, operand)

    def told(self) -> str:
        return OPERATORS[self.name].told.format(self.shown)

    def wanted(self) -> str:
        return OPERATORS[self.name].wanted.format(self.shown)

    def misses(self, spot: Spot, name: str, scene: Scene) -> Iterator[Miss]:
        """What a value that does not meet it is, and what it must be."""
        value = solid(spot.value)
        if self.name == "present":
            yield Miss(spot.path, f"`{name}` is {_lack(spot)}")
            return
        measure = OPERATORS[self.name].measure
        if value is None:
            what = f"is {_lack(spot)}"
        else:
            what = f"has {measure(value)}" if measure else f"is {shown(value)}"
        other = _other(self.operand, scene)
        yield Miss(spot.path, f"`{name}` {what}; it must {self.wanted()}{other}")


class Inside(NamedTuple):
    """Conditions for the fields of an item."""

    group: "All"

    def met(self, value: Any, scene: Scene) -> bool:
        return value is not None and self.group.holds(scene._replace(item=value))

    def told(self) -> str:
        return f"is such that {self.group.told()}"

    def wanted(self) -> str:
        return f"be such that {self.group.told()}"

    def misses(self, spot: Spot, name: str, scene: Scene) -> Iterator[Miss]:
        if solid(spot.value) is None:
            yield Miss(spot.path, f"`{name}` is {_lack(spot)}; it must {self.wanted()}")
        else:
            yield from self.group.misses(scene._replace(item=spot.value, base=spot.path))


def _lack(spot: Spot) -> str:
    return "empty" if spot.there else "missing"


def _other(operand: Any, scene: Scene) -> str:
    """The value of the field that is named in place of a value."""
    if not isinstance(operand, Elsewhere):
        return ""
    value = operand.value(scene)
    return ", which is missing" if value is None else f", which is {shown(value)}"


class Condition(NamedTuple):
    """What the values at the end of a way must be: every one, or one at least."""

    way: Way
    tests: tuple[Test | Inside, ...]
    every: bool
    spread: bool = False
    """A value that is a list stands for its items."""

    def holds(self, scene: Scene) -> bool:
        every = self.every
        for value in self._values(scene):
            if self._fits(solid(value), scene) is not every:
                return not every
        return every

    def _fits(self, value: Any, scene: Scene) -> bool:
        for test in self.tests:  # noqa: SIM110 - a generator would take longer than the test
            if not test.met(value, scene):
                return False
        return True

    def _values(self, scene: Scene) -> list[Any]:
        found = self.way.values(scene.item)
        if not self.spread:
            return found
        # An empty list is one absent value, as a missing one is.
        return [i for v in found for i in (v if v.__class__ is list and v else (v,))]

    def _spots(self, scene: Scene) -> Iterator[Spot]:
        for path, value, there in self.way.spots(scene.item):
            where = (*scene.base, *path)
            if self.spread and isinstance(value, list) and value:
                yield from (Spot((*where, n), item) for n, item in enumerate(value))
            else:
                yield Spot(where, value, there)

    def misses(self, scene: Scene) -> Iterator[Miss]:
        """What keeps it from holding; of an absent value only the first thing."""
        if self.holds(scene):
            return
        if not self.every and self._several:
            yield Miss(self._list(scene), self._none_fits())
            return
        for spot in self._spots(scene):
            value = solid(spot.value)
            for test in self.tests:
                if not test.met(value, scene):
                    yield from test.misses(spot, self.way.written, scene)
                    if value is None:
                        break

    @property
    def _several(self) -> bool:
        return self.spread or any(step.each for step in self.way.steps)

    def _list(self, scene: Scene) -> Path:
        """Where the first list on the way stands."""
        path = next(self._spots(scene), Spot(scene.base, None)).path
        below = range(len(scene.base), len(path))
        return path[: next((n for n in below if isinstance(path[n], int)), len(path))]

    def _none_fits(self) -> str:
        wanted = " and ".join(test.wanted() for test in self.tests)
        return f"nothing in `{self.way.written}` fits; at least one must {wanted}"

    def place(self, scene: Scene, *, fits: bool) -> Path:
        """Where the first value stands that fits, or that does not."""
        spots = list(self._spots(scene))
        meant = (s for s in spots if self._fits(solid(s.value), scene) is fits)
        return next(meant, spots[0] if spots else Spot(scene.base, None)).path

    def told(self) -> str:
        """The condition in words: `` `status` is `published` ``."""
        several = ("every " if self.every else "some ") if self._several else ""
        return f"{several}`{self.way.written}` {' and '.join(test.told() for test in self.tests)}"


class All(NamedTuple):
    """All of it must hold."""

    parts: tuple["Node", ...]

    def holds(self, scene: Scene) -> bool:
        for part in self.parts:  # noqa: SIM110 - the same
            if not part.holds(scene):
                return False
        return True

    def misses(self, scene: Scene) -> Iterator[Miss]:
        for part in self.parts:
            yield from part.misses(scene)

    def place(self, scene: Scene, *, fits: bool) -> Path:
        return self.parts[0].place(scene, fits=fits)

    def told(self) -> str:
        return _joined(self.parts, "and")


class AnyOf(NamedTuple):
    """One of it must hold."""

    parts: tuple["Node", ...]

    def holds(self, scene: Scene) -> bool:
        for part in self.parts:  # noqa: SIM110 - the same
            if part.holds(scene):
                return True
        return False

    def misses(self, scene: Scene) -> Iterator[Miss]:
        if not self.holds(scene):
            place = self.place(scene, fits=False)
            yield Miss(place, f"none of this is true: {_joined(self.parts, 'or')}")

    def place(self, scene: Scene, *, fits: bool) -> Path:
        return self.parts[0].place(scene, fits=fits)

    def told(self) -> str:
        return f"({_joined(self.parts, 'or')})"


class Not(NamedTuple):
    """It must not hold."""

    part: "Node"

    def holds(self, scene: Scene) -> bool:
        return not self.part.holds(scene)

    def misses(self, scene: Scene) -> Iterator[Miss]:
        if self.part.holds(scene):
            place = self.part.place(scene, fits=True)
            yield Miss(place, f"this is true but must not be: {self.part.told()}")

    def place(self, scene: Scene, *, fits: bool) -> Path:
        return self.part.place(scene, fits=not fits)

    def told(self) -> str:
        return f"not ({self.part.told()})"


Node: TypeAlias = Condition | All | AnyOf | Not


def _joined(parts: tuple[Node, ...], word: str) -> str:
    return f" {word} ".join(part.told() for part in parts)
