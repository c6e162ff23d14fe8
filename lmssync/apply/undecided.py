"""What waits for a person to say whether the platform has done it, and how they can find out."""

from collections.abc import Iterator
from typing import NamedTuple

from ..address import Address
from ..kind import CallPart
from ..kinds import KINDS
from ..state import JournaledCall, Store
from .by_person import makes_id


class Undecided(NamedTuple):
    """One resource in a call with an unknown outcome."""

    address: Address
    title: str
    call: JournaledCall
    mark: str
    """What it carries if it was made, as `field=value`; empty if it carries no mark."""
    place: str
    """The list of the admin interface in which to look."""
    id: str
    """Its id, if it was there before the call."""
    makes_id: bool
    """What the call makes has an id, so whoever has found it gives that."""


def undecided(store: Store) -> list[Undecided]:
    """All of it, oldest call first."""
    return list(_all(store))


def _all(store: Store) -> Iterator[Undecided]:
    for call in store.open_calls():
        for part in call.parts:
            yield _one(store, call, part)


def _one(store: Store, call: JournaledCall, part: CallPart) -> Undecided:
    kind, ids = KINDS[part.address.kind], store.ids(part.address)
    return Undecided(
        part.address,
        kind.authoring.title(part.after),
        call,
        part.marker or "",
        kind.reads.place(part.after) or f"the list of {kind.nouns}",
        ids.own.get(kind.reads.id_name, "") if ids else "",
        makes_id(part),
    )
