"""What a page says, with what it said before beside it where there is something to compare."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

NEW, REMOVED = "new", "removed"


class PageText(NamedTuple):
    """A short text of a page."""

    text: str
    mark: str = ""
    """`new` or `removed`; empty for what is as it was."""


def compared(now: Sequence[str], was: Sequence[str] | None) -> list[PageText]:
    """What was there and is not any more comes first; without `was` nothing is marked."""
    if was is None:
        return [PageText(text) for text in now]
    gone = [PageText(text, REMOVED) for text in was if text not in now]
    return gone + [PageText(text, "" if text in was else NEW) for text in now]


def versions(document: Mapping[str, Any], field: str) -> list[PageText]:
    """The text of a field, after the one that it replaces; `was` of a document has old values."""
    now, old = document.get(field), document.get("was", {})
    return compared(list(_texts(now)), list(_texts(old[field])) if field in old else None)


def _texts(value: Any) -> Iterator[str]:
    if value not in (None, ""):
        yield str(value)
