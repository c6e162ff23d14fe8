"""Bodies of a document in files of their own: which go there, and what those are called."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from ....kind import BodyField
from ....kinds import BODY_FILE
from ....resource import KEY
from ..files import BODY_BYTES

BODY_LINES = 4
"""A body of more lines than this goes to a file of its own, where that is asked for."""
BODY_LARGE = 100_000
"""Bytes from which on a body goes to a file of its own, wherever there are files."""
_ENDINGS = {"markdown": "md", "body": "html"}
_SAFE = re.compile(KEY)


def put_beside(
    document: Any,
    slots: Iterable[BodyField],
    bodies: dict[str, str],
    *,
    goes: Callable[[str], bool],
    folder: str = "",
    seen_from: str = "",
    is_there: Callable[[str], bool] = lambda _path: False,
) -> None:
    """Takes bodies out of a document; their texts are added to `bodies` by their paths.

    Their files are in `folder`, and the document names them as seen from the folder of its own
    file. Each has the shortest path where nothing is there yet, and none of the others on any file
    system.
    """
    for slot in slots:
        texts = ((way, slot.holder.get(way)) for way in _ENDINGS)
        way = next((way for way, text in texts if isinstance(text, str) and goes(text)), None)
        if way is None:
            continue
        taken = {path.casefold() for path in bodies}
        names = _possible_names(list(_name_steps(document, slot.path)) or ["body"])
        paths = (posixpath.join(folder, f"{name}.{_ENDINGS[way]}") for name in names)
        path = next(path for path in paths if path.casefold() not in taken and not is_there(path))
        bodies[path] = slot.holder.pop(way)
        slot.holder[BODY_FILE] = posixpath.relpath(path, seen_from or ".")


def _name_steps(data: Any, path: Iterable[str | int]) -> Iterator[str]:
    """Names of the parts on the way to a body, where they can stand in the name of a file."""
    for step in path:
        data = data[step]
        if isinstance(data, dict):
            name = data.get("id") or data.get("language")
            yield name if isinstance(name, str) and _SAFE.fullmatch(name) else str(step)


def _possible_names(steps: list[str]) -> Iterator[str]:
    """The shortest name first, then longer ones, then numbered ones."""
    yield from ("-".join(steps[-number:]) for number in range(1, len(steps) + 1))
    yield from (f"{'-'.join(steps)}-{number}" for number in count(2))


def is_long(text: str) -> bool:
    """True for a text that is worth a file, and reads the same from it."""
    return (text.count("\n") > BODY_LINES or is_large(text)) and _fits_a_file(text)


def is_large(text: str) -> bool:
    """True for a text that nobody wants in the middle of a manifest."""
    return len(text.encode()) > BODY_LARGE and _fits_a_file(text)


def _fits_a_file(text: str) -> bool:
    return (
        "\r" not in text  # editors and git make the line ends of a file one kind
        and not text.startswith("\ufeff")  # a mark at the start of a file is no part of the text
        and len(text.encode()) <= BODY_BYTES
    )
