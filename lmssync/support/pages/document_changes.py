"""The texts of a page, with the earlier ones beside them where there is a version to compare."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

NEW, CHANGED, REMOVED = "new", "changed", "removed"
Document = Mapping[str, Any]
"""A course, a part of it, a criterion or a purchase path, as the platform has it. A page may show
two more fields: `mark` says what became of it, `was` has the old values of fields."""


class PageText(NamedTuple):
    """A short text of a page."""

    text: str
    mark: str = ""
    """`new` or `removed`; empty for what is as it was."""


def compare_texts(now: Sequence[str], was: Sequence[str] | None) -> list[PageText]:
    """Marks what differs: what is gone comes first; without `was` nothing is marked."""
    if was is None:
        return [PageText(text) for text in now]
    gone = [PageText(text, REMOVED) for text in was if text not in now]
    return gone + [PageText(text, "" if text in was else NEW) for text in now]


def list_text_versions(document: Document, field: str) -> list[PageText]:
    """The text of a field, after the one that it replaces."""
    old = document.get("was", {})
    return compare_texts(_texts(document.get(field)), _texts(old[field]) if field in old else None)


def _texts(value: Any) -> list[str]:
    return [] if value in (None, "") else [str(value)]


def mark_changes(now: Document, was: Document) -> Document:
    """A document with the old values of what differs, and a mark on each part that differs."""
    parts = {name for name in (*now, *was) if _is_parts(now.get(name) or was.get(name))}
    fields = (now.keys() | was.keys()) - parts
    old = {name: was.get(name) for name in fields if now.get(name) != was.get(name)}
    inner = {name: _mark_list(now.get(name) or (), was.get(name) or ()) for name in parts}
    return {**now, **inner, "was": old}


def _mark_list(now: Sequence[Document], was: Sequence[Document]) -> list[Document]:
    before = {_id(part): part for part in was}
    there = {_id(part) for part in now}
    shown = [_part(part, before.get(_id(part))) for part in now]
    return shown + [{**part, "mark": REMOVED} for part in was if _id(part) not in there]


def _part(now: Document, was: Document | None) -> Document:
    if was is None:
        return {**now, "mark": NEW}
    part = mark_changes(now, was)
    return {**part, "mark": CHANGED} if part["was"] else part


def _id(part: Document) -> str:
    return str(part.get("id") or part.get("language"))


def _is_parts(value: Any) -> bool:
    """True for a list of parts: each has an id, or a language."""
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(part, Mapping) and _id(part) != "None" for part in value)
    )
