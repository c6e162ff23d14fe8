"""Looks up what manifests name on the platform, in as few reads as the instance allows.

A name is the label of a tag, the slug of a client or the name of a location; a uuid may be of
anything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...errors import KeyRefused, PlatformError, Refused
from ...kind import Json, ReadRequest
from ...kinds import (
    AMBIGUOUS_NAME,
    COURSE_LISTS,
    LOOKUPS,
    SEARCH,
    SOUGHT,
    UNKNOWN_NAME,
    VALUES_IN_USE,
    Lookup,
    Sought,
)
from ...problems import Problem, suggest_near
from ...resource import Address, Reference, Resource
from ..client import Reader
from .fetch import IDS_PER_QUERY, read_by_id


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
        # Where the whole list was read already, it answers; else only the things of this name are
        # asked for.
        narrow = lookup.query if (kind,) not in self._known else None
        return self._list_names(lookup, {narrow: name} if narrow else {}).get(name, [])

    def all_ids(self, kind: str) -> Mapping[str, Sequence[str]]:
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


Uuids = Mapping[str, Set[str]]
"""By what has such an id, as in `SOUGHT`."""
Values = Mapping[str, Set[str]]
"""By noun, as in `VALUES_IN_USE`."""
_PER_PAGE = 100


class Seen(NamedTuple):
    """The result of looking for uuids."""

    missing: Mapping[tuple[str, str], str]
    """The uuids that are not there, with a hint where there is one."""
    unseen: Uuids
    """The uuids that no route of this instance shows."""


def find_uuids(reader: Reader, names: IdsByName, routes: Set[str], wanted: Uuids) -> Seen:
    """Looks all of them up; `routes` are those of the instance."""
    run = _Run(reader, names, routes, _search_content(reader, wanted) if SEARCH in routes else {})
    missing: dict[tuple[str, str], str] = {}
    unseen: dict[str, Set[str]] = {}
    for what, ids in sorted(wanted.items()):
        hints = run.find_missing(SOUGHT[what], ids)
        if hints is None:
            unseen[what] = ids
        else:
            missing |= {(what, id_): hint for id_, hint in hints.items()}
    return Seen(missing, unseen)


def _search_content(reader: Reader, wanted: Uuids) -> dict[str, str]:
    """The kind of each item that content search shows under one of the ids, whatever it should
    be. One search serves many ids (O48)."""
    ids = sorted({id_ for what, some in wanted.items() if SOUGHT[what].searched for id_ in some})
    kinds: dict[str, str] = {}
    for start in range(0, len(ids), IDS_PER_QUERY):
        some = ids[start : start + IDS_PER_QUERY]
        # One query for many ids; each search costs as much as a read of one.
        query = {"perPage": _PER_PAGE, "query": f"({' OR '.join(f'_id:{id_}' for id_ in some)})"}
        items = reader.read_pages(SEARCH, "contentItems", query)
        kinds |= {item["id"]: str(item.get("kind") or "") for item in items}
    return kinds


class _Run(NamedTuple):
    """One look, and what a search has brought."""

    reader: Reader
    names: IdsByName
    routes: Set[str]
    kinds: Mapping[str, str]

    def find_missing(self, sought: Sought, ids: Set[str]) -> dict[str, str] | None:
        """The ids that are not there, with hints; None if nothing shows whether they are."""
        if sought.listed:
            known = {i for some in self.names.all_ids(sought.listed).values() for i in some}
            return {id_: suggest_near(id_, known) for id_ in ids - known}
        searched = sought.searched if SEARCH in self.routes else None
        if not searched and sought.read not in self.routes:
            return None
        shown = ids & self.kinds.keys() if searched else set()
        wrong = {
            id_: f"the platform has it as the id of a {self.kinds[id_]}"
            for id_ in shown
            if searched and self.kinds[id_] and not searched(self.kinds[id_])
        }
        left = sorted(ids - shown)
        if sought.read in self.routes:  # the index of a search is a little behind
            return wrong | self._find_unread(sought, left)
        return wrong | dict.fromkeys(left, "")

    def _find_unread(self, sought: Sought, ids: Sequence[str]) -> dict[str, str]:
        """The uuids that the route of one does not show, with hints."""
        answers = self.reader.ask_each(lambda id_: read_by_id(self.reader, sought.read, id_), ids)
        return {
            id_: self._hint_for(sought, id_, answer)
            for id_, answer in zip(ids, answers, strict=True)
            # Some routes answer the id of something else by what belongs to it (O30).
            if not answer or answer.get("id") != id_
        }

    def _hint_for(self, sought: Sought, id_: str, answer: Json) -> str:
        """For the id of what people take for it, the id that they mean (O30)."""
        meant = find_meant_id(self.reader, self.routes, sought, id_, answer)
        if not (meant and sought.confused):
            return ""
        return f"it is the id of a {sought.confused.noun}; the id of its {sought.noun} is `{meant}`"


def find_meant_id(reader: Reader, routes: Set[str], sought: Sought, id_: str, answer: Json) -> str:
    """For the id of what people take for something else, the id that they mean; empty where no read
    shows that. `answer` is what the route of the other has brought: some take the id of either."""
    other = sought.confused
    if other is None:
        return ""
    meant = answer.get("id") if answer else None
    if not meant and other.read in routes:
        meant = (read_by_id(reader, other.read, id_) or {}).get(other.field)
    return str(meant or "")


def find_values_in_use(reader: Reader, routes: Set[str], wanted: Values) -> dict[str, set[str]]:
    """For each noun that a list of courses shows, the values that courses have; where all that are
    wanted have been seen, no further page is read."""
    used: dict[str, set[str]] = {}
    for request in COURSE_LISTS:
        left = {noun: values for noun, values in wanted.items() if noun not in used}
        if left and request.route in routes:
            try:
                used |= _walk_courses(reader, request, left)
            except (KeyRefused, Refused):  # it is not shown to this key, or has smaller pages
                continue
    return used


def _walk_courses(reader: Reader, request: ReadRequest, wanted: Values) -> dict[str, set[str]]:
    used: dict[str, set[str]] = {}
    for page in reader.each_page(request.route, request.list, request.query):
        for item in page.items:
            for noun in wanted:
                if (values := VALUES_IN_USE[noun].find_values(item)) is not None:
                    used.setdefault(noun, set()).update(values)
        # Usually all of them are seen on the first pages of a long list.
        if all(values <= used.get(noun, set()) for noun, values in wanted.items()):
            break
    return used
