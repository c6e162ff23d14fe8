"""Reads and checks the files of a catalog; if there are many, in processes of their own."""

import time
from collections.abc import Iterator, Sequence
from functools import partial

from ... import graph
from ...address import Address
from ...kinds import KINDS
from ...problems import Problem, graded
from .. import processes
from ..cache import CacheEntry, Encoded, encode
from ..check import Context, Result, addresses, check
from ..documents import ManifestFile, Scope, located_in, read
from ..files import TEMPLATE, CatalogFiles, settled, stamp_of


def make(scope: Scope, file: str) -> CacheEntry:
    """Reads and checks one file; it is parsed here and dropped here."""
    now = time.time_ns()
    stamp = stamp_of(scope.root / file)
    text = read(scope, file)
    context = Context(scope, CatalogFiles(scope.root))
    given = [Address(kind, key) for key in text.keys for kind in KINDS]
    result = Result([], list(text.problems), [])
    for document in text.documents:
        given += addresses(document)
        result.add(check(context, document))
    resources, wrong = graph.inside(result.resources)
    problems = result.problems + graded(wrong, scope.project.rules)
    return CacheEntry(
        file,
        scope.variant(template=file.endswith(TEMPLATE), addresses=given),
        settled(stamp, now),
        text.digest,
        context.files.seen,
        tuple(given),
        resources,
        _located(scope, file, text, problems),
        result.refused,
    )


def _located(scope: Scope, file: str, text: ManifestFile, problems: list[Problem]) -> list[Problem]:
    """Keeps only places in this file: lines of an overlay or of the project file may move."""
    ours = [problem for problem in problems if problem.origin.file == file]
    return located_in(scope, text, ours) + [
        problem for problem in problems if problem.origin.file != file
    ]


def make_all(scope: Scope, files: Sequence[str]) -> Iterator[Encoded]:
    """The result of each file, in their order."""
    return processes.each(partial(_made, scope), files)


def _made(scope: Scope, file: str) -> Encoded:
    return encode(make(scope, file))
