"""Looks names up on the platform: a label of a tag, a slug of a client, a name of a location."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...errors import PlatformError
from ...kinds import AMBIGUOUS_NAME, LOOKUPS, UNKNOWN_NAME, Lookup
from ...problems import Problem, suggest_near
from ...resource import Address, Reference, Resource
from ..client import Reader


class IdsByName:
    """Ids by name, each of which is read once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._known: dict[tuple[str, ...], dict[str, list[str]]] = {}

    def clear_ids(self) -> None:
        """Forgets what was read, so that names are looked up once more."""
        self._known.clear()

    def ids_of_name(self, kind: str, name: str) -> list[str]:
        """Every id that carries the name: none is unknown, several are ambiguous."""
        lookup = LOOKUPS[kind]
        narrow = lookup.query if (kind,) not in self._known else None
        return self._list_names(lookup, {narrow: name} if narrow else {}).get(name, [])

    def all_ids(self, kind: str) -> Mapping[str, Sequence[str]]:
        """All ids by name."""
        return self._list_names(LOOKUPS[kind], {})

    def other_names(self, kind: str) -> list[str]:
        """Names that exist, for near misses."""
        return sorted(self.all_ids(kind))

    def _list_names(self, lookup: Lookup, query: Mapping[str, str]) -> dict[str, list[str]]:
        key = (lookup.kind, *query.values())
        if key not in self._known:
            ids_by_name: dict[str, list[str]] = {}
            for item in self.reader.read_pages(lookup.route, lookup.list, query):
                ids_by_name.setdefault(item[lookup.field], []).append(item["id"])
            self._known[key] = ids_by_name
        return self._known[key]


def check_names(
    names: IdsByName, resources: Iterable[Resource], managed: Iterable[Address]
) -> list[Problem]:
    """A problem for each name that the platform does not have exactly once."""
    known = set(managed)
    return [
        problem
        for resource in resources
        for reference in resource.references
        if reference.kind in LOOKUPS and reference.address not in known
        for problem in _judge_reference(names, resource, reference)
    ]


def _judge_reference(
    names: IdsByName, resource: Resource, reference: Reference
) -> Iterator[Problem]:
    ids = names.ids_of_name(reference.kind, reference.name)
    if len(ids) == 1:
        return
    if ids:
        rule = AMBIGUOUS_NAME
        message = f"there are {len(ids)} {reference.kind}s named `{reference.name}` on the platform"
        hint = f"name one by its uuid: {', '.join(ids)}"
    else:
        rule = UNKNOWN_NAME
        message = f"there is no {reference.kind} `{reference.name}` on the platform"
        hint = (
            suggest_near(reference.name, names.other_names(reference.kind))
            or "make it in the admin interface"
        )
    origin = resource.origin.at(reference.path)
    yield rule.problem(message, origin, hint, resource.address)


def id_of_name(names: IdsByName, kind: str, name: str) -> str:
    """The id of a name that is there exactly once; raises `PlatformError`."""
    ids = names.ids_of_name(kind, name)
    if len(ids) != 1:
        raise PlatformError(
            f"there {'is no' if not ids else 'is more than one'} {kind} `{name}` on the platform",
            "plan again: the new plan shows which name is meant",
        )
    return ids[0]
