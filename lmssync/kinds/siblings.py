"""How siblings are told apart."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from ..problems import Finding, Severity
from ..resource import Resource
from .kind import Spec
from .references import is_uuid


def repeated(
    siblings: Iterable[Resource], tell: Callable[[Resource], Hashable]
) -> Iterator[tuple[Resource, Resource]]:
    """Each resource of which `tell` says the same as of an earlier one, with that one."""
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
            yield Finding(
                "named-twice",
                (field, position),
                f"`{name}` is listed twice in `{field}`",
                "delete one of the two",
                Severity.WARNING,
            )
        seen.add(meant)
