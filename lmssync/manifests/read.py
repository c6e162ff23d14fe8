"""A file of the catalog as documents."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..problems import Problem
from ..source import Origin, Place
from .scope import Scope
from .stock.walk import TEMPLATE
from .yaml import fast
from .yaml.mistake import YamlMistake

SIZE_LIMIT = 16 * 1024 * 1024
VALUES_LIMIT = 1_000_000
"""Values of a file once its aliases are written out."""


class Document(NamedTuple):
    """One document as the author wrote it."""

    origin: Origin
    data: Any


class Text(NamedTuple):
    """A file as read: its documents, what is wrong with it, and a digest of its bytes."""

    documents: list[Document]
    problems: list[Problem]
    digest: str = ""


def read(scope: Scope, file: str) -> Text:
    """The documents of a file, rendered before if it is a template."""
    path = scope.root / file
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for without end
            raise OSError("it is no regular file")
        raw = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        problem = Problem("unreadable", f"the file cannot be read: {reason}", Origin(file))
        return Text([], [problem])
    digest = hashlib.sha256(raw).hexdigest()
    try:
        text = yaml_of(scope, file, raw)
    except YamlMistake as mistake:
        return Text([], [_problem(file, mistake, mistake.line, mistake.column)], digest)
    try:
        found = load(text)
    except YamlMistake as mistake:
        lines = template_lines(scope, file, raw)
        line, column = spot(lines, mistake.line, mistake.column)
        return Text([], [_problem(file, mistake, line, column)], digest)
    documents = [Document(Origin(file, n), data) for n, data in enumerate(found)]
    return Text([document for document in documents if document.data is not None], [], digest)


def yaml_of(scope: Scope, file: str, raw: bytes) -> bytes:
    """The YAML that a file holds or, being a template, stands for; raises `YamlMistake`."""
    if len(raw) > SIZE_LIMIT:
        raise YamlMistake(
            "too-large",
            f"the file has {len(raw):,} bytes; a manifest may have {SIZE_LIMIT:,}",
            "put long bodies into files of their own (`bodyFile`)",
        )
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
    if b"&" in raw and b"*" in raw:
        _bounded(found)
    return found


def _bounded(found: list[Any]) -> None:
    """Refuses aliases that unfold without end: nothing after this need be afraid of them."""
    waiting: list[Any] = list(found)
    count = 0
    while waiting:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        if count + len(waiting) > VALUES_LIMIT:
            raise YamlMistake(
                "endless",
                f"written out, the aliases of the file stand for more than {VALUES_LIMIT:,} values",
                "look for an anchor (`&`) whose value holds an alias (`*`) of itself or of others",
            )


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


def _problem(file: str, mistake: YamlMistake, line: int, column: int) -> Problem:
    place = Place(file, line, column)
    return Problem(mistake.code, mistake.message, Origin(file), mistake.hint, place=place)
