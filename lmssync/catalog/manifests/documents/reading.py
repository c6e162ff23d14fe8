"""A file of the catalog as documents."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ....problems import Problem, Rule
from ....resource import Origin
from ....support import inside
from ..files import FILE_OUTSIDE, MANIFEST_BYTES, TEMPLATE
from ..yaml import TOO_LARGE, YamlMistake, load_yaml
from .scope import Scope

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
    """What the documents were read from: the file itself, or what a template stands for."""


def read_manifest_file(scope: Scope, file: str) -> ManifestFile:
    """The documents of a file, rendered before if it is a template."""
    try:
        raw = inside.read_inside(scope.root, file, MANIFEST_BYTES)
    except OSError as error:
        return ManifestFile([], [unreadable_problem(file, error)])
    digest = hashlib.sha256(raw).hexdigest()
    try:
        text = yaml_of(scope, file, raw)
    except YamlMistake as mistake:
        return ManifestFile([], [mistake.as_problem(file)], digest, _find_keys(raw))
    try:
        values = load_yaml(text)
    except YamlMistake as mistake:
        lines = template_lines(scope, file, raw)
        problem = mistake.as_problem(file, spot_in_file(lines, mistake.line, mistake.column))
        return ManifestFile([], [problem], digest, _find_keys(text))
    documents = [Document(Origin(file, n), data) for n, data in enumerate(values)]
    return ManifestFile(
        [document for document in documents if document.data is not None], [], digest, yaml=text
    )


def unreadable_problem(file: str, error: OSError) -> Problem:
    """Why a file cannot be read; its content is never shown."""
    if isinstance(error, inside.TooLarge):
        text = f"the file has {error.size:,} bytes; a manifest may have {MANIFEST_BYTES:,}"
        hint = "put long bodies into files of their own (`bodyFile`)"
        return TOO_LARGE.problem(text, Origin(file), hint)
    outside = isinstance(error, inside.Outside)
    text = f"the file cannot be read: {error.strerror or error}"
    hint = "replace the link with the file itself" if outside else ""
    return (FILE_OUTSIDE if outside else UNREADABLE).problem(text, Origin(file), hint)


def _find_keys(raw: bytes) -> tuple[str, ...]:
    """What follows `key:` at the start of a line, so that references to it can be left alone."""
    return tuple(match[1].decode() for match in _KEY.finditer(raw))


def yaml_of(scope: Scope, file: str, raw: bytes) -> bytes:
    """The YAML that a file holds or, being a template, stands for; raises `YamlMistake`."""
    if not file.endswith(TEMPLATE):
        return raw
    from ..templates.render import render  # 70 ms that most catalogs need not spend

    return render(raw, scope.variables)


def template_lines(scope: Scope, file: str, raw: bytes) -> Sequence[int]:
    """The line of the file for each line of its YAML; empty if the two are the same.

    If a template can only be rendered without its lines, everything is placed in the first line.
    """
    if not file.endswith(TEMPLATE):
        return ()
    from ..templates.render import lines

    try:
        return lines(raw, scope.variables)
    except YamlMistake:  # numbered it is longer, and may come to a limit or take another branch
        return (1,)


def spot_in_file(lines: Sequence[int], line: int, column: int) -> tuple[int, int]:
    """The line and column in the file for a place in its YAML."""
    return (lines[min(line, len(lines)) - 1], 1) if lines else (line, column)
