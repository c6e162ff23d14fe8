"""Everything that the platform has of the kinds that can be listed, and its names in manifests.

Keys, paths of parts, labels and slugs are made from ids and titles of the platform.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import KeyRefused, LmssyncError
from ...kind import Ids, Imports, Json, ReadRequest
from ...kinds import KINDS, LOOKUPS, part_names
from ...platform.client import Reader
from ...resource import KEY_MOST, SHORT_ID, Address, Resource
from ...state import Record
from ...support.disk_buffer import DiskBuffer, KeptBytes, load_kept_json
from ...vocabulary.normalisers import derive_slug
from ...vocabulary.routes import CAPABILITIES


class ListedItem(NamedTuple):
    """One thing in a list of the platform."""

    kind: str
    ids: tuple[str, ...]
    """By which people know it; it is recorded by the first one."""
    name: str
    """The key that it would have, if nothing else had it."""
    title: str
    kept: KeptBytes
    """What `shown` has; on the disk, since there may be many."""
    owner: str
    """The id of what it belongs to, if it belongs to anything."""

    @property
    def shown(self) -> Mapping[str, Json]:
        """`item` from the list, `owner` as the id that the list belongs to, and lists beside."""
        shown: Mapping[str, Json] = load_kept_json(self.kept)
        return shown

    @property
    def id_keys(self) -> list[tuple[str, str]]:
        """Each of its ids with its kind, as names are found by it."""
        return [(self.kind, id_) for id_ in self.ids]

    @property
    def imports(self) -> Imports:
        imports = KINDS[self.kind].imports
        assert imports is not None
        return imports


def list_top_items(reader: Reader, routes: Set[str]) -> Iterator[ListedItem]:
    """All that belongs to nothing else: courses, for example, and not their criteria."""
    for kind, imports in _importable_kinds(routes):
        if not imports.owner:
            spill = DiskBuffer()
            beside = {
                name: {one["id"]: spill.keep_json(one) for one in _read_items(reader, request)}
                for name, request in imports.beside.items()
            }
            yield from _make_items(kind, _read_items(reader, imports.listed), spill, beside)


def _read_items(reader: Reader, listed: ReadRequest) -> Iterator[Json]:
    return reader.read_pages(listed.route, listed.list, listed.query)


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
        spill = DiskBuffer()
        for owner, items in zip(ids, lists, strict=True):
            yield from _make_items(name, items or (), spill, {}, owner[0])
        # One owner without a list was just deleted; all of them without one is an instance that
        # lacks it.
        if ids and all(items is None for items in lists):
            raise _no_list_error(KINDS[name].nouns, KINDS[kind].nouns, imports.listed.route)


def _forbidden_list_error(what: str, imports: Imports, refused: KeyRefused) -> KeyRefused:
    ways = [refused.hint, "then run the import again: it goes on where it was"]
    if (route := imports.listed.route) in CAPABILITIES:
        ways.append(f"or leave them out: `platform: {{capabilities: {{{route}: false}}}}`")
    # Without this list the import would look complete, and would not be.
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
    kind: str,
    items: Iterable[Json],
    spill: DiskBuffer,
    beside: Mapping[str, Mapping[str, KeptBytes]],
    owner: str = "",
) -> Iterator[ListedItem]:
    imports = KINDS[kind].imports
    assert imports is not None
    for item in items:
        ids = tuple(id_ for id_ in imports.ids(item) if id_)
        # The list of the sessions of a group has the owner itself among them.
        if owner and owner == ids[0]:
            continue
        found = {name: items[ids[0]] for name, items in beside.items() if ids[0] in items}
        extra = {name: load_kept_json(kept) for name, kept in found.items()}
        shown = {"item": item, **extra} | ({"owner": owner} if owner else {})
        title = str(item.get("title") or item.get("name") or "")
        # The platform may show no name: then people know it by its id.
        name = imports.name(item) or ids[0]
        yield ListedItem(kind, ids, name, title, spill.keep_json(shown), owner)


_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_IN_KEY = re.compile(r"[^A-Za-z0-9]+")
_OWN_MOST = KEY_MOST - 2 * SHORT_ID
"""Characters of a key: those of what is inside begin with it, and a number may follow."""
_PART = "part"
"""The word for ids of sections, lessons and topics."""


PairRecords = Callable[[Collection[Address]], Iterable[Record]]
"""Reads which ids some resources have; returns the records whose ids are known by that."""


class NamesById:
    """Grows while things are imported; an id that it does not know stands for itself."""

    def __init__(
        self,
        reader: Reader,
        records: Callable[[], Iterable[Record]],
        pair: PairRecords,
        forgotten: Iterable[Record] = (),
        desired: Mapping[Address, Resource] = MappingProxyType({}),
    ) -> None:
        """Nothing new gets an address that is recorded, or that something `forgotten` had.

        It may get one of `desired`, the catalog: what is said there is then compared. `pair` is
        asked for the ids of a record that no read has shown yet, when something names them.
        """
        self.desired, self._pair, self._records = desired, pair, records
        self._taken: set[Address] = set()
        self._numbers: dict[Address, int] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self._not_main: set[tuple[str, str]] = set()
        self._users: dict[tuple[str, str], set[str]] = {}
        self.user = ""
        """The id of what is being written: it is remembered with each name that it uses."""
        self.parts: Mapping[str, str] = {}
        """The paths of its parts by their ids. Nothing else names them, and there are many."""
        self._former = dict[tuple[str, str], str]()
        """By id, the key of what was managed before and has left the catalog."""
        self._unread: dict[tuple[str, str], Address] = {}
        """By an id of its batch, what was made and not read yet: the id may be that of another."""
        self._note_forgotten(forgotten)
        for record in records():
            if record.unpaired:
                self._taken.add(record.address)
                self._unread[record.address.kind, record.unpaired.expected] = record.address
            else:
                self.add_names(record.address, record.ids)
        self.looked_up = {
            lookup.kind: list(reader.read_pages(lookup.route, lookup.list))
            for lookup in LOOKUPS.values()
        }
        """By kind, all that is looked up by name, as the platform lists it."""
        for kind, items in self.looked_up.items():
            self._add_unique(kind, items, LOOKUPS[kind].field)

    def _note_forgotten(self, records: Iterable[Record]) -> None:
        unread = dict[Address, Record]()
        for record in records:
            self._taken.add(record.address)
            if record.unpaired:
                unread[record.address] = record
            else:
                self._note_former(record)
        for record in self._pair(unread.keys()) if unread else ():
            if unread.pop(record.address, None):
                self._note_former(record)
        # Of these no read can tell which ids they have: what they may be is left alone.
        for record in unread.values():
            if record.unpaired:
                self._unread[record.address.kind, record.unpaired.expected] = record.address

    def _note_former(self, record: Record) -> None:
        if record.address in self.desired:  # the next plan manages it again
            self.add_names(record.address, record.ids)
        else:
            of_ids = ((record.address.kind, id_) for id_ in record.ids.own.values())
            self._former |= dict.fromkeys(of_ids, record.address.key)

    def _add_unique(self, kind: str, items: Sequence[Json], field: str) -> None:
        # What several things are called is no name: manifests get their ids.
        times = Counter(item[field] for item in items)
        unique = {item["id"]: item[field] for item in items if times[item[field]] == 1}
        self._names |= {(kind, id_): name for id_, name in unique.items()}
        self._ids |= {(kind, name): id_ for id_, name in unique.items()}

    def __call__(self, kind: str, id_: str, /, *, main: bool = False) -> str:
        if main and (kind, id_) in self._not_main:
            return id_
        if kind == _PART:
            return self.parts.get(id_, id_)
        self._users.setdefault((kind, id_), set()).add(self.user)
        if (kind, id_) not in self._names and (kind, id_) in self._unread:
            self._read_names([self._unread[kind, id_]])
        return self._names.get((kind, id_), id_)

    def _read_names(self, wanted: Collection[Address]) -> None:
        """Reads which ids some resources have."""
        # A read of one tells which ids the others of its batch have.
        for record in self._pair(wanted):
            self.add_names(record.address, record.ids)

    def note_items(self, items: Iterable[ListedItem]) -> None:
        """Items of a list show further ids of what was not read yet."""
        for item in items:
            if known := next(filter(None, map(self._unread.get, item.id_keys)), None):
                self._unread |= dict.fromkeys(item.id_keys, known)

    def find_id(self, kind: str, name: str) -> str:
        """The id of something that is looked up by its name; the name itself where that is one."""
        return self._ids.get((kind, name), name)

    def withdraw_name(self, item: ListedItem) -> set[str]:
        """Says that an item has no name after all; returns the ids of what has used it."""
        for key in item.id_keys:
            self._names.pop(key, None)
        used = (self._users.get(key, set()) for key in item.id_keys)
        return set().union(*used) - {item.ids[0]}

    def name_of_any(self, id_: str) -> str:
        """The name of an id of whatever kind: no two things have the same id."""
        name = self._find_name(id_)
        if name is None and self._unread:
            self._read_names({*self._unread.values()})
            name = self._find_name(id_)
        return name or id_

    def _find_name(self, id_: str) -> str | None:
        names = (name for (_, known), name in self._names.items() if known == id_)
        return next(names, None) or next(self._find_paths(id_), None)

    def _find_paths(self, id_: str) -> Iterator[str]:
        for record in self._records():
            if not record.unpaired:
                yield from (path for path, part in record.ids.parts.items() if part == id_)

    def knows_item(self, item: ListedItem) -> bool:
        """Whether an id of an item is recorded, or one of a batch that is."""
        return any(key in self._names or key in self._unread for key in item.id_keys)

    def add_names(self, address: Address, ids: Ids) -> None:
        """The names of a resource once it is in the catalog."""
        self._taken.add(address)
        self._names |= {(address.kind, id_): address.key for id_ in ids.own.values()}
        main = ids.own.get(KINDS[address.kind].reads.id_name)
        self._not_main |= {(address.kind, id_) for id_ in ids.own.values() if id_ != main}

    def name_items(
        self, items: Iterable[ListedItem], owner: str = ""
    ) -> Iterator[tuple[ListedItem, Address]]:
        """Items with their addresses, new ones below the key of an owner if they have one."""
        for item, key in _propose_keys(items, owner):
            keys = item.id_keys
            former = self._former.get(keys[0], "")
            # What is written inside a manifest has a key that begins with the key of that.
            fits = former.startswith(f"{owner}.") if owner else former
            known = self._names.get(keys[0]) or (former if fits else "")
            address = Address(item.kind, known) if known else self._free_address(item.kind, key)
            self._taken.add(address)
            self._names |= dict.fromkeys(keys, address.key)
            self._not_main.update(keys[1:])
            yield item, address

    def _free_address(self, kind: str, key: str) -> Address:
        """The address with this key, or with the next number that nothing has."""
        wanted = address = Address(kind, key)
        while address in self._taken:
            number = self._numbers[wanted] = self._numbers.get(wanted, 1) + 1
            address = Address(kind, f"{key}-{number}")
        return address


def _propose_keys(items: Iterable[ListedItem], owner: str) -> Iterator[tuple[ListedItem, str]]:
    """Items with the keys that they would have, if nothing else had them."""
    if not owner:
        yield from ((item, _key_of_slug(item.name)) for item in items)
        return
    items = list(items)
    # `coursePercentViewed` as `course Percent Viewed`.
    slugs = part_names([{"title": _HUMP.sub(" ", item.name)} for item in items], SHORT_ID)
    yield from ((item, f"{owner}.{slug}") for item, slug in zip(items, slugs, strict=True))


def _key_of_slug(name: str) -> str:
    """A slug of the platform is a key as it is, or its beginning."""
    return _NOT_IN_KEY.sub("-", derive_slug(name, _OWN_MOST)).strip("-") or "untitled"


def find_outer_kind(kind: str) -> str:
    """The kind in whose manifests this one is written in short form; empty if in none."""
    resource = KINDS[kind].resource
    holders = (
        name
        for name, holder in KINDS.items()
        if any(nested.resource == resource for nested in holder.authoring.nested)
    )
    return next(holders, "")
