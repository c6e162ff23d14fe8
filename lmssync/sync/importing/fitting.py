"""Leaves out of a document what the kind would refuse, and notes each, so that it validates."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from ...errors import LmssyncError
from ...kinds import KINDS
from ...problems import Severity
from ...resource import Path, spell_path
from ...texts.values import judge_texts
from ...vocabulary.enums import CourseKind
from .document import KIND, Data
from .outline import Course, Loss

_ROUNDS = 20
"""One mistake may hide another; each round leaves out all that can be seen."""


def fit_document(data: Data, course: Course) -> None:
    """Takes refused values out of the document. Raises `LmssyncError` if that does not help."""
    for _ in range(_ROUNDS):
        mistakes = dict(_find_mistakes(data))
        if not mistakes:
            return
        for path in sorted(mistakes, key=_last_first, reverse=True):
            if not path and data["kind"] != CourseKind.COURSE_GROUP:
                message = f"the kind `{data['kind']}`: {mistakes[path]}"
                course.note_loss(course.place, message, Loss.CHANGED)
                data["kind"] = CourseKind.COURSE_GROUP.value
                continue
            if not _leave_out(data, path):
                raise LmssyncError(
                    f"{course.place} cannot be a course here: {mistakes[path]}",
                    "correct it in its source",
                )
            course.note_loss(course.place, f"`{spell_path(path)}` {mistakes[path]}")
    raise LmssyncError(f"{course.place} cannot be a course here", "correct it in its source")


def _last_first(path: Path) -> list[tuple[int, str]]:
    """Sorts paths so that the last items of a list can be taken out first."""
    return [(step, "") if isinstance(step, int) else (-1, step) for step in path]


def _find_mistakes(data: Data) -> Iterator[tuple[Path, str]]:
    """Paths of what the model or, if that accepts the document, a rule refuses; and why."""
    kind = KINDS[KIND]
    try:
        spec = kind.spec.model_validate(data)
    except ValidationError as error:
        yield from ((wrong["loc"], wrong["msg"]) for wrong in error.errors())
        return
    for rule in (*kind.authoring.rules, judge_texts):
        for finding in rule(spec):
            if finding.severity is Severity.ERROR:
                yield finding.path, f"is left out: {finding.message}"


def _leave_out(data: Any, path: Path) -> bool:
    """Takes away what the path leads to or, if that is not there, what would have to hold it."""
    if not path:
        return False
    *way, last = path
    holder = data
    for step in way:
        if step not in (holder if isinstance(holder, dict) else range(len(holder))):
            return True  # it went away with what it was in
        holder = holder[step]
    if isinstance(holder, dict) and last not in holder:
        return _leave_out(data, tuple(way))
    if isinstance(holder, dict) and last in {"resource", "key", "kind", "title"} and not way:
        return False
    del holder[last]
    return True
