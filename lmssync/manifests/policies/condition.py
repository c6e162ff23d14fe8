"""Conditions as values: each can be asked whether it holds, and what keeps it from holding.

They are plain tuples, so that they travel to worker processes. Asking is what thousands of
documents cost and builds nothing; places and words are made only for what does not hold.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ...source import Path
from .operators import OPERATORS
from .path import FieldPath, Location, non_empty
from .wording import shown


class EvalContext(NamedTuple):
    """What is looked at: an item, its document, and the item's place in it."""

    item: Any
    document: Mapping[str, Any]
    base: Path = ()


class Violation(NamedTuple):
    """What does not hold, and where."""

    path: Path
    text: str


class FieldRef(NamedTuple):
    """The value of another field, in place of one that is written out."""

    path: FieldPath
    outer: bool
    """It is a field of the document, not of the item."""

    def value(self, context: EvalContext) -> Any:
        return non_empty(self.path.values(context.document if self.outer else context.item)[0])


class Test(NamedTuple):
    """An operator and what stands after it."""

    name: str
    operand: Any
    shown: str
    """The operand in words."""

    def met(self, value: Any, context: EvalContext) -> bool:
        operator, operand = OPERATORS[self.name], self.operand
        if operand.__class__ is FieldRef:
            operand = operand.value(context)
        if value is None or operand is None:
            return not operator.asks
        return operator.holds(value, operand)

    def in_words(self) -> str:
        return OPERATORS[self.name].says.format(self.shown)

    def must(self) -> str:
        return OPERATORS[self.name].must.format(self.shown)

    def violations(self, at: Location, name: str, context: EvalContext) -> Iterator[Violation]:
        """What a value that does not meet it is, and what it must be."""
        value = non_empty(at.value)
        if self.name == "present":
            yield Violation(at.path, f"`{name}` is {_absence(at)}")
            return
        measure = OPERATORS[self.name].measure
        if value is None:
            what = f"is {_absence(at)}"
        else:
            what = f"has {measure(value)}" if measure else f"is {shown(value)}"
        other = _other(self.operand, context)
        yield Violation(at.path, f"`{name}` {what}; it must {self.must()}{other}")


class ItemCondition(NamedTuple):
    """Conditions for the fields of an item."""

    group: "ConditionGroup"

    def met(self, value: Any, context: EvalContext) -> bool:
        return value is not None and self.group.holds(context._replace(item=value))

    def in_words(self) -> str:
        return f"is such that {self.group.in_words()}"

    def must(self) -> str:
        return f"be such that {self.group.in_words()}"

    def violations(self, at: Location, name: str, context: EvalContext) -> Iterator[Violation]:
        if non_empty(at.value) is None:
            yield Violation(at.path, f"`{name}` is {_absence(at)}; it must {self.must()}")
        else:
            yield from self.group.violations(context._replace(item=at.value, base=at.path))


def _absence(location: Location) -> str:
    return "empty" if location.there else "missing"


def _other(operand: Any, context: EvalContext) -> str:
    """The value of the field that is named in place of a value."""
    if not isinstance(operand, FieldRef):
        return ""
    value = operand.value(context)
    return ", which is missing" if value is None else f", which is {shown(value)}"


class Condition(NamedTuple):
    """What the values that a path leads to must be: every one, or one at least."""

    path: FieldPath
    tests: tuple[Test | ItemCondition, ...]
    every: bool
    spread: bool = False
    """A value that is a list stands for its items."""

    def holds(self, context: EvalContext) -> bool:
        every = self.every
        for value in self._values(context):
            if self._fits(non_empty(value), context) is not every:
                return not every
        return every

    def _fits(self, value: Any, context: EvalContext) -> bool:
        for test in self.tests:  # noqa: SIM110 - a generator would take longer than the test
            if not test.met(value, context):
                return False
        return True

    def _values(self, context: EvalContext) -> list[Any]:
        values = self.path.values(context.item)
        if not self.spread:
            return values
        # An empty list is one absent value, as a missing one is.
        return [i for v in values for i in (v if v.__class__ is list and v else (v,))]

    def _locations(self, context: EvalContext) -> Iterator[Location]:
        for path, value, there in self.path.locations(context.item):
            where = (*context.base, *path)
            if self.spread and isinstance(value, list) and value:
                yield from (Location((*where, n), item) for n, item in enumerate(value))
            else:
                yield Location(where, value, there)

    def violations(self, context: EvalContext) -> Iterator[Violation]:
        """What keeps it from holding; of an absent value only the first thing."""
        if self.holds(context):
            return
        if not self.every and self._several:
            must = " and ".join(test.must() for test in self.tests)
            text = f"nothing in `{self.path.written}` fits; at least one must {must}"
            yield Violation(self._list(context), text)
            return
        for location in self._locations(context):
            value = non_empty(location.value)
            for test in self.tests:
                if not test.met(value, context):
                    yield from test.violations(location, self.path.written, context)
                    if value is None:
                        break

    @property
    def _several(self) -> bool:
        return self.spread or any(step.each for step in self.path.steps)

    def _list(self, context: EvalContext) -> Path:
        """Where the first list on the path stands."""
        path = next(self._locations(context), Location(context.base, None)).path
        below = range(len(context.base), len(path))
        return path[: next((n for n in below if isinstance(path[n], int)), len(path))]

    def place(self, context: EvalContext, *, fits: bool) -> Path:
        """Where the first value stands that fits, or that does not."""
        locations = list(self._locations(context))
        meant = (s for s in locations if self._fits(non_empty(s.value), context) is fits)
        return next(meant, locations[0] if locations else Location(context.base, None)).path

    def in_words(self) -> str:
        """The condition in words: `` `status` is `published` ``."""
        several = ("every " if self.every else "some ") if self._several else ""
        tests = " and ".join(test.in_words() for test in self.tests)
        return f"{several}`{self.path.written}` {tests}"


class ConditionGroup(NamedTuple):
    """Conditions of which all, or at least one, must hold."""

    parts: tuple["Node", ...]
    every: bool = True

    def holds(self, context: EvalContext) -> bool:
        every = self.every
        for part in self.parts:
            if part.holds(context) is not every:
                return not every
        return every

    def violations(self, context: EvalContext) -> Iterator[Violation]:
        if self.every:
            for part in self.parts:
                yield from part.violations(context)
        elif not self.holds(context):
            place = self.place(context, fits=False)
            yield Violation(place, f"none of this is true: {self._joined('or')}")

    def place(self, context: EvalContext, *, fits: bool) -> Path:
        return self.parts[0].place(context, fits=fits)

    def in_words(self) -> str:
        return self._joined("and") if self.every else f"({self._joined('or')})"

    def _joined(self, word: str) -> str:
        return f" {word} ".join(part.in_words() for part in self.parts)


class Not(NamedTuple):
    """The condition must not hold."""

    part: "Node"

    def holds(self, context: EvalContext) -> bool:
        return not self.part.holds(context)

    def violations(self, context: EvalContext) -> Iterator[Violation]:
        if self.part.holds(context):
            place = self.part.place(context, fits=True)
            yield Violation(place, f"this is true but must not be: {self.part.in_words()}")

    def place(self, context: EvalContext, *, fits: bool) -> Path:
        return self.part.place(context, fits=not fits)

    def in_words(self) -> str:
        return f"not ({self.part.in_words()})"


Node: TypeAlias = Condition | ConditionGroup | Not
