"""Everything that the platform has of the kinds that can be listed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from ...errors import KeyRefused, LmssyncError
from ...kind import Imports, Json, ReadRequest
from ...kinds import KINDS
from ...platform.client import Reader
from ...vocabulary.routes import CAPABILITIES


class ListedItem(NamedTuple):
    """One thing in a list of the platform."""

    kind: str
    ids: tuple[str, ...]
    """By which people know it; it is recorded by the first one."""
    name: str
    """The key that it would have, if nothing else had it."""
    title: str
    shown: Mapping[str, Json]
    """`item` from the list, `owner` as the id that the list belongs to, and lists beside."""

    @property
    def imports(self) -> Imports:
        imports = KINDS[self.kind].imports
        assert imports is not None
        return imports

    @property
    def answers(self) -> Mapping[str, Json]:
        """The answers to the readings of its kind, by their routes."""
        return self.imports.answers(self.shown)

    @property
    def owner(self) -> str:
        """The id of what it belongs to, if it belongs to anything."""
        return str(self.shown.get("owner", ""))


def read_request(reader: Reader, request: ReadRequest, params: Mapping[str, str]) -> Any:
    """The result of a request: an answer, or all items of a list."""
    if request.list:
        return list(reader.read_pages(request.route, request.list, request.query, params))
    return reader.read_route(request.route, params, request.query)


def list_top_items(reader: Reader, routes: Set[str]) -> Iterator[ListedItem]:
    """All that belongs to nothing else: courses, for example, and not their criteria."""
    for kind, imports in _importable_kinds(routes):
        if not imports.owner:
            beside = {
                n: index_by_id(read_request(reader, r, r.params)) for n, r in imports.beside.items()
            }
            yield from _make_items(kind, read_request(reader, imports.listed, {}), beside)


class ListOwner(NamedTuple):
    """Something that lists may belong to."""

    ids: Sequence[str]
    shown: Json
    """As the list of all owners shows it."""


def list_belonging(
    reader: Reader, routes: Set[str], kind: str, owners: Iterable[ListOwner]
) -> Iterator[ListedItem]:
    """All that belongs to some things of a kind; the list of one that can have none is not read.

    The list of an owner that was just deleted is not there, and counts as empty. Raises
    `LmssyncError` where no owner has such a list, because the instance lacks it.
    """
    known = list(owners)
    for name, imports in _importable_kinds(routes):
        if imports.owner != kind:
            continue
        # Each list is a call of its own, and most owners can have nothing in it.
        ids = [owner.ids for owner in known if imports.may_have(owner.shown)]
        try:
            lists = list(reader.ask_each(_read_owner_list(reader, imports), ids))
        except KeyRefused as refused:
            raise _forbidden_list_error(KINDS[name].nouns, imports, refused) from None
        for owner, items in zip(ids, lists, strict=True):
            yield from _make_items(name, items or (), {}, owner[0])
        # One owner without a list was just deleted; all of them without one is an instance that
        # lacks it.
        if ids and all(items is None for items in lists):
            raise _no_list_error(KINDS[name].nouns, KINDS[kind].nouns, imports.listed.route)


def _forbidden_list_error(what: str, imports: Imports, refused: KeyRefused) -> KeyRefused:
    """In the place of what says nothing of the import: without a list, it would look complete."""
    ways = [refused.hint, "then run the import again: it goes on where it was"]
    if (route := imports.listed.route) in CAPABILITIES:
        ways.append(f"or leave them out: `platform: {{capabilities: {{{route}: false}}}}`")
    return KeyRefused(
        f"the key may not list {what}, so the import ends: {refused.message}", "; ".join(ways)
    )


def _no_list_error(what: str, owners: str, route: str) -> LmssyncError:
    return LmssyncError(
        f"the platform has no list of {what} for any of its {owners}: nothing was imported",
        "try again; if this instance has no such list, say so in lmssync.yaml: "
        f"`platform: {{capabilities: {{{route}: false}}}}`",
    )


def _read_owner_list(reader: Reader, imports: Imports) -> Any:
    listed = imports.listed
    (param,) = listed.params
    return lambda owner: reader.find_list(
        listed.route, listed.list, listed.query, {param: owner[imports.by]}
    )


def _importable_kinds(routes: Set[str]) -> Iterator[tuple[str, Imports]]:
    for name, kind in KINDS.items():
        if kind.imports and kind.imports.routes <= routes:
            yield name, kind.imports


def _make_items(
    kind: str, items: Iterable[Json], beside: Mapping[str, Mapping[str, Json]], owner: str = ""
) -> Iterator[ListedItem]:
    imports = KINDS[kind].imports
    assert imports is not None
    for item in items:
        ids = tuple(id_ for id_ in imports.ids(item) if id_)
        # The list of the sessions of a group has the owner itself among them.
        if owner and owner == ids[0]:
            continue
        extra = {name: items[ids[0]] for name, items in beside.items() if ids[0] in items}
        shown = {"item": item, **extra} | ({"owner": owner} if owner else {})
        title = str(item.get("title") or item.get("name") or "")
        # The platform may show no name: then people know it by its id.
        yield ListedItem(kind, ids, imports.name(item) or ids[0], title, shown)


def index_by_id(items: Iterable[Json]) -> dict[str, Json]:
    return {item["id"]: item for item in items}
