"""Reads and checks the files of a catalog; if there are many, in processes of their own."""

import time
from collections.abc import Iterator, Sequence
from functools import partial

from ....kinds import KINDS
from ....problems import Problem, grade_problems
from ....resource import Address
from ... import graph
from .. import processes
from ..cache import CacheEntry, Encoded, encode_entry
from ..check import Context, Result, check_document, document_addresses
from ..documents import ManifestFile, Scope, located_in, read_manifest_file
from ..files import TEMPLATE, CatalogFiles, settle_stamp, stamp_of


def make_entry(scope: Scope, file: str) -> CacheEntry:
    """Reads and checks one file; it is parsed here and dropped here."""
    now = time.time_ns()
    stamp = stamp_of(scope.root / file)
    text = read_manifest_file(scope, file)
    context = Context(scope, CatalogFiles(scope.root))
    given = [Address(kind, key) for key in text.keys for kind in KINDS]
    result = Result([], list(text.problems), [])
    for document in text.documents:
        given += document_addresses(document)
        result.add_result(check_document(context, document))
    resources, wrong = graph.settle_references_inside(result.resources)
    problems = result.problems + grade_problems(wrong, scope.project.rules)
    return CacheEntry(
        file,
        scope.variant_of_file(template=file.endswith(TEMPLATE), addresses=given),
        settle_stamp(stamp, now),
        text.digest,
        context.files.seen,
        tuple(given),
        resources,
        _locate_in_file(scope, file, text, problems),
        result.refused,
    )


def _locate_in_file(
    scope: Scope, file: str, text: ManifestFile, problems: list[Problem]
) -> list[Problem]:
    """Keeps only places in this file: lines of an overlay or of the project file may move."""
    ours = [problem for problem in problems if problem.origin.file == file]
    return located_in(scope, text, ours) + [
        problem for problem in problems if problem.origin.file != file
    ]


def make_all(scope: Scope, files: Sequence[str]) -> Iterator[Encoded]:
    """The result of each file, in their order."""
    return processes.map_files(partial(_make_encoded, scope), files)


def _make_encoded(scope: Scope, file: str) -> Encoded:
    return encode_entry(make_entry(scope, file))
