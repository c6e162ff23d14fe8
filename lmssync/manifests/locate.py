"""Finds the line and column of each problem, reading only the files that have any."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from ..problems import Problem
from ..source import Path as Within
from ..source import Place


def locate(root: Path, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their places; files are read again, which only mistakes cost."""
    by_file = sorted(problems, key=lambda problem: problem.origin.file)
    located: list[Problem] = []
    for file, group in groupby(by_file, key=lambda problem: problem.origin.file):
        located += _in_file(root, file, list(group))
    return located


def _in_file(root: Path, file: str, problems: list[Problem]) -> list[Problem]:
    if all(problem.place for problem in problems):
        return problems
    from . import slow

    try:
        documents = slow.places((root / file).read_bytes())
    except OSError:
        return problems
    return [problem if problem.place else _with_place(problem, documents) for problem in problems]


def _with_place(problem: Problem, documents: list[dict[Within, tuple[int, int]]]) -> Problem:
    origin = problem.origin
    places = documents[origin.document] if origin.document < len(documents) else {}
    path = origin.path
    while path and path not in places:
        path = path[:-1]
    line, column = places.get(path, (1, 1))
    return replace(problem, place=Place(origin.file, line, column))
