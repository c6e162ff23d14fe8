"""Which of many problems are shown: those alike in one file once or a few times, the rest counted.

The choice depends on the problems and on the order of their paths, not on their lines: only
problems that are shown have to be located in their files.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple

from ...problems import Problem, Severity, by_path

ALIKE = 5
"""Warnings of one rule that are shown of one file, where there are more."""
Kind = tuple[str, str]
"""File and rule."""


class Bounds(NamedTuple):
    """How much of a list is shown."""

    most: int = 0
    """Problems shown; 0: all."""
    folded: bool = False
    """Warnings that are alike are shown a few times for each file."""


class ProblemPage(NamedTuple):
    """All problems, those that are shown, and how many more there are like the last of its kind."""

    problems: Sequence[Problem]
    shown: Sequence[Problem]
    more: Mapping[Kind, int]

    def lines(self) -> Iterator[tuple[Problem, str]]:
        """Each problem shown, with a note on those folded into it, or an empty one."""
        last = {kind_of(problem): n for n, problem in enumerate(self.shown)}
        for number, problem in enumerate(self.shown):
            kind = kind_of(problem)
            more = self.more.get(kind, 0) if last[kind] == number else 0
            yield problem, f"… and {more:,} more {problem.code} in this file" if more else ""

    @property
    def rest(self) -> Counter[str]:
        """How many are neither shown nor counted beside another, by rule."""
        left = Counter(p.code for p in self.problems)
        left.subtract(p.code for p in self.shown)
        for kind in {kind_of(problem) for problem in self.shown}:
            left[kind[1]] -= self.more.get(kind, 0)
        return +left


def select_problems(problems: Sequence[Problem], bounds: Bounds) -> ProblemPage:
    """Selects the `problems` that are shown, in their order."""
    numbers = sorted(range(len(problems)), key=lambda number: by_path(problems[number]))
    more: dict[Kind, int] = {}
    if bounds.folded:
        numbers, more = _fold_warnings(problems, numbers)
    if bounds.most and len(numbers) > bounds.most:
        numbers = list(_choose_numbers(problems, numbers, bounds.most))
    return ProblemPage(problems, [problems[number] for number in sorted(numbers)], more)


def _fold_warnings(
    problems: Sequence[Problem], numbers: Sequence[int]
) -> tuple[list[int], dict[Kind, int]]:
    """The numbers without those of warnings of which enough are shown, and how many these are."""
    seen: Counter[Kind] = Counter()
    kept = []
    for number in numbers:
        problem = problems[number]
        kind = kind_of(problem)
        seen[kind] += problem.severity is Severity.WARNING
        if problem.severity is not Severity.WARNING or seen[kind] <= ALIKE:
            kept.append(number)
    return kept, {kind: times - ALIKE for kind, times in seen.items() if times > ALIKE}


def _choose_numbers(
    problems: Sequence[Problem], numbers: Sequence[int], most: int
) -> Iterator[int]:
    """The numbers of at most so many problems, so that no mistake hides behind others.

    Errors go before warnings, and no rule is shown again before every rule has been shown once.
    """
    times: Counter[tuple[Severity, str]] = Counter()
    ranks = []
    for position, number in enumerate(numbers):
        problem = problems[number]
        times[problem.severity, problem.code] += 1
        again = times[problem.severity, problem.code]
        ranks.append((problem.severity is not Severity.ERROR, again, position))
    yield from (numbers[position] for *_, position in nsmallest(most, ranks))


def kind_of(problem: Problem) -> Kind:
    return problem.where.file, problem.code
