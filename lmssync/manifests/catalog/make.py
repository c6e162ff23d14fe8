"""What came of one file: its resources, what is wrong with it, and what that rests on."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from ... import graph
from ...address import Address
from ...kinds import KINDS
from ...problems import Problem, graded
from ...resource import Refused, Resource
from ..check.check import Desk, Found, addresses, check
from ..documents.locate import locate_at_once
from ..documents.read import read
from ..documents.scope import Scope
from ..files.attachments import Files, Sight
from ..files.walk import TEMPLATE, stamp_of


class Entry(NamedTuple):
    """One file as one scope reads it."""

    file: str
    variant: str
    stamp: str
    """Empty where the file was so new that it may have changed again unseen."""
    digest: str
    watched: Mapping[str, Sight]
    """Files that it names."""
    addresses: tuple[Address, ...]
    """Every address that it gives, of refused resources too."""
    resources: list[Resource]
    problems: list[Problem]
    refused: list[Refused]


def make(scope: Scope, file: str) -> Entry:
    """Reads and checks one file; it is parsed here and dropped here."""
    now = time.time_ns()
    stamp = stamp_of(scope.root / file)
    text = read(scope, file)
    desk = Desk(scope, Files(scope.root))
    given = [Address(kind, key) for key in text.keys for kind in KINDS]
    found = Found([], list(text.problems), [])
    for document in text.documents:
        given += addresses(document)
        found.add(check(desk, document))
    resources, wrong = graph.inside(found.resources)
    problems = found.problems + graded(wrong, scope.project.rules)
    return Entry(
        file,
        scope.variant(template=file.endswith(TEMPLATE), addresses=given),
        stamp.settled(now),
        text.digest,
        desk.files.seen,
        tuple(given),
        resources,
        _located(scope, file, problems),
        found.refused,
    )


def _located(scope: Scope, file: str, problems: list[Problem]) -> list[Problem]:
    """With places in this file only: lines of an overlay or of the project file may move."""
    ours = [problem for problem in problems if problem.origin.file == file]
    return locate_at_once(scope, ours) + [
        problem for problem in problems if problem.origin.file != file
    ]
