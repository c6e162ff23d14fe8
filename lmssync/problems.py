"""Mistakes in a catalog, as values: all are collected, sorted by place and shown at once."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from .resource import Address, Origin, Path, Place, spell_path


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


class Problem(NamedTuple):
    """One mistake: what was found, what is allowed, and what to do about it."""

    code: str
    """Id of the rule, stable and unique: `percent-range`."""
    message: str
    origin: Origin
    """Where it stands, as file, document and path; `manifests.documents` turns it into a place."""
    hint: str = ""
    address: Address | None = None
    severity: Severity = Severity.ERROR
    place: Place | None = None
    across: bool = False
    """It is about several resources: a change of another file may have caused it."""

    @property
    def path(self) -> str:
        return spell_path(self.origin.path)

    @property
    def where(self) -> Place:
        return self.place or Place(self.origin.file)


class Finding(NamedTuple):
    """A mistake as a rule of a kind sees it: it knows the path, not the file."""

    code: str
    path: Path
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    place: Place | None = None
    """Its place if that is not in a manifest: a line of a table."""

    def at(self, origin: Origin, address: Address | None) -> Problem:
        """This finding as a problem of the resource that was read from `origin`."""
        below = origin.at(self.path)
        return Problem(
            self.code, self.message, below, self.hint, address, self.severity, self.place
        )


class Rule(NamedTuple):
    """What a catalog is held to; it stands in the module that checks it, and is raised there."""

    id: str
    """Stable and unique: `percent-range`."""
    means: str
    remedy: str
    severity: Severity = Severity.ERROR
    fixed: bool = True
    """The platform would refuse the value, or nothing can be made of the document: such a rule
    can be neither lowered nor switched off by `rules:` of the project file."""
    source: str = ""
    """Section of the specification (`spec 2.2`) or observation (`O18`) that it comes from."""
    within: str = "a course"
    """In what the YAML of the next two stands."""
    wrong: str = ""
    """YAML that breaks the rule. Rules about several resources or a whole file have none."""
    right: str = ""

    @property
    def hint(self) -> str:
        """The remedy, as it is said where nothing more exact is known."""
        return self.remedy[:1].lower() + self.remedy[1:].removesuffix(".")

    def at(
        self, path: Path, message: str, hint: str | None = None, place: Place | None = None
    ) -> Finding:
        """What breaks the rule in a document."""
        advice = self.hint if hint is None else hint
        return Finding(self.id, path, message, advice, self.severity, place)

    def problem(
        self,
        message: str,
        origin: Origin,
        hint: str | None = None,
        address: Address | None = None,
        place: Place | None = None,
    ) -> Problem:
        """What breaks the rule where the file is known."""
        advice = self.hint if hint is None else hint
        return Problem(self.id, message, origin, advice, address, self.severity, place)


def warning_rule(id_: str, means: str, remedy: str, **more: str) -> Rule:
    """A rule that stops no plan, and that a catalog may decide about."""
    return Rule(id_, means, remedy, Severity.WARNING, fixed=False, **more)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sorted by file, line and column, each problem once."""
    # A part file brings one mistake to several courses: only their addresses differ.
    return sorted(
        set(problems),
        key=lambda p: (p.where, p.code, p.message, by_path(p), p.address or ("", "")),
    )


def by_path(problem: Problem) -> tuple[str, int, tuple[tuple[bool, str | int], ...]]:
    """Sorts by file, document and path: the same before and after its line is known."""
    file, document, path, _ = problem.origin
    return file, document, _make_comparable(path)


@lru_cache(maxsize=4096)  # thousands of files have the same paths
def _make_comparable(path: Path) -> tuple[tuple[bool, str | int], ...]:
    return tuple(zip(map(isinstance, path, repeat(str)), path, strict=False))


def only_errors(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity is Severity.ERROR]


Grades = Mapping[str, str | Mapping[str, str]]
"""`error`, `warning`, or `off` by id of a rule; the same by folders, which end with a slash."""


def grade_problems(problems: Iterable[Problem], grades: Grades) -> list[Problem]:
    """The problems as the catalog takes them; of several folders the innermost one decides."""
    if not grades:
        return list(problems)
    by_depth = sorted(grades.items(), key=lambda item: -len(item[0]))
    folders = {name: rules for name, rules in by_depth if isinstance(rules, Mapping)}
    taken = ((problem, _grade_of(problem, grades, folders)) for problem in problems)
    return [
        problem._replace(severity=Severity(grade)) if grade else problem
        for problem, grade in taken
        if grade != "off"
    ]


def _grade_of(
    problem: Problem, grades: Grades, folders: Mapping[str, Mapping[str, str]]
) -> str | None:
    for folder, rules in folders.items():
        if problem.code in rules and problem.origin.file.startswith(folder):
            return rules[problem.code]
    grade = grades.get(problem.code)
    return grade if isinstance(grade, str) else None


def suggest_near(word: str, known: Iterable[str], before: str = "") -> str:
    """`did you mean ...?` with the closest words and what stands `before` each, or nothing."""
    from difflib import get_close_matches

    close = [f"`{before}{name}`" for name in get_close_matches(word, list(known), n=3, cutoff=0.6)]
    return f"did you mean {' or '.join(close)}?" if close else ""
