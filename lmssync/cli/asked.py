"""The problems that somebody has asked about: those of some files, or of what has changed."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from ..problems import Problem

Asked = Callable[[list[Problem]], list[Problem]]
"""Chooses among the problems of a catalog."""


def asked_about(root: Path, files: Sequence[str], since: str | None) -> Asked:
    """For named files, their problems; for changed files, also problems they cause elsewhere.

    Raises `WrongUse` for a missing file; the returned function raises it for an unknown revision.
    """
    from ..git import changed
    from ..manifests.files import chosen

    named = chosen(root, files) if files else None
    late = cache(partial(changed, root, since or ""))

    def asked(problems: list[Problem]) -> list[Problem]:
        if named is not None:
            problems = [problem for problem in problems if problem.where.file in named]
        if since:
            there = late(frozenset(problem.where.file for problem in problems))
            problems = [p for p in problems if p.across or p.where.file in there]
        return problems

    return asked
