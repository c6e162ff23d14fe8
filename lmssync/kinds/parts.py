"""parts: gives sections, lessons, topics and other items of a list their names."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..vocabulary.rules import derive_slug

HOLDERS = frozenset({"section", "lesson"})
"""Types of parts that contain others and are not topics."""
SAYS_LITTLE = frozenset({"type", "openType"})
"""Fields that are often equal in parts that have nothing else in common."""


def is_structure(value: Any) -> bool:
    """True for a list of things with an id and a title of their own, and at least one."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "id" in item and "title" in item for item in value)
    )


def part_names(items: Iterable[Mapping[str, Any]], longest: int | None = None) -> list[str]:
    """The id of each item: as written, else a slug of the title, numbered when it repeats.

    With `longest`, slugs of more characters are cut, after a word if possible.
    """
    items = list(items)
    taken = {item["id"] for item in items if item.get("id")}
    last: dict[str, int] = {}
    ids: list[str] = []
    for item in items:
        name = item.get("id")
        if not name:
            slug = derive_slug(str(item.get("title"))) or "untitled"
            name = _free(_cut(slug, longest) if longest else slug, taken, last)
            taken.add(name)
        ids.append(name)
    return ids


def _cut(slug: str, longest: int) -> str:
    if len(slug) <= longest:
        return slug
    return slug[: longest + 1].rpartition("-")[0] or slug[:longest]


def _free(slug: str, taken: set[Any], last: dict[str, int]) -> str:
    """The slug with the next free number; `last` remembers the last number of each slug."""
    number = last.get(slug, 1)
    name = slug if number == 1 else f"{slug}-{number}"
    while name in taken:
        number += 1
        name = f"{slug}-{number}"
    last[slug] = number
    return name
