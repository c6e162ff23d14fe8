"""Mistakes in a catalog, as values: all are collected, sorted by place and shown at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum

from .address import Address
from .source import Origin, Path, Place, spell


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: what is, what is allowed, and what to do about it."""

    code: str
    """Id of the rule, stable and unique: `percent-range`."""
    message: str
    origin: Origin
    """Where it stands, as file, document and path; `manifests.locate` turns it into a place."""
    hint: str = ""
    address: Address | None = None
    severity: Severity = Severity.ERROR
    place: Place | None = None
    across: bool = False
    """It is about several resources: a change of another file may have caused it."""

    @property
    def path(self) -> str:
        return spell(self.origin.path)

    @property
    def where(self) -> Place:
        return self.place or Place(self.origin.file)


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake as a rule of a kind sees it: it knows the path, not the file."""

    code: str
    path: Path
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    place: Place | None = None
    """Where it is, for what stands in no manifest: a line of a table."""

    def at(self, origin: Origin, address: Address | None) -> Problem:
        """This finding as a problem of the resource that was read from `origin`."""
        below = origin.at(self.path)
        return Problem(
            self.code, self.message, below, self.hint, address, self.severity, self.place
        )


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sorted by file, line and column, each problem once."""
    return sorted(set(problems), key=lambda p: (*p.where, p.code, p.message))


def errors(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity is Severity.ERROR]


def graded(problems: Iterable[Problem], grades: Mapping[str, str]) -> list[Problem]:
    """The problems as the catalog takes them: `error`, `warning`, or `off` by id of the rule."""
    if not grades:
        return list(problems)
    taken = ((problem, grades.get(problem.code)) for problem in problems)
    return [
        replace(problem, severity=Severity(grade)) if grade else problem
        for problem, grade in taken
        if grade != "off"
    ]


def near(word: str, known: Iterable[str]) -> str:
    """A question that names the likeliest word meant, or nothing."""
    close = get_close_matches(word, list(known), n=3, cutoff=0.6)
    if not close:
        return ""
    return f"did you mean {' or '.join(f'`{found}`' for found in close)}?"
