"""How parts and other items of a list are named, and how siblings are told apart."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ..kind import Groups, Spec
from ..problems import Finding, warning_rule
from ..resource import Resource
from ..vocabulary.normalisers import derive_slug
from .reference_fields import is_uuid

NAMED_TWICE = warning_rule(
    "named-twice",
    "A list names the same thing twice.",
    "Delete one of the two.",
    wrong="tags: [Safety, Safety]",
    right="tags: [Safety]",
)


HOLDERS = frozenset({"section", "lesson"})
"""Types of parts that contain others and are not topics."""
SAYS_LITTLE = frozenset({"type", "openType"})
"""Fields that are often equal in parts that have nothing else in common."""


def is_structure(value: Any) -> bool:
    """True for a list of things with an id and a title of their own, and at least one."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, dict) and "id" in item and "title" in item for item in value)


def part_names(items: Iterable[Mapping[str, Any]], longest: int | None = None) -> list[str]:
    """The id of each item: as written, else a slug of the title, numbered when it repeats.

    With `longest`, slugs of more characters are cut, after a word if possible.
    """
    items = list(items)
    names: list[Any] = [item.get("id") or _item_slug(item, longest) for item in items]
    # Nearly always, no two are the same, which is quick to see.
    return names if len(set(names)) == len(names) else _number_names(items, names)


def _item_slug(item: Mapping[str, Any], longest: int | None) -> str:
    # Names that follow from titles must never change from one version to the next: they are
    # recorded, and a part of another name is another part.
    slug = derive_slug(str(item.get("title"))) or "untitled"
    if not longest or len(slug) <= longest:
        return slug
    return slug[: longest + 1].rpartition("-")[0] or slug[:longest]


def _number_names(items: Sequence[Mapping[str, Any]], names: Sequence[Any]) -> list[Any]:
    """The names with numbers at the slugs that are taken; what is written stays as it is."""
    # Written ids are taken first, or a slug before one of them in the list would take its name.
    taken = {name for item, name in zip(items, names, strict=True) if item.get("id")}
    last: dict[str, int] = {}
    made: list[Any] = []
    for item, name in zip(items, names, strict=True):
        free = _free_slug(name, taken, last) if name in taken and not item.get("id") else name
        taken.add(free)
        made.append(free)
    return made


def _free_slug(slug: str, taken: set[Any], last: dict[str, int]) -> str:
    """The slug with the next free number; `last` remembers the last number of each slug."""
    number = last.get(slug, 1) + 1
    while f"{slug}-{number}" in taken:
        number += 1
    last[slug] = number
    return f"{slug}-{number}"


T = TypeVar("T")


def find_repeated(items: Iterable[T], tell: Callable[[T], Hashable]) -> Iterator[tuple[int, T]]:
    """The position of each item with the same mark as an earlier one, and that earlier one.

    `tell` gives the mark; None is the same as no other.
    """
    first: dict[Hashable, T] = {}
    for position, item in enumerate(items):
        mark = tell(item)
        if mark in first:
            yield position, first[mark]
        elif mark is not None:
            first[mark] = item


def find_lookalikes(
    groups: Groups, tell: Callable[[Resource], Hashable]
) -> Iterator[tuple[Resource, Resource]]:
    """Each resource with the same mark as an earlier one of its group, with that one."""
    for siblings in groups.values():
        for position, first in find_repeated(siblings, tell):
            yield siblings[position], first


def named_twice(*fields: str) -> Callable[[Any], Iterator[Finding]]:
    """A rule for lists of names: each is named once."""

    def check_named_twice(spec: Spec) -> Iterator[Finding]:
        for field in fields:
            names = getattr(spec, field) or ()
            for position, _ in find_repeated(names, _meant_name):
                message = f"`{names[position]}` is listed twice in `{field}`"
                yield NAMED_TWICE.at((field, position), message)

    return check_named_twice


def _meant_name(name: str) -> str:
    return name.lower() if is_uuid(name) else name
