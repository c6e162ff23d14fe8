"""How siblings are told apart."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from ..kind import Groups, Spec
from ..problems import Finding, warning_rule
from ..resource import Resource
from .references import is_uuid

NAMED_TWICE = warning_rule(
    "named-twice",
    "A list names the same thing twice.",
    "Delete one of the two.",
    wrong="tags: [Safety, Safety]",
    right="tags: [Safety]",
)

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
