"""Problems in words: which of many are shown, how one is spelled, and the text for a terminal.

Problems alike in one file are shown once or a few times, and the rest is counted. The choice
depends on the problems and on the order of their paths, not on their lines: only problems that
are shown have to be located in their files.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import groupby
from typing import Any, NamedTuple

from ...problems import Problem, Severity, by_path, only_errors
from ...support.invisible_characters import escape_invisible
from ..terminal_style import PLAIN, Colour, TextStyle, wrap_lines
from ..value_words import count_noun
from .source_excerpt import MARGIN, Display, draw_excerpt

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
    if not bounds.folded and not 0 < bounds.most < len(problems):
        return ProblemPage(problems, problems, {})
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
    seen: dict[Kind, int] = {}
    kept = []
    for number in numbers:
        problem, times = problems[number], 0
        if problem.severity is Severity.WARNING:
            kind = kind_of(problem)
            times = seen[kind] = seen.get(kind, 0) + 1
        if times <= ALIKE:
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
    return (problem.place or problem.origin).file, problem.code


MOST = 200
"""Problems shown; the rest is counted."""
HELP = "help:"
PLAINLY = Display()
"""Without colours, and without the lines of files."""


class Checked(NamedTuple):
    """How much was looked at."""

    files: int = 0
    resources: int = 0
    elsewhere: int = 0
    """Problems of files that were not asked about; they are not shown."""
    quiet: int = 0
    """Warnings that are not shown, since the baseline of the catalog knows them."""
    online: Mapping[str, Any] | None = None
    """What the platform was asked about, if it was."""
    media: Mapping[str, Any] | None = None
    """How many files of the web the manifests name, and how many were not looked at; if asked."""

    @property
    def numbers(self) -> dict[str, Any]:
        """For programs; mentions what was not asked for only where it played a part."""
        seldom = {"quiet", "online", "media"}
        return {name: n for name, n in self._asdict().items() if n or name not in seldom}


def file_shown(name: str) -> str:
    """The name of a file at the start of a line: it may not be taken for a workflow command."""
    return escape_invisible(f"./{name}" if name.lstrip().startswith("::") else name)


def describe_problem(problem: Problem) -> str:
    """The problem without its place: `course.a: there is no field ...`."""
    address = f"{problem.address}: " if problem.address else ""
    return escape_invisible(f"{address}{problem.message}")


def prefix_problem_paths(prefix: str, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their files as seen from the root of the repository.

    `prefix` is the folder of the catalog in it, with forward slashes: `content/courses`; empty,
    or `.`, where the catalog is the whole repository.
    """
    folder = folder_of(prefix)
    if not folder:
        return list(problems)
    return [
        problem._replace(place=problem.where._replace(file=f"{folder}/{problem.where.file}"))
        for problem in problems
    ]


def folder_of(prefix: str) -> str:
    """The prefix without what may surround it: `./courses/` is `courses`, `.` is nothing."""
    folder = prefix.removeprefix("./").strip("/")
    return "" if folder == "." else folder


def the_rest(left: Counter[str]) -> list[str]:
    """Lines that count the problems that are not shown, and name their rules."""
    if not left:
        return []
    rules = ", ".join(f"{number:,} {code}" for code, number in left.most_common())
    return [f"… and {left.total():,} more", f"    {rules}"]


def count_problems(problems: Sequence[Problem]) -> str:
    """`2 errors, 1 warning.`"""
    wrong = len(only_errors(problems))
    warned = len(problems) - wrong
    counts = [count_noun(wrong, "error")] * bool(wrong or not warned)
    return ", ".join([*counts, *[count_noun(warned, "warning")] * bool(warned)]) + "."


def quiet_text(checked: Checked) -> str:
    """One line on the warnings that the baseline hides, or nothing."""
    if not checked.quiet:
        return ""
    known = count_noun(checked.quiet, "known warning")
    return (
        f"{known} {'is' if checked.quiet == 1 else 'are'} not shown: see lmssync-baseline.json.\n"
    )


def valid_text(checked: Checked) -> str:
    """The one line of a catalog without errors, or of the part of one that was asked about."""
    elsewhere = checked.elsewhere
    if elsewhere:
        are = "problem in other files is" if elsewhere == 1 else "problems in other files are"
        return f"No errors here. {elsewhere:,} {are} not shown: `lmssync validate` lists all.\n"
    resources = count_noun(checked.resources, "resource")
    return f"Valid: {resources} in {count_noun(checked.files, 'file')}.\n"


def problems_text(problems: Sequence[Problem], display: Display = PLAINLY) -> str:
    """The problems as `page_text` shows them, at most so many as a person reads."""
    return page_text(select_problems(problems, Bounds(MOST)), display)


def page_text(shown: ProblemPage, display: Display, *, concise: bool = False) -> str:
    """The problems that are shown, each with the line of its file where the display has lines, or
    each on one line with its remedy; and the count of all at the end."""
    style = display.style
    told: Iterable[str]
    if concise or not display.lines:
        apart = "; " if concise else f"\n{MARGIN}"
        told = (_spell_problem(one, more, style, apart) for one, more in shown.lines())
    else:
        told = _explain_problems(shown, display)
    return "\n".join([*told, *the_rest(shown.rest), "", count_problems(shown.problems)]) + "\n"


def problem_lines(problem: Problem, more: str = "") -> list[str]:
    """A problem, its remedy if it has one, and how many others are like it."""
    return _spell_problem(problem, more, PLAIN, f"\n{MARGIN}").split("\n")


def _spell_problem(problem: Problem, more: str, style: TextStyle, apart: str) -> str:
    """A problem with its remedy behind what is `apart`; below it, how many others are like it."""
    line = style.in_text(_head(problem), _kind(problem), _colour(problem))
    hint = f"{apart}{escape_invisible(problem.hint)}" if problem.hint else ""
    return line + hint + (f"\n{MARGIN}{style(more, Colour.DIM)}" if more else "")


def _explain_problems(shown: ProblemPage, display: Display) -> Iterator[str]:
    """Each problem with the line of its file and the remedy below it; problems of one place share
    the line."""
    first = True
    for _, group in groupby(shown.lines(), key=lambda one: one[0].where):
        if not first:
            yield ""
        first = False
        told = list(group)
        yield from _explain_place([problem for problem, _ in told], display)
        yield from (display.style(f"{MARGIN}{more}", Colour.DIM) for _, more in told if more)


def _explain_place(problems: Sequence[Problem], display: Display) -> Iterator[str]:
    for problem in problems:
        head, *further = wrap_lines([_head(problem)], display.columns)
        yield display.style.in_text(head, _kind(problem), _colour(problem))
        yield from further
    yield from draw_excerpt(problems[0], display, _colour(problems[0]))
    for hint in dict.fromkeys(escape_invisible(problem.hint) for problem in problems):
        if hint:
            head, *further = wrap_lines([f"{MARGIN}{HELP} {hint}"], display.columns)
            yield display.style.in_text(head, HELP, Colour.BLUE)
            yield from further


def _head(problem: Problem) -> str:
    return f"{file_shown(str(problem.where))}: {_kind(problem)} {describe_problem(problem)}"


def _kind(problem: Problem) -> str:
    return f"{problem.severity}[{problem.code}]"


def _colour(problem: Problem) -> Colour:
    return Colour.RED if problem.severity is Severity.ERROR else Colour.YELLOW
