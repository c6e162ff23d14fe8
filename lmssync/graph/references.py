"""Whether every reference of a catalog names something that is there and fits."""

from collections.abc import Iterator, Mapping

from ..address import Address
from ..kinds import KINDS
from ..kinds.lookups import LOOKUPS
from ..problems import Problem, near
from ..resource import Reference, Resource

Resources = Mapping[Address, Resource]


def check(resources: Resources) -> Iterator[Problem]:
    """A problem for each reference that cannot be met; names looked up live are not judged."""
    for resource in resources.values():
        for reference in resource.references:
            problem = _judge(resources, resource, reference)
            if problem:
                yield problem
            elif reference.address in resources:
                yield from _between(resource, reference, resources[reference.address])


def _between(resource: Resource, reference: Reference, other: Resource) -> Iterator[Problem]:
    """What the kind of the resource has to say about it and the other together."""
    for rule in KINDS[resource.address.kind].between:
        for finding in rule(resource, reference, other):
            yield finding.at(resource.origin, resource.address)


def _judge(resources: Resources, resource: Resource, reference: Reference) -> Problem | None:
    if reference.address in resources:
        return _part(resources, resource, reference) if reference.part else None
    if reference.kind in LOOKUPS:
        return None
    noun = KINDS[reference.kind].noun if reference.kind in KINDS else reference.kind
    keys = [address.key for address in resources if address.kind == reference.kind]
    return _problem(
        resource,
        reference,
        "unknown-reference",
        f"there is no {noun} `{reference.name}` in the catalog",
        near(reference.name, keys)
        or "name a key of the catalog, or the uuid of one that is not in it",
    )


def _part(resources: Resources, resource: Resource, reference: Reference) -> Problem | None:
    target = resources[reference.address]
    parts = KINDS[reference.kind].parts(target.form)
    found = parts.get(reference.part or "")
    if found is None:
        known = [path for path, kind in parts.items() if kind not in {"section", "lesson"}]
        return _problem(
            resource,
            reference,
            "unknown-topic",
            f"`{reference.name}` has no topic `{reference.part}`",
            near(reference.part or "", known) or f"it has: {', '.join(known[:8]) or 'no topics'}",
        )
    if reference.part_types and found not in reference.part_types:
        return _problem(
            resource,
            reference,
            "topic-fit",
            f"`{reference.part}` is of type {found}, by which this rule can never be met",
            f"it takes a topic of type {' or '.join(sorted(reference.part_types))}",
        )
    return None


def _problem(
    resource: Resource, reference: Reference, code: str, message: str, hint: str
) -> Problem:
    origin = resource.origin._replace(path=resource.origin.path + reference.path)
    return Problem(code, message, origin, hint, resource.address)
