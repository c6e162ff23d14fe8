"""Finds the line and column of each problem, reading only the files that have any."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ....problems import Problem, Severity
from ....resource import Path, Place
from ....support import inside
from ..files import MANIFEST_BYTES, TEMPLATE
from ..remedies import QUOTE
from ..yaml import BlockPlaces, Places, YamlMistake, find_marks, find_scalars
from .reading import ManifestFile, spot_in_file, template_lines, yaml_of
from .scope import Scope

_SHOWN = re.compile(re.escape(QUOTE) + r'".*?"\)')
"""A value in a remedy."""
_SHOWN_MOST = 60


def located_in(scope: Scope, read: ManifestFile, problems: Iterable[Problem]) -> list[Problem]:
    """The problems of a file that has just been read, with all places that cost no other parse."""
    problems = list(problems)
    if problems and not problems[0].origin.file.endswith(TEMPLATE):
        documents = {document.origin.document: document.data for document in read.documents}
        known = BlockPlaces(read.yaml, documents)
        problems = [_with_spot(problem, known) for problem in problems]
    return locate_at_once(scope, problems)


def _with_spot(problem: Problem, known: BlockPlaces) -> Problem:
    """The problem with its place; one whose remedy shows a value is left to `as_written`."""
    if problem.place or problem.hint.startswith(QUOTE):
        return problem
    origin = problem.origin
    spot = known.find_spot(origin.document, origin.path)
    return replace(problem, place=Place(origin.file, *spot)) if spot else problem


def locate_at_once(scope: Scope, problems: Iterable[Problem]) -> list[Problem]:
    """The problems, with their places where they cannot wait.

    A warning can, until it is known that it will be shown: there may be thousands. What stands in
    a template has its place in one environment only.
    """
    problems = list(problems)
    urgent = [problem for problem in problems if not _can_wait(problem)]
    return [
        *locate_problems_in_files(scope, urgent),
        *(problem for problem in problems if _can_wait(problem)),
    ]


def _can_wait(problem: Problem) -> bool:
    plain = not problem.origin.file.endswith(TEMPLATE)
    return problem.severity is Severity.WARNING and plain


def locate_problems_in_files(scope: Scope, problems: Iterable[Problem]) -> list[Problem]:
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
        raw = inside.read_inside(scope.root, file, MANIFEST_BYTES)
        text = yaml_of(scope, file, raw)
    except (OSError, YamlMistake):
        return problems
    documents, lines = find_marks(text), template_lines(scope, file, raw)
    problems = as_written(problems, text)
    return [p if p.place else _with_place(p, documents, lines) for p in problems]


def _with_place(problem: Problem, documents: list[Places], lines: Sequence[int]) -> Problem:
    origin = problem.origin
    places = documents[origin.document] if origin.document < len(documents) else {}
    path = origin.path
    while path and path not in places:
        path = path[:-1]
    line, column = spot_in_file(lines, *places.get(path, (1, 1)))
    return replace(problem, place=Place(origin.file, line, column))


def as_written(problems: Sequence[Problem], data: bytes) -> list[Problem]:
    """The problems of one file, whose bytes are `data`, with values in remedies as written there.

    `00123` is 123 once it is read. The file is read again, and only where a remedy shows a value.
    """
    if not any(problem.hint.startswith(QUOTE) for problem in problems):
        return list(problems)
    documents = find_scalars(data)
    return [_as_written(problem, documents) for problem in problems]


def _as_written(problem: Problem, documents: Sequence[Mapping[Path, str]]) -> Problem:
    origin = problem.origin
    known = documents[origin.document] if origin.document < len(documents) else {}
    text = known.get(origin.path)
    if not problem.hint.startswith(QUOTE) or text is None or len(text) > _SHOWN_MOST:
        return problem
    mark = "'" if '"' in text or "\\" in text else '"'
    shown = f"{QUOTE}{mark}{text}{mark})"
    return replace(problem, hint=_SHOWN.sub(lambda _match: shown, problem.hint, count=1))
