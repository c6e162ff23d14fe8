"""Asks the platform whether what the manifests name is there; it reads, and writes nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from . import live
from .client import Reader
from .kinds import KINDS, LOOKUPS, SOUGHT, UNKNOWN_ID
from .manifests.catalog import Catalog
from .problems import Problem, in_order
from .resource import NamedId, Resource


class Online(NamedTuple):
    """What the platform was asked."""

    problems: Sequence[Problem] = ()
    asked: int = 0
    """How many names and uuids; each counts once."""
    unchecked: Mapping[str, int] = {}
    """By noun, how many names and uuids no look has shown to be there or not."""
    calls: int = 0


def check(catalog: Catalog, reader: Reader, routes: Set[str]) -> Online:
    """Looks up every name and uuid that is not a key of the catalog; `routes` are those of the
    instance.

    Raises `PlatformError`.
    """
    resources = [*catalog.resources.values()]
    named = _names(resources, catalog)
    ids = [(resource, id_) for resource in resources for id_ in _ids(resource)]
    unlisted = _count_unlisted(resources)
    if not (named or ids):
        return Online(unchecked=unlisted)
    reader.ping_platform()
    names, wanted = live.IdsByName(reader), defaultdict[str, set[str]](set)
    for _, id_ in ids:
        wanted[id_.what].add(id_.id)
    for kind, number in Counter(kind for kind, _ in named).items():
        if number > 1:  # one list of all takes fewer calls than one for each
            names.all_ids(kind)
    seen = live.find_uuids(reader, names, routes, wanted)
    problems = live.check_names(names, resources, catalog.resources)
    problems += [
        _unknown_id(resource, id_, seen.missing[id_.what, id_.id])
        for resource, id_ in ids
        if (id_.what, id_.id) in seen.missing
    ]
    return Online(
        in_order(catalog.locate_problems(problems)),
        len(named) + sum(map(len, wanted.values())),
        unlisted | {SOUGHT[what].noun: len(some) for what, some in seen.unseen.items()},
        sum(reader.asked.values()),
    )


def _names(resources: Iterable[Resource], catalog: Catalog) -> set[tuple[str, str]]:
    """The kind and the name of everything that lists of the platform show by name."""
    return {
        (reference.kind, reference.name)
        for resource in resources
        for reference in resource.references
        if reference.kind in LOOKUPS and reference.address not in catalog.resources
    }


def _count_unlisted(resources: Iterable[Resource]) -> dict[str, int]:
    """How many ribbons, videos, people and the like the manifests name, each once."""
    named = {
        one
        for resource in resources
        if (fields := KINDS[resource.address.kind].relations.unlisted)
        for one in _list_unlisted(resource.form, fields)
    }
    return dict(Counter(noun for noun, _ in named))


def _list_unlisted(value: object, fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _list_unlisted(item, fields)
    elif isinstance(value, dict):
        for name, held in value.items():
            if name in fields and held:
                many = held if isinstance(held, (dict, list)) else [held]
                yield from ((fields[name], str(one)) for one in many)
            else:
                yield from _list_unlisted(held, fields)


def _ids(resource: Resource) -> Iterable[NamedId]:
    return KINDS[resource.address.kind].relations.ids(resource.form)


def _unknown_id(resource: Resource, id_: NamedId, hint: str) -> Problem:
    message = f"there is no {SOUGHT[id_.what].noun} `{id_.id}` on the platform"
    origin = resource.origin.at(id_.path)
    return UNKNOWN_ID.problem(message, origin, hint or None, resource.address)
