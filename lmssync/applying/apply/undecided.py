"""Lists the calls that wait for the decision of a person."""

from collections.abc import Iterator, Set
from typing import NamedTuple

from ...kind import CallPart
from ...kinds import KINDS
from ...resource import Address
from ...state import JournaledCall, Store
from .identify import shows_ids
from .person_decisions import makes_id


class Undecided(NamedTuple):
    """One resource in a call with an unknown outcome."""

    address: Address
    title: str
    call: JournaledCall
    mark: str
    """The mark of the resource if it was made, as `field=value`; empty if it has none."""
    place: str
    """The list of the admin interface in which to look."""
    id: str
    """The id of the resource, if it was there before the call."""
    makes_id: bool
    """True if the call makes something with an id: whoever has found it gives that."""
    checkable: bool
    """A route of the instance shows what has that id."""


def list_undecided(store: Store, routes: Set[str]) -> list[Undecided]:
    """Everything that waits for a decision, oldest call first; the instance has these `routes`."""
    return list(_all(store, routes))


def _all(store: Store, routes: Set[str]) -> Iterator[Undecided]:
    for call in store.open_calls():
        for part in call.parts:
            yield _one(store, call, part, routes)


def _one(store: Store, call: JournaledCall, part: CallPart, routes: Set[str]) -> Undecided:
    kind, record = KINDS[part.address.kind], store.find_record(part.address)
    return Undecided(
        part.address,
        kind.authoring.title(part.after),
        call,
        part.marker or "",
        kind.reads.place(part.after) or f"the list of {kind.nouns}",
        record.known_ids.own.get(kind.reads.id_name, "") if record else "",
        makes_id(part),
        shows_ids(part, routes),
    )
