"""Problems as JSON, for programs."""

from collections.abc import Sequence
from typing import Any

from ...problems import Problem, only_errors
from .shown import Checked


def problems_json(
    problems: Sequence[Problem],
    checked: Checked | None = None,
    shown: Sequence[Problem] | None = None,
) -> dict[str, Any]:
    """The document of `validate --json`: every problem, or those that are to be shown.

    Parsed, it has every character as it is. Only a lone surrogate, which a file name can hold and
    JSON cannot, is written out.
    """
    summary: dict[str, Any] = {}
    if checked is not None:
        wrong = len(only_errors(problems))
        counts = {"errors": wrong, "warnings": len(problems) - wrong}
        summary = {"summary": counts | checked.numbers}
    listed = [_problem(problem) for problem in (problems if shown is None else shown)]
    return {"format": "lmssync.problems/1", **summary, "problems": listed}


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "address": _whole(str(problem.address)) if problem.address else None,
        "path": _whole(problem.path),
        "file": _whole(problem.where.file),
        "line": problem.where.line,
        "column": problem.where.column,
        "message": _whole(problem.message),
        "hint": _whole(problem.hint),
    }


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
