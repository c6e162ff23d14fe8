"""Reads and checks one file of a catalog."""

import time

from ... import graph
from ...address import Address
from ...kinds import KINDS
from ...problems import Problem, graded
from ..cache import Entry
from ..check import (
    Context,
    Result,
    addresses,
    check,
)
from ..documents import Scope, locate_at_once, read
from ..files import TEMPLATE, Files, stamp_of


def make(scope: Scope, file: str) -> Entry:
    """Reads and checks one file; it is parsed here and dropped here."""
    now = time.time_ns()
    stamp = stamp_of(scope.root / file)
    text = read(scope, file)
    context = Context(scope, Files(scope.root))
    given = [Address(kind, key) for key in text.keys for kind in KINDS]
    result = Result([], list(text.problems), [])
    for document in text.documents:
        given += addresses(document)
        result.add(check(context, document))
    resources, wrong = graph.inside(result.resources)
    problems = result.problems + graded(wrong, scope.project.rules)
    return Entry(
        file,
        scope.variant(template=file.endswith(TEMPLATE), addresses=given),
        stamp.settled(now),
        text.digest,
        context.files.seen,
        tuple(given),
        resources,
        _located(scope, file, problems),
        result.refused,
    )


def _located(scope: Scope, file: str, problems: list[Problem]) -> list[Problem]:
    """With places in this file only: lines of an overlay or of the project file may move."""
    ours = [problem for problem in problems if problem.origin.file == file]
    return locate_at_once(scope, ours) + [
        problem for problem in problems if problem.origin.file != file
    ]
