"""Asks the platform whether what the manifests name is there; it reads, and writes nothing."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple

from ..catalog.manifests.catalog import Catalog
from ..catalog.manifests.documents import locate_problems_in_files
from ..kind import part_name
from ..kinds import (
    ATTESTED_AGED,
    COURSE_LISTS,
    KINDS,
    LOOKUPS,
    SOUGHT,
    UNKNOWN_ID,
    UNKNOWN_PERSON,
    UNUSED_VALUE,
    VALUES_IN_USE,
)
from ..planning.diff import Instance, read_live
from ..platform import live
from ..platform.client import Reader
from ..problems import Problem, grade_problems, in_order, suggest_near
from ..resource import NamedId, Path, Place, Resource
from ..state import Store

PERSON = "person"


class Online(NamedTuple):
    """The questions to the platform."""

    problems: Sequence[Problem] = ()
    asked: int = 0
    """How many names, uuids, values and people; each counts once."""
    unchecked: Mapping[str, int] = {}
    """By noun, how many of them no look has shown to be there or not."""
    calls: int = 0


class _Look(NamedTuple):
    """The result of one of the looks."""

    problems: Sequence[Problem] = ()
    asked: int = 0
    unchecked: Mapping[str, int] = {}


class _NamedValue(NamedTuple):
    """A ribbon, a video or the like, and where it is named."""

    resource: Resource
    path: Path
    noun: str
    text: str


class _ListedPerson(NamedTuple):
    """Somebody in a list of people, and where."""

    resource: Resource
    spot: Place | Path
    identifiers: live.Person


def check_online(
    catalog: Catalog,
    reader: Reader,
    routes: Set[str],
    open_state: Callable[[], AbstractContextManager[Store]],
) -> Online:
    """Looks up everything that is named and is not a key of the catalog, and whether what people
    attest still holds; `routes` are those of the instance. Only the latter needs a state, and one
    that records nothing says nothing of it.

    Raises `PlatformError`.
    """
    resources = [*catalog.resources.values()]
    looks = [
        _look_up_names(catalog, resources, reader, routes),
        _look_up_values(resources, reader, routes),
        _look_up_people(resources, reader, routes),
        _look_at_attested(resources, reader, routes, open_state),
    ]
    problems = [problem for look in looks for problem in look.problems]
    unchecked = Counter[str]()
    for look in looks:
        unchecked.update(look.unchecked)
    if scope := catalog.scope:
        problems = grade_problems(problems, scope.project.rules)
        problems = locate_problems_in_files(scope, problems)
    return Online(
        in_order(problems),
        sum(look.asked for look in looks),
        dict(unchecked),
        sum(reader.asked.values()),
    )


def _ping_first(reader: Reader) -> None:
    """Makes sure that the platform answers before anything else is asked."""
    if not reader.asked:
        reader.ping_platform()


def _look_up_names(
    catalog: Catalog, resources: Sequence[Resource], reader: Reader, routes: Set[str]
) -> _Look:
    named = _names(resources, catalog)
    ids = [(resource, id_) for resource in resources for id_ in _ids(resource)]
    if not (named or ids):
        return _Look()
    _ping_first(reader)
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
    unseen = {SOUGHT[what].noun: len(some) for what, some in seen.unseen.items()}
    return _Look(problems, len(named) + sum(map(len, wanted.values())), unseen)


def _names(resources: Iterable[Resource], catalog: Catalog) -> set[tuple[str, str]]:
    """The kind and the name of everything that lists of the platform show by name."""
    return {
        (reference.kind, reference.name)
        for resource in resources
        for reference in resource.references
        if reference.kind in LOOKUPS and reference.address not in catalog.resources
    }


def _ids(resource: Resource) -> Iterable[NamedId]:
    return KINDS[resource.address.kind].relations.ids(resource.form)


def _unknown_id(resource: Resource, id_: NamedId, hint: str) -> Problem:
    message = f"there is no {SOUGHT[id_.what].noun} `{id_.id}` on the platform"
    origin = resource.origin.at(id_.path)
    return UNKNOWN_ID.problem(message, origin, hint or None, resource.address)


# Ribbons and the like: a list shows those that courses have


def _look_up_values(resources: Iterable[Resource], reader: Reader, routes: Set[str]) -> _Look:
    """A value that no course has may be new: it is a problem only if it looks like a slip."""
    values = [value for resource in resources for value in _list_values(resource)]
    wanted = defaultdict[str, set[str]](set)
    for value in values:
        wanted[value.noun].add(value.text)
    asked = {noun: texts for noun, texts in wanted.items() if noun in VALUES_IN_USE}
    # No list of courses, no values in use: then nothing can be said of any of them.
    if not any(request.route in routes for request in COURSE_LISTS):
        asked = {}
    if asked:
        _ping_first(reader)
    used = live.find_values_in_use(reader, routes, asked)
    left = {noun: texts - used.get(noun, set()) for noun, texts in wanted.items()}
    hints = {
        (noun, text): hint
        for noun, texts in left.items()
        for text in texts
        if (hint := suggest_near(text, used.get(noun, ())))
    }
    problems = [
        _unused_value(value, hints[value.noun, value.text])
        for value in values
        if (value.noun, value.text) in hints
    ]
    unchecked = Counter(noun for noun, texts in left.items() for _ in texts)
    # What looks like a slip is reported, so it is not counted as unchecked as well.
    unchecked.subtract(noun for noun, _ in hints)
    return _Look(problems, sum(map(len, asked.values())), +unchecked)


def _list_values(resource: Resource) -> Iterator[_NamedValue]:
    fields = KINDS[resource.address.kind].relations.unlisted
    for path, noun, text in _walk_values(resource.form, fields, ()) if fields else ():
        yield _NamedValue(resource, path, noun, text)


def _walk_values(
    value: object, fields: Mapping[str, str], path: Path
) -> Iterator[tuple[Path, str, str]]:
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield from _walk_values(item, fields, (*path, position))
    elif isinstance(value, dict):
        for name, held in value.items():
            here = (*path, name)
            if name not in fields:
                yield from _walk_values(held, fields, here)
            elif isinstance(held, dict):
                yield from (((*here, key), fields[name], key) for key in held)
            elif held:
                yield here, fields[name], str(held)


def _unused_value(value: _NamedValue, near: str) -> Problem:
    message = f"no course on the platform has the {value.noun} `{value.text}`"
    hint = f"{near} If it is new, leave it: the platform shows only those that courses have already"
    origin = value.resource.origin.at(value.path)
    return UNUSED_VALUE.problem(message, origin, hint, value.resource.address)


# What people attest


def _look_at_attested(
    resources: Iterable[Resource],
    reader: Reader,
    routes: Set[str],
    open_state: Callable[[], AbstractContextManager[Store]],
) -> _Look:
    """Reads the courses with topics that people have filled."""
    # Such a topic may have been changed since somebody attested it.
    attested = {one.address: one for one in resources if "attested" in one.facts}
    # A state may be on a host that this machine does not reach: most catalogs do not need it here.
    if not attested:
        return _Look()
    with open_state() as store:
        found = [record for address in attested if (record := store.find_record(address))]
        if found:
            _ping_first(reader)
        names = partial(live.id_of_name, live.IdsByName(reader))
        instance = Instance(reader, live.Binder(store.find_ids, names), store, routes)
        problems = [
            _aged_problem(attested[record.address], aged)
            for record, seen in read_live(instance, found)
            for aged in instance.find_aged_parts(attested[record.address], record, seen)
        ]
    return _Look(problems, len(found))


def _aged_problem(resource: Resource, aged: live.AgedAttestation) -> Problem:
    message = f"`{part_name(aged.path)}` was {aged.in_words}"
    origin = resource.origin.at(tuple(aged.place))
    return ATTESTED_AGED.problem(message, origin, aged.remedy, resource.address)


# People


def _look_up_people(resources: Iterable[Resource], reader: Reader, routes: Set[str]) -> _Look:
    problems, asked, unchecked = list[Problem](), 0, 0
    for kind, people in _list_people(resources).items():
        roster = KINDS[kind].reads.roster
        assert roster
        accounts = live.Accounts(reader, roster, routes)
        wanted = {person.identifiers for person in people}
        some = {one for one in wanted if accounts.may_show(one)}
        if some:
            _ping_first(reader)
        seen = accounts.find_people(some)
        problems += [_unknown_person(one) for one in people if one.identifiers in seen.missing]
        asked += len(some)
        unchecked += len(wanted - some) + len(seen.unseen)
    return _Look(problems, asked, {PERSON: unchecked} if unchecked else {})


def _list_people(resources: Iterable[Resource]) -> Mapping[str, Sequence[_ListedPerson]]:
    """Everybody in lists of people, by the kind of the list."""
    people = defaultdict[str, list[_ListedPerson]](list)
    for resource in resources:
        kind = KINDS[resource.address.kind]
        if kind.concealed and kind.reads.roster:
            given = defaultdict[Place | Path, list[str]](list)
            for one in kind.concealed.listed(resource.form, resource.facts):
                given[one.spot].append(one.text.strip().lower())
            people[kind.name] += [
                _ListedPerson(resource, spot, tuple(texts)) for spot, texts in given.items()
            ]
    return people


def _unknown_person(person: _ListedPerson) -> Problem:
    resource, spot = person.resource, person.spot
    place = spot if isinstance(spot, Place) else None
    origin = resource.origin if place else resource.origin.at(spot)
    # It does not say who that is: more people read messages than lists.
    message = "the platform shows no account of this person"
    return UNKNOWN_PERSON.problem(message, origin, None, resource.address, place)
