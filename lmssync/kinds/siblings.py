"""How siblings are told apart."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..kind import Spec
from ..problems import Finding, warning
from ..resource import Resource
from .references import is_uuid

NAMED_TWICE = warning(
    "named-twice",
    "A list names the same thing twice.",
    "Delete one of the two.",
    wrong="tags: [Safety, Safety]",
    right="tags: [Safety]",
)


def repeated(
    siblings: Iterable[Resource], tell: Callable[[Resource], Hashable]
) -> Iterator[tuple[Resource, Resource]]:
    """Each resource for which `tell` gives the same value as for an earlier one, with that one."""
    first: dict[Hashable, Resource] = {}
    for resource in siblings:
        said = tell(resource)
        if said is not None and first.setdefault(said, resource) is not resource:
            yield resource, first[said]


def named_twice(*fields: str) -> Callable[[Any], Iterator[Finding]]:
    """A rule for lists of names: each is named once."""

    def rule(spec: Spec) -> Iterator[Finding]:
        for field in fields:
            yield from _named_twice(field, getattr(spec, field) or ())

    return rule


def _named_twice(field: str, names: Sequence[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, name in enumerate(names):
        meant = name.lower() if is_uuid(name) else name
        if meant in seen:
            yield NAMED_TWICE.at((field, position), f"`{name}` is listed twice in `{field}`")
        seen.add(meant)
