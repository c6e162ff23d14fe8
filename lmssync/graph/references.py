"""Whether every reference of a catalog names something that is there and fits."""

from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from ..address import Address
from ..kinds import KINDS
from ..kinds.lookups import LOOKUPS
from ..kinds.parts import HOLDERS
from ..problems import Problem
from ..resource import Reference, Resource
from ..texts import KEY_MARK
from .guess import Guess

Resources = Mapping[Address, Resource]
Named = tuple[Resource, Reference]
_SOME = 5
"""Keys that a hint names."""


class Vague(NamedTuple):
    """What may turn out to be there, once the mistakes in its document are corrected."""

    parts: Set[Address]
    """Resources whose parts have no certain names."""
    kinds: Set[str]
    """Kinds of resources that have no certain keys."""


CLEAR = Vague(frozenset(), frozenset())


def references(
    resources: Resources, refused: Set[Address] = frozenset(), vague: Vague = CLEAR
) -> Iterator[Problem]:
    """A problem for each reference that cannot be met; names looked up live are not judged.

    What names something `refused` or `vague` is left alone: one mistake is reported once. Forms are
    opened for references to parts only, and each form once.
    """
    names = _Names(resources)
    to_parts: dict[Address, list[Named]] = {}
    for resource in resources.values():
        for reference in resource.references:
            if reference.kind not in names.kinds and reference.kind in LOOKUPS:
                continue
            if reference.settled:
                continue
            other = resources.get(reference.address)
            if other is None and (reference.address in refused or reference.kind in vague.kinds):
                continue
            if other is None:
                yield from _missing(names, resource, reference)
            elif reference.part:
                to_parts.setdefault(other.address, []).append((resource, reference))
            else:
                yield from _between(resource, reference, other)
    for address, named in to_parts.items():
        yield from parts(resources[address], named, vague=address in vague.parts)


class _Names:
    """The keys of a catalog by kind; sorted only once one is missing."""

    def __init__(self, resources: Resources) -> None:
        self.kinds = {address.kind for address in resources}
        self._resources = resources
        self._guesses: dict[str, Guess] = {}

    def called(self, reference: Reference) -> Address | None:
        """What the catalog has under this name of the platform, by another key."""
        lookup = LOOKUPS[reference.kind]
        alike = (
            address
            for address, resource in self._resources.items()
            if address.kind == lookup.kind and resource.facts.get(lookup.field) == reference.name
        )
        return next(alike, None)

    def some(self, kind: str) -> str:
        """A hint that names the first few keys of a kind."""
        keys = [f"`{a.key}`" for a in self._resources if a.kind == kind]
        more = f" and {len(keys) - _SOME} more" if len(keys) > _SOME else ""
        found = ", ".join(keys[:_SOME]) or "none yet"
        return f"the catalog has: {found}{more}"

    def near(self, reference: Reference) -> str:
        kind = reference.kind
        if kind not in self._guesses:
            self._guesses[kind] = Guess(a.key for a in self._resources if a.kind == kind)
        return self._guesses[kind].near(reference.name)


def _missing(names: _Names, resource: Resource, reference: Reference) -> Iterator[Problem]:
    if reference.kind in LOOKUPS:
        known = names.called(reference)
        if known:
            yield _problem(
                resource,
                reference,
                "name-of-catalog",
                f"`{reference.name}` is the {LOOKUPS[reference.kind].field} of {known}, "
                "which is in the catalog",
                f"use its key, `{known.key}`: only then is it created first",
            )
        return
    noun = KINDS[reference.kind].noun if reference.kind in KINDS else reference.kind
    if reference.name.startswith(KEY_MARK):
        yield _problem(
            resource,
            reference,
            "unknown-reference",
            f"`{reference.path[0]}` is still the placeholder `{reference.name}`",
            f"write the key of a {noun}; {names.some(reference.kind)}",
        )
        return
    yield _problem(
        resource,
        reference,
        "unknown-reference",
        f"there is no {noun} `{reference.name}` in the catalog",
        names.near(reference) or "name a key of the catalog, or the uuid of one that is not in it",
    )


def _between(resource: Resource, reference: Reference, other: Resource) -> Iterator[Problem]:
    """What the kind of the resource has to say about it and the other together."""
    for rule in KINDS[resource.address.kind].relations.reference_rules:
        for finding in rule(resource, reference, other):
            yield finding.at(resource.origin, resource.address)


def parts(target: Resource, named: list[Named], *, vague: bool = False) -> Iterator[Problem]:
    """References to parts of one resource."""
    types = KINDS[target.address.kind].authoring.parts(target.form)
    topics = [path for path, kind in types.items() if kind not in HOLDERS]
    guess = Guess(topics)
    for resource, reference in named:
        found = types.get(reference.part or "")
        if found is None and vague:
            continue
        if found is None:
            yield _problem(
                resource,
                reference,
                "unknown-topic",
                f"`{reference.name}` has no topic `{reference.part}`",
                guess.near(reference.part or "")
                or f"it has: {', '.join(topics[:8]) or 'no topics'}",
            )
        elif reference.part_types and found not in reference.part_types:
            yield _problem(
                resource,
                reference,
                "topic-fit",
                f"`{reference.part}` is of type {found}, which can never meet this rule",
                f"it takes a topic of type {' or '.join(sorted(reference.part_types))}",
            )
        else:
            yield from _between(resource, reference, target)


def _problem(
    resource: Resource, reference: Reference, code: str, message: str, hint: str
) -> Problem:
    origin = resource.origin.at(reference.path)
    return Problem(code, message, origin, hint, resource.address)
