"""A file of the catalog as documents, and the line and column of each problem in it.

`Scope` has what the reading of a file depends on besides the file itself. Places are looked for in
those files only that have problems.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ....problems import Finding, Problem, Rule, Severity
from ....resource import Address, Origin, Path as ValuePath, Place
from ....settings import Project
from ....support import safe_files
from ..catalog_files import FILE_OUTSIDE, MANIFEST_BYTES, PART_ENDING, STORIES, TEMPLATE, Listing
from ..yaml import (
    QUOTE,
    TOO_LARGE,
    BlockPlaces,
    Places,
    YamlMistake,
    find_marks,
    find_scalars,
    read_yaml,
)


class PolicyCheck(Protocol):
    """A policy: it sees a document with overlays and defaults applied."""

    @property
    def rule(self) -> Rule: ...

    def judge_document(self, resource: str, data: Mapping[str, Any]) -> Iterator[Finding]: ...


class Patch(NamedTuple):
    """The patch of an overlay for one resource."""

    origin: Origin
    data: dict[str, Any]


class Scope(NamedTuple):
    """One catalog as one environment wants it; `environment` is empty where there is none."""

    root: Path
    project: Project = Project(version=1)
    environment: str = ""
    patches: Mapping[Address, tuple[Patch, ...]] = {}
    policies: tuple[PolicyCheck, ...] = ()

    @property
    def variables(self) -> dict[str, Any]:
        """The values that a template may use."""
        environment = self.project.environments.get(self.environment)
        return {"environment": self.environment, "vars": environment.vars if environment else {}}

    def variant_of_file(self, *, template: bool, addresses: "list[Address]") -> str:
        """A key of what makes a file of this scope differ from that file elsewhere; empty: nothing.

        A template depends on the variables, a file with patched resources on their patches.
        """
        patches = [
            (patch.origin.file, patch.origin.document, patch.data)
            for address in addresses
            for patch in self.patches.get(address, ())
        ]
        if not template and not patches:
            return ""
        # Not JSON: a patch holds whatever its author wrote, keys that are numbers among it.
        parts = repr((self.variables if template else None, patches))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


UNREADABLE = Rule(
    "unreadable",
    "The file exists but cannot be read.",
    "Check its permissions, or where it leads if it is a link.",
)
NOT_A_MANIFEST = Rule(
    "not-a-manifest",
    "The document is a list or a single value.",
    "Start it with `resource:` and `key:`.",
    within="a file",
    wrong="- title: A",
    right="resource: course\nkey: a",
)

MANIFEST_MISPLACED = Rule(
    "manifest-misplaced",
    "A manifest is where files are read as something else, so its resource would be forgotten.",
    "Move it out of that folder; or, if its name ends in `.part.yaml`, rename it.",
)

_KEY = re.compile(rb"^key:[ \t]*[\"']?([A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*)", re.MULTILINE)


class Document(NamedTuple):
    """One document as the author wrote it."""

    origin: Origin
    data: Any


class ManifestFile(NamedTuple):
    """A file as read: its documents, what is wrong with it, and a digest of its bytes."""

    documents: list[Document]
    problems: list[Problem]
    digest: str = ""
    keys: tuple[str, ...] = ()
    """The keys that a file which cannot be parsed seems to give."""
    yaml: bytes = b""
    """The YAML that the documents were read from: the file itself, or a rendered template."""
    by_lines: bool = False
    """Whether each value begins on a line that shows it."""


def read_manifest_file(scope: Scope, file: str) -> ManifestFile:
    """The documents of a file, rendered before if it is a template."""
    try:
        raw = safe_files.read_inside(scope.root, file, MANIFEST_BYTES)
    except OSError as error:
        return ManifestFile([], [unreadable_problem(file, error)])
    digest = hashlib.sha256(raw).hexdigest()
    try:
        text = yaml_of(scope, file, raw)
    except YamlMistake as mistake:
        return ManifestFile([], [mistake.as_problem(file)], digest, _find_keys(raw))
    try:
        values, by_lines = read_yaml(text)
    except YamlMistake as mistake:
        lines = template_lines(scope, file, raw)
        problem = mistake.as_problem(file, spot_in_file(lines, mistake.line, mistake.column))
        return ManifestFile([], [problem], digest, _find_keys(text))
    documents = [Document(Origin(file, n), data) for n, data in enumerate(values)]
    present = [document for document in documents if document.data is not None]
    return ManifestFile(present, [], digest, (), text, by_lines)


def find_misplaced_manifests(scope: Scope, listing: Listing) -> Iterator[Problem]:
    """A problem for each manifest among files that nobody reads before they are needed."""
    parts = [name for name in listing.files if name.endswith(PART_ENDING)]
    unread = (*map(listing.yaml_files_below, (STORIES, "schemas")), parts)
    for file in dict.fromkeys(chain.from_iterable(unread)):
        try:
            raw = safe_files.read_inside(scope.root, file, MANIFEST_BYTES)
        except OSError as error:
            yield unreadable_problem(file, error)
            continue
        # Most have no such word: they need not be parsed.
        read = read_manifest_file(scope, file) if b"resource" in raw else None
        if read:
            yield from read.problems if read.keys else ()
            found = ((one, find_misplacement(one)) for one in read.documents)
            yield from (finding.at(one.origin, None) for one, finding in found if finding)


def find_misplacement(document: Document) -> Finding | None:
    """What is wrong with a manifest in a file that is not read as manifests."""
    data, file = document.data, document.origin.file
    if not (isinstance(data, dict) and {"resource", "key"} <= data.keys()):
        return None
    top, _, rest = file.partition("/")
    is_part = file.endswith(PART_ENDING)
    where = "in a part file" if is_part else f"in {top}/"
    text = f"the {data['resource']} `{data['key']}` is {where}, where no manifests are read"
    to = f"{file.removesuffix(PART_ENDING)}.yaml" if is_part else rest
    move = f"rename it to {to}" if is_part else f"move it out of {top}/, for example to {to}"
    return MANIFEST_MISPLACED.at((), text, move)


def unreadable_problem(file: str, error: OSError) -> Problem:
    """Why a file cannot be read; its content is never shown."""
    if isinstance(error, safe_files.TooLarge):
        text = f"the file has {error.size:,} bytes; a manifest may have {MANIFEST_BYTES:,}"
        hint = "put long bodies into files of their own (`bodyFile`)"
        return TOO_LARGE.problem(text, Origin(file), hint)
    outside = isinstance(error, safe_files.Outside)
    text = f"the file cannot be read: {error.strerror or error}"
    hint = "replace the link with the file itself" if outside else ""
    return (FILE_OUTSIDE if outside else UNREADABLE).problem(text, Origin(file), hint)


def _find_keys(raw: bytes) -> tuple[str, ...]:
    """What follows `key:` at the start of a line, so that references to it can be left alone."""
    return tuple(match[1].decode() for match in _KEY.finditer(raw))


def yaml_of(scope: Scope, file: str, raw: bytes) -> bytes:
    """The YAML of a file, rendered if it is a template; raises `YamlMistake`."""
    if not file.endswith(TEMPLATE):
        return raw
    from ..templates.template_rendering import render  # 70 ms that most catalogs need not spend

    return render(raw, scope.variables)


def template_lines(scope: Scope, file: str, raw: bytes) -> Sequence[int]:
    """The line of the file for each line of its YAML; empty if the two are the same.

    If a template can only be rendered without its lines, everything is placed in the first line.
    """
    if not file.endswith(TEMPLATE):
        return ()
    from ..templates.template_rendering import lines

    try:
        return lines(raw, scope.variables)
    except YamlMistake:  # numbered it is longer, and may come to a limit or take another branch
        return (1,)


def spot_in_file(lines: Sequence[int], line: int, column: int) -> tuple[int, int]:
    """The line and column in the file for a place in its YAML."""
    return (lines[min(line, len(lines)) - 1], 1) if lines else (line, column)


_SHOWN = re.compile(re.escape(QUOTE) + r'".*?"\)')
"""A value in a remedy."""
_SHOWN_MOST = 60


def located_in(scope: Scope, read: ManifestFile, problems: Iterable[Problem]) -> list[Problem]:
    """The problems of a file that has just been read, with all places that cost no other parse."""
    problems = list(problems)
    if problems and not problems[0].origin.file.endswith(TEMPLATE):
        documents = {document.origin.document: document.data for document in read.documents}
        known = BlockPlaces(read.yaml, documents, by_lines=read.by_lines)
        problems = [_with_spot(problem, known) for problem in problems]
    return locate_at_once(scope, problems)


def _with_spot(problem: Problem, known: BlockPlaces) -> Problem:
    """The problem with its place; one whose remedy shows a value is left to `as_written`."""
    if problem.place or problem.hint.startswith(QUOTE):
        return problem
    origin = problem.origin
    spot = known.find_spot(origin.document, origin.path)
    return problem._replace(place=Place(origin.file, *spot)) if spot else problem


def locate_at_once(scope: Scope, problems: Iterable[Problem]) -> list[Problem]:
    """The problems, with their places where they cannot wait.

    A warning can, until it is known that it will be shown: there may be thousands. What stands in
    a template has its place in one environment only.
    """
    urgent: list[Problem] = []
    waiting: list[Problem] = []
    for problem in problems:
        (waiting if _can_wait(problem) else urgent).append(problem)
    return [*locate_problems_in_files(scope, urgent), *waiting] if urgent else waiting


def _can_wait(problem: Problem) -> bool:
    is_warning = problem.severity is Severity.WARNING
    return is_warning and not problem.origin.file.endswith(TEMPLATE)


def locate_problems_in_files(scope: Scope, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their places; files are read again, which only mistakes cost."""
    by_file = sorted(problems, key=lambda problem: problem.origin.file)
    located: list[Problem] = []
    for file, group in groupby(by_file, key=lambda problem: problem.origin.file):
        located += _in_file(scope, file, list(group))
    return located


def _in_file(scope: Scope, file: str, problems: list[Problem]) -> list[Problem]:
    if all(problem.place for problem in problems):
        return problems
    try:
        raw = safe_files.read_inside(scope.root, file, MANIFEST_BYTES)
        text = yaml_of(scope, file, raw)
    except (OSError, YamlMistake):
        return problems
    documents, lines = find_marks(text), template_lines(scope, file, raw)
    problems = as_written(problems, text)
    return [p if p.place else _with_place(p, documents, lines) for p in problems]


def _with_place(problem: Problem, documents: list[Places], lines: Sequence[int]) -> Problem:
    origin = problem.origin
    places = documents[origin.document] if origin.document < len(documents) else {}
    path = origin.path
    while path and path not in places:
        path = path[:-1]
    line, column = spot_in_file(lines, *places.get(path, (1, 1)))
    return problem._replace(place=Place(origin.file, line, column))


def as_written(problems: Sequence[Problem], data: bytes) -> list[Problem]:
    """The problems of one file, whose bytes are `data`, with values in remedies as written there.

    `00123` is 123 once it is read. The file is read again, and only where a remedy shows a value.
    """
    if not any(problem.hint.startswith(QUOTE) for problem in problems):
        return list(problems)
    documents = find_scalars(data)
    return [_as_written(problem, documents) for problem in problems]


def _as_written(problem: Problem, documents: Sequence[Mapping[ValuePath, str]]) -> Problem:
    origin = problem.origin
    known = documents[origin.document] if origin.document < len(documents) else {}
    text = known.get(origin.path)
    if not problem.hint.startswith(QUOTE) or text is None or len(text) > _SHOWN_MOST:
        return problem
    mark = "'" if '"' in text or "\\" in text else '"'
    shown = f"{QUOTE}{mark}{text}{mark})"
    return problem._replace(hint=_SHOWN.sub(lambda _match: shown, problem.hint, count=1))
