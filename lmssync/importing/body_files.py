"""Which bodies of a document get files of their own, and what those are called."""

from collections.abc import Iterator
from typing import Any

from ..kinds import BODY_FILE, KINDS
from .document import KIND, Data

_LINES, _LETTERS = 4, 400
"""A body of no more than this stands in the manifest."""
_ENDINGS = {"markdown": "md", "body": "html"}


def put_beside(data: Data) -> dict[str, str]:
    """Takes long bodies out of a document; their texts by the names that stand there instead."""
    texts: dict[str, str] = {}
    for slot in KINDS[KIND].authoring.body_fields(data):
        way = next((way for way in _ENDINGS if way in slot.holder), None)
        if way is None:
            continue
        if not _is_long(slot.holder[way]):
            slot.holder[way] = _inline(slot.holder[way])
            continue
        name = _untaken(texts, list(_ids(data, slot.path)), _ENDINGS[way])
        texts[name] = slot.holder.pop(way)
        slot.holder[BODY_FILE] = name
    return texts


def _is_long(text: str) -> bool:
    return text.count("\n") > _LINES or len(text) > _LETTERS


def _inline(text: str) -> str:
    """A text of one line without the end of that line, which no browser shows."""
    return text if "\n" in text.rstrip("\n") else text.rstrip("\n")


def _ids(data: Any, path: tuple[str | int, ...]) -> Iterator[str]:
    """Ids of the parts on the way to a body, outermost first."""
    for step in path:
        data = data[step]
        if isinstance(data, dict):
            yield data["id"] if "id" in data else str(step)


def _untaken(texts: dict[str, str], ids: list[str], ending: str) -> str:
    """The shortest name that no other body has, on any file system."""
    taken = {name.casefold() for name in texts}
    names = ["-".join(ids[-depth:]) for depth in range(1, len(ids) + 1)]
    names += [f"{names[-1]}-{number}" for number in range(2, len(texts) + 3)]
    return next(n for name in names if (n := f"{name}.{ending}").casefold() not in taken)
