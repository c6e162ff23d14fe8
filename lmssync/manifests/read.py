"""A file of the catalog as documents."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import inside
from ..problems import Problem, Rule
from ..source import Origin
from .limits import MANIFEST_BYTES, VALUES
from .scope import Scope
from .stock.walk import TEMPLATE
from .yaml import fast
from .yaml.mistake import ENDLESS, TOO_LARGE, YamlMistake, too_many

UNREADABLE = Rule(
    "unreadable",
    "The file exists but cannot be read.",
    "Check its permissions, or where it leads if it is a link.",
)
FILE_OUTSIDE = Rule(
    "file-outside",
    "The file is outside the catalog, or is a link to a file outside it or to a hidden file.",
    "Put the file itself into the catalog.",
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


class Text(NamedTuple):
    """A file as read: its documents, what is wrong with it, and a digest of its bytes."""

    documents: list[Document]
    problems: list[Problem]
    digest: str = ""
    keys: tuple[str, ...] = ()
    """Keys that a file which cannot be parsed seems to give."""


def read(scope: Scope, file: str) -> Text:
    """The documents of a file, rendered before if it is a template."""
    try:
        raw = inside.read(scope.root, file, MANIFEST_BYTES)
    except OSError as error:
        return Text([], [unreadable(file, error)])
    digest = hashlib.sha256(raw).hexdigest()
    try:
        text = yaml_of(scope, file, raw)
    except YamlMistake as mistake:
        return Text([], [mistake.problem(file)], digest, _keys(raw))
    try:
        found = load(text)
    except YamlMistake as mistake:
        lines = template_lines(scope, file, raw)
        problem = mistake.problem(file, spot(lines, mistake.line, mistake.column))
        return Text([], [problem], digest, _keys(text))
    documents = [Document(Origin(file, n), data) for n, data in enumerate(found)]
    return Text([document for document in documents if document.data is not None], [], digest)


def unreadable(file: str, error: OSError) -> Problem:
    """Why a file cannot be read; its content is never shown."""
    if isinstance(error, inside.TooLarge):
        text = f"the file has {error.size:,} bytes; a manifest may have {MANIFEST_BYTES:,}"
        hint = "put long bodies into files of their own (`bodyFile`)"
        return TOO_LARGE.problem(text, Origin(file), hint)
    outside = isinstance(error, inside.Outside)
    text = f"the file cannot be read: {error.strerror or error}"
    hint = "replace the link with the file itself" if outside else ""
    return (FILE_OUTSIDE if outside else UNREADABLE).problem(text, Origin(file), hint)


def _keys(raw: bytes) -> tuple[str, ...]:
    """What stands after `key:` at the beginning of a line: what names it has been mistaken once."""
    return tuple(match[1].decode() for match in _KEY.finditer(raw))


def yaml_of(scope: Scope, file: str, raw: bytes) -> bytes:
    """The YAML that a file holds or, being a template, stands for; raises `YamlMistake`."""
    if not file.endswith(TEMPLATE):
        return raw
    from .layers.template import render  # 70 ms that most catalogs need not spend

    return render(raw, scope.variables)


def load(raw: bytes) -> list[Any]:
    """The documents in some bytes, the fast way where that is exact; raises `YamlMistake`."""
    try:
        found = fast.load(raw)
    except fast.Exotic:
        from .yaml import slow  # twenty times slower: only for files that need it

        found = slow.load(raw)
    if len(raw) > VALUES:  # each takes a byte at least
        _bounded(found, too_many())
    elif b"&" in raw and b"*" in raw:
        _bounded(found, _endless())
    return found


def _endless() -> YamlMistake:
    return YamlMistake(ENDLESS, f"the aliases of the file expand to more than {VALUES:,} values")


def _bounded(found: list[Any], mistake: YamlMistake) -> None:
    """Refuses what unfolds without end: nothing after this need be afraid of it."""
    waiting: list[Any] = list(found)
    count = 0
    while waiting:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        if count + len(waiting) > VALUES:
            raise mistake


def template_lines(scope: Scope, file: str, raw: bytes) -> Sequence[int]:
    """Line of the file for each line of its YAML; empty where the two are the same.

    Of a template that can only be rendered without its lines, everything stands in the first.
    """
    if not file.endswith(TEMPLATE):
        return ()
    from .layers.template import lines

    try:
        return lines(raw, scope.variables)
    except YamlMistake:  # numbered it is longer, and may come to a limit or take another branch
        return (1,)


def spot(lines: Sequence[int], line: int, column: int) -> tuple[int, int]:
    """Line and column in the file of what stands there in its YAML."""
    return (lines[min(line, len(lines)) - 1], 1) if lines else (line, column)
