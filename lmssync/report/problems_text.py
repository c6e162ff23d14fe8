"""Problems for an author at a terminal, and as JSON."""

from collections.abc import Sequence
from typing import Any

from ..problems import Problem, Severity, errors
from . import words
from .ink import PLAIN, Colour, Ink

MOST = 200
"""Problems shown; the rest is counted."""


def problems_text(problems: Sequence[Problem], ink: Ink = PLAIN) -> str:
    """One line a problem that editors can jump to, the remedy below it, the count at the end."""
    lines = [line for problem in problems[:MOST] for line in _lines(problem, ink)]
    if len(problems) > MOST:
        lines.append(f"… and {len(problems) - MOST:,} more")
    return "\n".join([*lines, "", _count(problems)]) + "\n"


def _lines(problem: Problem, ink: Ink) -> list[str]:
    colour = Colour.RED if problem.severity is Severity.ERROR else Colour.YELLOW
    kind = ink(f"{problem.severity}[{problem.code}]", colour)
    address = f" {problem.address}:" if problem.address else ""
    line = f"{problem.where}: {kind}{address} {problem.message}"
    return [line, f"    {problem.hint}"] if problem.hint else [line]


def _count(problems: Sequence[Problem]) -> str:
    wrong = len(errors(problems))
    warned = len(problems) - wrong
    told = [words.counted(wrong, "error")] if wrong else []
    return ", ".join([*told, *([words.counted(warned, "warning")] if warned else [])]) + "."


def valid_text(files: int, resources: int) -> str:
    return f"Valid: {words.counted(resources, 'resource')} in {words.counted(files, 'file')}.\n"


def problems_json(problems: Sequence[Problem]) -> dict[str, Any]:
    """The document of `validate --json`."""
    return {
        "format": "lmssync.problems/1",
        "problems": [
            {
                "code": problem.code,
                "severity": problem.severity,
                "address": str(problem.address) if problem.address else None,
                "path": problem.path,
                "file": problem.where.file,
                "line": problem.where.line,
                "column": problem.where.column,
                "message": problem.message,
                "hint": problem.hint,
            }
            for problem in problems
        ],
    }
