"""A file of the catalog as documents."""

from pathlib import Path
from typing import Any, NamedTuple

from ..problems import Problem
from ..source import Origin, Place
from . import fast
from .mistake import YamlMistake

SIZE_LIMIT = 16 * 1024 * 1024
VALUES_LIMIT = 1_000_000
"""Values of a file once its aliases are written out."""


class Document(NamedTuple):
    """One document as the author wrote it."""

    origin: Origin
    data: Any


def read(root: Path, file: str) -> tuple[list[Document], list[Problem]]:
    """The documents of a file, or what is wrong with it."""
    try:
        raw = (root / file).read_bytes()
        if len(raw) > SIZE_LIMIT:
            raise YamlMistake(
                "too-large",
                f"the file has {len(raw):,} bytes; a manifest may have {SIZE_LIMIT:,}",
                "put long bodies into files of their own (`bodyFile`)",
            )
        found = load(raw)
    except OSError as error:
        reason = error.strerror or str(error)
        return [], [Problem("unreadable", f"the file cannot be read: {reason}", Origin(file))]
    except YamlMistake as mistake:
        return [], [_problem(file, mistake)]
    documents = [Document(Origin(file, n), data) for n, data in enumerate(found)]
    return [document for document in documents if document.data is not None], []


def load(raw: bytes) -> list[Any]:
    """The documents in some bytes, the fast way where that is exact; raises `YamlMistake`."""
    try:
        found = fast.load(raw)
    except fast.Exotic:
        from . import slow  # twenty times slower: only for files that need it

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


def _problem(file: str, mistake: YamlMistake) -> Problem:
    place = Place(file, mistake.line, mistake.column)
    return Problem(mistake.code, mistake.message, Origin(file), mistake.hint, place=place)
