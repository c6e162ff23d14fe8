"""Shows values in remedies as they are written in the file: `00123` is 123 once it is read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...problems import Problem
from ...source import Path
from ..remedies import QUOTE
from ..yaml import scalars

_SHOWN = re.compile(re.escape(QUOTE) + r'".*?"\)')
_MOST = 60


def as_written(problems: Sequence[Problem], data: bytes) -> list[Problem]:
    """The problems of one file, whose bytes are `data`, with their values spelled as there.

    The file is read again, and only where a remedy shows a value.
    """
    if not any(problem.hint.startswith(QUOTE) for problem in problems):
        return list(problems)
    documents = scalars(data)
    return [_as_written(problem, documents) for problem in problems]


def _as_written(problem: Problem, documents: Sequence[Mapping[Path, str]]) -> Problem:
    origin = problem.origin
    known = documents[origin.document] if origin.document < len(documents) else {}
    text = known.get(origin.path)
    if not problem.hint.startswith(QUOTE) or text is None or len(text) > _MOST:
        return problem
    mark = "'" if '"' in text or "\\" in text else '"'
    shown = f"{QUOTE}{mark}{text}{mark})"
    return replace(problem, hint=_SHOWN.sub(lambda _found: shown, problem.hint, count=1))
