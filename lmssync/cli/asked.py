"""The problems that somebody has asked about: those of some files, or of what has changed."""

from collections.abc import Sequence
from pathlib import Path

from ..problems import Problem


def asked_about(
    root: Path, problems: list[Problem], since: str | None, files: Sequence[str]
) -> list[Problem]:
    """Of named files only theirs; of changed ones also what a change may have caused elsewhere.

    Raises `WrongUse` for a name or a revision that is not there.
    """
    from ..manifests.git import changed
    from ..manifests.stock.named import chosen

    if files:
        named = chosen(root, files)
        problems = [problem for problem in problems if problem.where.file in named]
    if since:
        late = changed(root, since, (problem.where.file for problem in problems))
        problems = [p for p in problems if p.across or p.where.file in late]
    return problems
