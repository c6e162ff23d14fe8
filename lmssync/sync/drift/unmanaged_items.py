"""Lists what the platform has and the catalog does not, from the lists that an instance offers."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...errors import KeyRefused
from ...kind import Json, Kind, ReadRequest
from ...kinds import KINDS
from ...platform.client import Reader
from ...resource import Address
from ...state import Store

Tell = Callable[[str], None]


class Unmanaged(NamedTuple):
    """Something on the platform that is not recorded as managed."""

    kind: str
    id: str
    title: str
    forgotten: Address | None = None
    """The address that it had before it left the catalog."""
    owner: str = ""
    """The thing that it belongs to: an address, or a title if that is not managed either."""


class Survey(NamedTuple):
    """The result of reading the lists of an instance."""

    items: Sequence[Unmanaged]
    unlisted: Sequence[str]
    """Nouns of kinds of which no list of this instance shows all."""
    refused: Sequence[str]
    """Nouns of kinds whose list the key may not read."""
    calls: int


class _Listing(NamedTuple):
    """Where all of a kind are listed; see `Imports`."""

    request: ReadRequest
    ids: Callable[[Json], Sequence[str]] = lambda item: [item["id"]]
    name: Callable[[Json], str] = lambda item: item["name"]
    owner: str = ""
    by: int = 0
    may_have: Callable[[Json], bool] = lambda _owner: True


class _Item(NamedTuple):
    id: str
    ids: Sequence[str]
    """The ids that its kind names: by one of them the lists of what belongs to it are read."""
    title: str
    shown: Json
    owner: "_Item | None" = None


def list_unmanaged(
    store: Store, reader: Reader, routes: Set[str], tell: Tell = lambda _text: None
) -> Survey:
    """Reads the lists of each kind; `routes` are those of the instance.

    What belongs to something else is read after that, one list for each owner.
    """
    listings = {kind.name: listing for kind in KINDS.values() if (listing := _find_listing(kind))}
    read: dict[str, list[_Item]] = {}
    refused: list[str] = []
    for name, listing in sorted(listings.items(), key=lambda pair: bool(pair[1].owner)):
        owners = read.get(listing.owner)
        if listing.request.route not in routes or (listing.owner and owners is None):
            continue
        noun = KINDS[name].noun
        try:
            items = _read_items(reader, listing, owners, noun, tell)
        except KeyRefused:
            if not listing.owner:
                raise
            refused.append(noun)
        else:
            read |= {} if items is None else {name: items}
    nouns = {name: kind.noun for name, kind in KINDS.items() if kind.reads.roster is None}
    unlisted = [n for name, n in nouns.items() if name not in read and n not in refused]
    unknown = sorted(_find_unknown(store, read), key=_in_order)
    return Survey(unknown, unlisted, refused, sum(reader.asked.values()))


def _find_listing(kind: Kind) -> _Listing | None:
    """The list that an import reads, or else one that shows all of the kind."""
    if of := kind.imports:
        return _Listing(of.listed, of.ids, of.name, of.owner, of.by, of.may_have)
    wholes = [one.listed.whole for one in kind.reads.readings if one.listed and one.listed.whole]
    return _Listing(wholes[0]) if wholes else None


def _read_items(
    reader: Reader, listing: _Listing, owners: Sequence[_Item] | None, noun: str, tell: Tell
) -> list[_Item] | None:
    """All items of a kind; None where no owner has such a list."""
    request = listing.request
    if owners is None:
        listed = reader.read_pages(request.route, request.list, request.query)
        return [_make_item(listing, item) for item in listed]
    asked = [owner for owner in owners if _may_have(owner, listing)]
    lists: list[list[_Item]] = []
    each = reader.ask_each(lambda owner: _read_of_owner(reader, listing, owner), asked)
    for number, items in enumerate(each, 1):
        lists += [] if items is None else [items]
        tell(f"{noun}: {number:,} of {len(asked):,} lists read")
    # An owner without the list may just have been deleted. Where none has it, the instance lacks
    # the route.
    return [item for items in lists for item in items] if lists or not asked else None


def _may_have(owner: _Item, listing: _Listing) -> bool:
    return bool(owner.ids[listing.by]) and listing.may_have(owner.shown)


def _read_of_owner(reader: Reader, listing: _Listing, owner: _Item) -> list[_Item] | None:
    """What belongs to an owner; None where the platform has no such list, of one just deleted."""
    request = listing.request
    params = dict.fromkeys(request.params, owner.ids[listing.by])
    listed = reader.find_list(request.route, request.list, request.query, params)
    if listed is None:
        return None
    return [_make_item(listing, one, owner) for one in listed if one["id"] != owner.ids[0]]


def _make_item(listing: _Listing, item: Json, owner: _Item | None = None) -> _Item:
    title = str(item.get("title") or listing.name(item) or "")
    return _Item(item["id"], listing.ids(item), title, item, owner)


def _find_unknown(store: Store, read: Mapping[str, Sequence[_Item]]) -> Iterator[Unmanaged]:
    both = [store.list_records(forgotten=gone) for gone in (False, True)]
    managed, forgotten = ({id_: r.address for r in some for id_ in r.batch_ids} for some in both)
    for kind, items in read.items():
        for item in items:
            if _find_known(managed, kind, item) is None:
                owner = str(managed.get(of.id, of.title)) if (of := item.owner) else ""
                was = _find_known(forgotten, kind, item)
                yield Unmanaged(kind, item.id, item.title, was, owner)


def _find_known(known: Mapping[str, Address], kind: str, item: _Item) -> Address | None:
    """What is recorded with the id of an item, or may have it."""
    # What was made in a batch may have any of its ids: all of it is ours.
    ids = [item.id, *(item.ids if KINDS[kind].reads.pair else ())]
    return next((known[id_] for id_ in ids if id_ in known), None)


def _in_order(item: Unmanaged) -> tuple[str, str, str]:
    return item.kind, item.owner, item.id
