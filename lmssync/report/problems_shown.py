"""What every form of a list of problems shares: which are shown, and how one is worded."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import NamedTuple

from ..problems import Problem, Severity, errors
from ..visible import visible
from . import words


class Checked(NamedTuple):
    """How much was looked at."""

    files: int = 0
    resources: int = 0
    elsewhere: int = 0
    """Problems of files that nobody asked about: they are not among those that are told."""


def file_shown(name: str) -> str:
    """The name of a file at the start of a line: it may not be taken for a workflow command."""
    return visible(f"./{name}" if name.lstrip().startswith("::") else name)


def sentence(problem: Problem) -> str:
    """The problem without its place: `course.a: there is no field ...`."""
    address = f"{problem.address}: " if problem.address else ""
    return visible(f"{address}{problem.message}")


def below(prefix: str, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their files as seen from the root of the repository.

    `prefix` is the folder of the catalog in it, with forward slashes: `content/courses`; empty,
    or `.`, where the catalog is the whole repository.
    """
    folder = folder_of(prefix)
    if not folder:
        return list(problems)
    return [
        replace(problem, place=problem.where._replace(file=f"{folder}/{problem.where.file}"))
        for problem in problems
    ]


def folder_of(prefix: str) -> str:
    """The prefix without what may surround it: `./courses/` is `courses`, `.` is nothing."""
    folder = prefix.removeprefix("./").strip("/")
    return "" if folder == "." else folder


def chosen(problems: Sequence[Problem], most: int) -> list[Problem]:
    """At most so many problems, in the order given, so that no mistake hides behind others.

    Errors go before warnings, and no rule is shown again before every rule has been shown once.
    """
    times: Counter[tuple[Severity, str]] = Counter()
    ranks = []
    for position, problem in enumerate(problems):
        times[problem.severity, problem.code] += 1
        again = times[problem.severity, problem.code]
        ranks.append((problem.severity is not Severity.ERROR, again, position))
    kept = sorted(position for *_, position in nsmallest(most, ranks))
    return [problems[position] for position in kept]


def the_rest(problems: Sequence[Problem], shown: Sequence[Problem]) -> list[str]:
    """Lines that count the problems that are not shown, and name their rules."""
    if len(problems) == len(shown):
        return []
    left = Counter(p.code for p in problems) - Counter(p.code for p in shown)
    rules = ", ".join(f"{number:,} {code}" for code, number in left.most_common())
    return [f"… and {len(problems) - len(shown):,} more", f"    {rules}"]


def count(problems: Sequence[Problem]) -> str:
    """`2 errors, 1 warning.`"""
    wrong = len(errors(problems))
    warned = len(problems) - wrong
    told = [words.counted(wrong, "error")] if wrong or not warned else []
    return ", ".join([*told, *([words.counted(warned, "warning")] if warned else [])]) + "."


def valid_text(files: int, resources: int, elsewhere: int = 0) -> str:
    """The one line of a catalog without errors, or of the part of one that was asked about."""
    if elsewhere:
        are = "problem in other files is" if elsewhere == 1 else "problems in other files are"
        return f"No errors here. {elsewhere:,} {are} not shown: `lmssync validate` lists all.\n"
    return f"Valid: {words.counted(resources, 'resource')} in {words.counted(files, 'file')}.\n"
