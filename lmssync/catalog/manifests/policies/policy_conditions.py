"""Conditions as values: each can be asked whether it holds, and what keeps it from holding.

They are plain tuples, so that they travel to worker processes. Asking is what thousands of
documents cost and builds nothing; places and words are made only for what does not hold.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ....resource import Path
from .policy_operators import OPERATORS, show_value


class PathStep(NamedTuple):
    """A field on a path, and whether the path goes on through each item of it."""

    key: str
    each: bool = False


class Location(NamedTuple):
    """A value and its path; for a value that is not there, the path of its nearest parent."""

    path: Path
    value: Any
    there: bool = True


class FieldPath(NamedTuple):
    """A path, and which of its steps are lists.

    Where a list is missing or empty the path leads to nothing; where the last field is missing it
    leads to one value, None.
    """

    written: str
    """The spelling in the policy."""
    steps: tuple[PathStep, ...]

    def values_from(self, top: Any) -> list[Any]:
        """The values that the path leads to from `top`, a mapping that its model has accepted."""
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
        """The values with their paths, in the same order as without: only a mistake needs these."""
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
    """The value, or None for one that says nothing: null, blank text, a list or mapping without
    anything in it."""
    kind = value.__class__
    if kind is str:
        return None if not value or value.isspace() else value
    return None if (kind is list or kind is dict) and not value else value


class EvalContext(NamedTuple):
    """The values that a condition is asked about: an item, its document, and the item's path in
    it."""

    item: Any
    document: Mapping[str, Any]
    base: Path = ()


class Violation(NamedTuple):
    """A condition that is not met, and the path of the value."""

    path: Path
    text: str


class FieldRef(NamedTuple):
    """The value of another field, in place of one that is written out."""

    path: FieldPath
    outer: bool
    """True for a field of the document, not of the item."""

    def read_value(self, context: EvalContext) -> Any:
        return non_empty(self.path.values_from(context.document if self.outer else context.item)[0])


class Test(NamedTuple):
    """An operator and its operand."""

    name: str
    operand: Any
    shown: str
    """The operand in words."""

    def is_met(self, value: Any, context: EvalContext) -> bool:
        operator, operand = OPERATORS[self.name], self.operand
        if operand.__class__ is FieldRef:
            operand = operand.read_value(context)
        if value is None or operand is None:
            return not operator.asks
        return operator.holds(value, operand)

    def in_words(self) -> str:
        return OPERATORS[self.name].says.format(self.shown)

    def must(self) -> str:
        return OPERATORS[self.name].must.format(self.shown)

    def find_violations(self, at: Location, name: str, context: EvalContext) -> Iterator[Violation]:
        """What a value that does not meet it is, and what it must be."""
        value = non_empty(at.value)
        if self.name == "present":
            yield Violation(at.path, f"`{name}` is {_describe_absence(at)}")
            return
        measure = OPERATORS[self.name].measure
        if value is None:
            what = f"is {_describe_absence(at)}"
        else:
            what = f"has {measure(value)}" if measure else f"is {show_value(value)}"
        other = _other_value(self.operand, context)
        yield Violation(at.path, f"`{name}` {what}; it must {self.must()}{other}")


class ItemCondition(NamedTuple):
    """Conditions for the fields of an item."""

    group: "ConditionGroup"

    def is_met(self, value: Any, context: EvalContext) -> bool:
        return value is not None and self.group.is_true(context._replace(item=value))

    def in_words(self) -> str:
        return f"is such that {self.group.in_words()}"

    def must(self) -> str:
        return f"be such that {self.group.in_words()}"

    def find_violations(self, at: Location, name: str, context: EvalContext) -> Iterator[Violation]:
        if non_empty(at.value) is None:
            yield Violation(at.path, f"`{name}` is {_describe_absence(at)}; it must {self.must()}")
        else:
            yield from self.group.find_violations(context._replace(item=at.value, base=at.path))


def _describe_absence(location: Location) -> str:
    return "empty" if location.there else "missing"


def _other_value(operand: Any, context: EvalContext) -> str:
    """The value of the field that is named in place of a value."""
    if not isinstance(operand, FieldRef):
        return ""
    value = operand.read_value(context)
    return ", which is missing" if value is None else f", which is {show_value(value)}"


class Condition(NamedTuple):
    """What the values that a path leads to must be: every one, or one at least."""

    path: FieldPath
    tests: tuple[Test | ItemCondition, ...]
    every: bool
    spread: bool = False
    """A value that is a list stands for its items."""

    def is_true(self, context: EvalContext) -> bool:
        every = self.every
        for value in self._read_values(context):
            if self._fits_value(non_empty(value), context) is not every:
                return not every
        return every

    def _fits_value(self, value: Any, context: EvalContext) -> bool:
        for test in self.tests:  # noqa: SIM110 - a generator would take longer than the test
            if not test.is_met(value, context):
                return False
        return True

    def _read_values(self, context: EvalContext) -> list[Any]:
        values = self.path.values_from(context.item)
        if not self.spread:
            return values
        # An empty list is one absent value, as a missing one is.
        return [i for v in values for i in (v if v.__class__ is list and v else (v,))]

    def _find_locations(self, context: EvalContext) -> Iterator[Location]:
        for path, value, there in self.path.locations_from(context.item):
            where = (*context.base, *path)
            if self.spread and isinstance(value, list) and value:
                yield from (Location((*where, n), item) for n, item in enumerate(value))
            else:
                yield Location(where, value, there)

    def find_violations(self, context: EvalContext) -> Iterator[Violation]:
        """The reasons why the condition is not met; of an absent value only the first."""
        if self.is_true(context):
            return
        if not self.every and self._several:
            must = " and ".join(test.must() for test in self.tests)
            text = f"nothing in `{self.path.written}` fits; at least one must {must}"
            yield Violation(self._first_list(context), text)
            return
        for location in self._find_locations(context):
            value = non_empty(location.value)
            for test in self.tests:
                if not test.is_met(value, context):
                    yield from test.find_violations(location, self.path.written, context)
                    if value is None:
                        break

    @property
    def _several(self) -> bool:
        return self.spread or any(step.each for step in self.path.steps)

    def _first_list(self, context: EvalContext) -> Path:
        path = next(self._find_locations(context), Location(context.base, None)).path
        below = range(len(context.base), len(path))
        return path[: next((n for n in below if isinstance(path[n], int)), len(path))]

    def find_place(self, context: EvalContext, *, fits: bool) -> Path:
        """The path of the first value that fits, or that does not."""
        locations = list(self._find_locations(context))
        meant = (s for s in locations if self._fits_value(non_empty(s.value), context) is fits)
        return next(meant, locations[0] if locations else Location(context.base, None)).path

    def in_words(self) -> str:
        """The condition in words: `` `status` is `published` ``."""
        several = ("every " if self.every else "some ") if self._several else ""
        tests = " and ".join(test.in_words() for test in self.tests)
        return f"{several}`{self.path.written}` {tests}"


class ConditionGroup(NamedTuple):
    """Conditions of which all, or at least one, must be met."""

    parts: tuple["Node", ...]
    every: bool = True

    def is_true(self, context: EvalContext) -> bool:
        every = self.every
        for part in self.parts:
            if part.is_true(context) is not every:
                return not every
        return every

    def find_violations(self, context: EvalContext) -> Iterator[Violation]:
        if self.every:
            for part in self.parts:
                yield from part.find_violations(context)
        elif not self.is_true(context):
            place = self.find_place(context, fits=False)
            yield Violation(place, f"none of this is true: {self._join_parts('or')}")

    def find_place(self, context: EvalContext, *, fits: bool) -> Path:
        return self.parts[0].find_place(context, fits=fits)

    def in_words(self) -> str:
        return self._join_parts("and") if self.every else f"({self._join_parts('or')})"

    def _join_parts(self, word: str) -> str:
        return f" {word} ".join(part.in_words() for part in self.parts)


class Not(NamedTuple):
    """A condition that must not be met."""

    part: "Node"

    def is_true(self, context: EvalContext) -> bool:
        return not self.part.is_true(context)

    def find_violations(self, context: EvalContext) -> Iterator[Violation]:
        if self.part.is_true(context):
            place = self.part.find_place(context, fits=True)
            yield Violation(place, f"this is true but must not be: {self.part.in_words()}")

    def find_place(self, context: EvalContext, *, fits: bool) -> Path:
        return self.part.find_place(context, fits=not fits)

    def in_words(self) -> str:
        return f"not ({self.part.in_words()})"


Node: TypeAlias = Condition | ConditionGroup | Not
