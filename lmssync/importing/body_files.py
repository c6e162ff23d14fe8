"""Which bodies of a document get files of their own."""

from ..kinds import KINDS
from ..manifests.export import put_beside
from .document import KIND, Data

_LINES, _LETTERS = 4, 400
"""A body of no more than this stands in the manifest."""


def take_out(data: Data) -> dict[str, str]:
    """Takes long bodies out of a document; their texts by the names that stand there instead."""
    slots = list(KINDS[KIND].authoring.body_fields(data))
    texts: dict[str, str] = {}
    put_beside(data, slots, texts, goes=_is_long)
    for slot in slots:
        for way in ("markdown", "body"):
            if way in slot.holder:
                slot.holder[way] = _strip_line_end(slot.holder[way])
    return texts


def _is_long(text: str) -> bool:
    return text.count("\n") > _LINES or len(text) > _LETTERS


def _strip_line_end(text: str) -> str:
    """A text of one line without the end of that line, which no browser shows."""
    return text if "\n" in text.rstrip("\n") else text.rstrip("\n")
