"""Finds which recorded resource now has another address in the catalog.

A manifest says so itself (`moved`). Its short forms move along: their keys begin with the key of
the resource in which they are written.
"""

from collections.abc import Container, Iterator, Mapping, Set
from typing import NamedTuple

from ...kinds import KINDS
from ...resource import Address, Resource, careful_resources
from ...state import Store

Resources = Mapping[Address, Resource]


class RecordedAddresses(NamedTuple):
    """What the state knows about an address."""

    managed: Container[Address]
    forgotten: Container[Address]
    waiting: Container[Address]
    """Calls for it are waiting for a decision."""

    def is_recorded(self, address: Address) -> bool:
        return address in self.managed or address in self.forgotten

    def still_stands(self, old: Address, *, beside: Address) -> bool:
        """False if it is unknown, or if it was forgotten and another resource has the address."""
        let_go = old in self.forgotten and beside in self.managed
        return self.at_all(old) and not let_go

    def at_all(self, address: Address) -> bool:
        return self.is_recorded(address) or address in self.waiting


class Moves(NamedTuple):
    """New addresses and the old ones, if the state knows the old ones."""

    was: Mapping[Address, Address] = {}
    """New address to old address, for those that can move."""
    conflicts: Mapping[Address, str] = {}
    """New addresses that cannot be taken, and why."""
    held: Set[Address] = frozenset()
    """Old addresses that a resource claims: they have not left the catalog."""


NONE = Moves()


def find_moves(
    desired: Resources, store: Store, managed: Container[Address], forgotten: Container[Address]
) -> Moves:
    """The moves that the catalog asks for; costs nothing if no manifest says `moved`."""
    movers = [resource for resource in careful_resources(desired) if resource.lifecycle.moved]
    if not movers:
        return NONE
    known = RecordedAddresses(managed, forgotten, store.unresolved_addresses())
    was: dict[Address, Address] = {}
    conflicts: dict[Address, str] = {}
    held: set[Address] = set()
    for address, claimed in _claimed_addresses(desired, movers).items():
        known_before = [old for old in claimed if known.still_stands(old, beside=address)]
        if not known_before:
            continue
        conflict = _describe_conflict(address, known_before, known)
        held.update(known_before)
        if conflict:
            conflicts[address] = conflict
        if not conflict or not known.at_all(address):
            was[address] = known_before[0]
    return Moves(was, conflicts, held)


def _describe_conflict(
    address: Address, known_before: list[Address], known: RecordedAddresses
) -> str:
    """Why this cannot be moved: two records cannot become one, and open calls come first."""
    for old in (address, *known_before):
        if old in known.waiting:
            return (
                f"{address} was {known_before[0]}, and a call for {old} waits for a decision: "
                f"run `lmssync apply` to look for it, or `lmssync resolve {old}`"
            )
    both = [one for one in (address, *known_before) if known.is_recorded(one)]
    if len(both) > 1:
        return (
            f"{' and '.join(str(one) for one in both)} are recorded, each with ids of its own, "
            "so they are not one thing: remove the entry from `moved`, or "
            f"`lmssync state forget {known_before[-1]}` if that one is not to be managed"
        )
    return ""


def _claimed_addresses(
    desired: Resources, movers: list[Resource]
) -> Mapping[Address, list[Address]]:
    """The old addresses that each address claims; those that it names itself come first."""
    claims = {mover.address: _named_addresses(mover) for mover in movers}
    spoken_for = {old for claimed in claims.values() for old in claimed}
    for child, old in _carried_short_forms(desired, movers):
        if old not in spoken_for and old not in desired:
            claims.setdefault(child.address, []).append(old)
    return claims


def _named_addresses(mover: Resource) -> list[Address]:
    """Old addresses as the manifest gives them, each once."""
    return [Address.parse(text) for text in dict.fromkeys(mover.lifecycle.moved)]


def _carried_short_forms(
    desired: Resources, movers: list[Resource]
) -> Iterator[tuple[Resource, Address]]:
    """Short forms of a moved resource, each with every address that it may have had before."""
    owners = {
        (mover.origin.file, mover.origin.document): mover
        for mover in movers
        if KINDS[mover.address.kind].authoring.nested
    }
    for child in desired.values():
        owner = owners.get((child.origin.file, child.origin.document))
        if owner is None or not child.origin.path:
            continue
        here = f"{owner.address.key}."
        names = [child.address.key, *(old.key for old in _named_addresses(child))]
        for before in _named_addresses(owner):
            for name in names:
                if name.startswith(here):
                    key = f"{before.key}.{name.removeprefix(here)}"
                    yield child, Address(child.address.kind, key)
