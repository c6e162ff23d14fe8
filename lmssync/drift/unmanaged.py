"""Lists what the platform has and the catalog does not, from the lists that an instance offers."""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from ..address import Address
from ..client import Reader
from ..kind import Kind, ReadRequest
from ..kinds import KINDS
from ..state import Store


class Unmanaged(NamedTuple):
    """Something on the platform that is not recorded as managed."""

    kind: str
    id: str
    title: str
    forgotten: Address | None = None
    """What it was called before it left the catalog."""


class Survey(NamedTuple):
    """What the lists of an instance have shown."""

    items: Sequence[Unmanaged]
    unlisted: Sequence[str]
    """Nouns of kinds of which no list of this instance shows all."""
    calls: int


def list_unmanaged(store: Store, reader: Reader, routes: Set[str]) -> Survey:
    """Reads the list of each kind that has one; `routes` are those of the instance."""
    items: list[Unmanaged] = []
    unlisted: list[str] = []
    for kind in KINDS.values():
        lists = [one for one in _lists_of(kind) if one[1].route in routes]
        for id_name, whole in lists:
            items += _find_unknown(store, reader, kind, id_name, whole)
        if not lists and kind.reads.roster is None:  # what people hold is no thing of its own
            unlisted.append(kind.noun)
    return Survey(sorted(items), unlisted, sum(reader.asked.values()))


def _lists_of(kind: Kind) -> Iterator[tuple[str, ReadRequest]]:
    """The lists that show all of a kind, each with the id that its items carry."""
    for reading in kind.reads.readings:
        if reading.listed and reading.listed.whole:
            yield reading.listed.id, reading.listed.whole


def _find_unknown(
    store: Store, reader: Reader, kind: Kind, id_name: str, whole: ReadRequest
) -> Iterator[Unmanaged]:
    known = {
        record.ids.own.get(id_name): address
        for address in (*store.fingerprints(), *store.forgotten_addresses())
        if address.kind == kind.name and (record := store.find_record(address))
    }
    managed = store.fingerprints()
    for item in reader.read_pages(whole.route, whole.list, whole.query):
        address = known.get(item["id"])
        if address not in managed:
            title = str(item.get("title") or item.get("name") or "")
            yield Unmanaged(kind.name, item["id"], title, address)
