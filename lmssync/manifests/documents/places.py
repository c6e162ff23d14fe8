"""Finds the line and column of each problem, reading only the files that have any."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from ... import inside
from ...problems import Problem, Severity
from ...source import Place
from ..files import MANIFEST_BYTES, TEMPLATE
from ..yaml import Places, YamlMistake, places
from .reading import spot, template_lines, yaml_of
from .scope import Scope
from .written import as_written


def locate_at_once(scope: Scope, problems: Iterable[Problem]) -> list[Problem]:
    """The problems, with their places where they cannot wait.

    A warning can, until it is known that it will be shown: there may be thousands. What stands in
    a template has its place in one environment only.
    """
    problems = list(problems)
    urgent = [problem for problem in problems if not _can_wait(problem)]
    return [*locate(scope, urgent), *(problem for problem in problems if _can_wait(problem))]


def _can_wait(problem: Problem) -> bool:
    plain = not problem.origin.file.endswith(TEMPLATE)
    return problem.severity is Severity.WARNING and plain


def locate(scope: Scope, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their places; files are read again, which only mistakes cost."""
    by_file = sorted(problems, key=lambda problem: problem.origin.file)
    located: list[Problem] = []
    for file, group in groupby(by_file, key=lambda problem: problem.origin.file):
        located += _in_file(scope, file, list(group))
    return located


def _in_file(scope: Scope, file: str, problems: list[Problem]) -> list[Problem]:
    if all(problem.place for problem in problems):
        return problems
    try:
        raw = inside.read(scope.root, file, MANIFEST_BYTES)
        text = yaml_of(scope, file, raw)
    except (OSError, YamlMistake):
        return problems
    documents, lines = places(text), template_lines(scope, file, raw)
    problems = as_written(problems, text)
    return [p if p.place else _with_place(p, documents, lines) for p in problems]


def _with_place(problem: Problem, documents: list[Places], lines: Sequence[int]) -> Problem:
    origin = problem.origin
    places = documents[origin.document] if origin.document < len(documents) else {}
    path = origin.path
    while path and path not in places:
        path = path[:-1]
    line, column = spot(lines, *places.get(path, (1, 1)))
    return replace(problem, place=Place(origin.file, line, column))
