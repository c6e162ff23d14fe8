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
    names: list[Any] = [item.get("id") for item in items]
    taken = {name for name in names if name}
    last: dict[str, int] = {}
    for position, written in enumerate(names):
        if not written:
            slug = derive_slug(str(items[position].get("title"))) or "untitled"
            if longest:
                slug = _cut(slug, longest)
            names[position] = name = _free(slug, taken, last) if slug in taken else slug
            taken.add(name)
    return names


def _cut(slug: str, longest: int) -> str:
    if len(slug) <= longest:
        return slug
    return slug[: longest + 1].rpartition("-")[0] or slug[:longest]


def _free(slug: str, taken: set[Any], last: dict[str, int]) -> str:
    """The slug with the next free number; `last` remembers the last number of each slug."""
    number = last.get(slug, 1) + 1
    while f"{slug}-{number}" in taken:
        number += 1
    last[slug] = number
    return f"{slug}-{number}"
