"""Finds which recorded resource now has another address in the catalog.

A manifest says so itself (`moved`). Its short forms move along: their keys begin with the key of
the resource in which they are written.
"""

from collections.abc import Container, Iterator, Mapping, Set
from typing import NamedTuple

from ...kinds import KINDS
from ...resource import (
    Address,
    Form,
    Resource,
    canonical_spelling,
    careful_resources,
    fingerprint_of,
)
from ...state import Store
from .change import Change, Difference


def with_twins(changes: list[Change]) -> list[Change]:
    """The changes; if a resource leaves and a similar one comes, both wait for a decision."""
    gone = [change for change in changes if change.difference is Difference.GONE]
    kinds = {change.address.kind for change in gone}
    new = [c for c in changes if c.difference is Difference.NEW and c.address.kind in kinds]
    if not new:
        return changes
    twins = dict(_pair_twins(gone, [change for change in new if not change.move_conflict]))
    return [_undecided(change, twins) for change in changes]


Twins = Mapping[Address, tuple[Address, str]]
"""For the address of each of the two, the other one, and what they have in common."""


def _pair_twins(
    gone: list[Change], new: list[Change]
) -> Iterator[tuple[Address, tuple[Address, str]]]:
    """Pairs each once; the pairs with more in common come first."""
    taken: set[Address] = set()
    for traits in (_by_content, _by_unique, _by_outline, _by_part):
        known = {trait: change for change in gone for trait in traits(change)}
        for change in new:
            for trait in traits(change):
                other = known.get(trait)
                if other and not {change.address, other.address} & taken:
                    taken |= {change.address, other.address}
                    yield change.address, (other.address, trait[1])
                    yield other.address, (change.address, trait[1])


Trait = tuple[str, str, object]
"""The kind, what the two have in common, and its value."""


def _form(change: Change) -> Form:
    return change.after or change.before


def _by_content(change: Change) -> Iterator[Trait]:
    held = change.desired or change.recorded
    assert held is not None
    # The record spells what it refers to as it was called then; `renamed` as it is called today.
    content = (
        fingerprint_of(canonical_spelling(change.renamed)) if change.renamed else held.fingerprint
    )
    yield change.address.kind, "the same content", content


def _by_unique(change: Change) -> Iterator[Trait]:
    """The values that only one resource of a kind may have: a sku, a slug."""
    form = _form(change)
    for field in KINDS[change.address.kind].relations.unique:
        if value := form.get(field):
            yield change.address.kind, f"the same {field} `{value}`", value


def _by_outline(change: Change) -> Iterator[Trait]:
    """The title together with the names and types of all parts."""
    form, kind = _form(change), KINDS[change.address.kind]
    title, parts = kind.authoring.title(form), kind.authoring.parts(form)
    if title and parts:
        yield kind.name, "the same title and the same outline", (title, tuple(parts.items()))


def _by_part(change: Change) -> Iterator[Trait]:
    """The title together with the name and type of one part: others may have changed meanwhile."""
    form, kind = _form(change), KINDS[change.address.kind]
    if title := kind.authoring.title(form):
        for path, type_ in kind.authoring.parts(form).items():
            yield kind.name, f"the same title and the part `{path}`", (title, path, type_)


def _undecided(change: Change, twins: Twins) -> Change:
    if change.address not in twins:
        return _below(change, twins)
    other, alike = twins[change.address]
    question = (
        f"{other} is new and has {alike}: if they are the same, its manifest needs "
        f"`moved: [{{from: {change.address}}}]`"
    )
    if change.difference is Difference.NEW:
        question = (
            f"it looks like {other}, which left the catalog: it has {alike}. Nothing can be "
            "deleted, so the platform would keep both. If it is the same, write `moved: [{from: "
            f"{other}}}]` into its manifest; if not, `--allow {change.address}`"
        )
    return change._replace(twin=other, undecided=question)


def _below(change: Change, twins: Twins) -> Change:
    """The change of a short form that may go with its owner."""
    owner = next((one for one in _owners(change.address) if one in twins), None)
    if owner is None or change.difference is not Difference.GONE:
        return change
    twin, _ = twins[owner]
    # It would move along, so the owner is decided first.
    question = f"it belongs to {owner}, which may be {twin} now: that has to be decided first"
    return change._replace(twin=twin, undecided=question)


def _owners(address: Address) -> Iterator[Address]:
    """What may contain it as a short form."""
    resource = KINDS[address.kind].resource
    above = [
        kind.name
        for kind in KINDS.values()
        if resource in {nested.resource for nested in kind.authoring.nested}
    ]
    # The key of a short form begins with that of its owner.
    ends = [place for place, letter in enumerate(address.key) if letter == "."]
    return (Address(kind, address.key[:end]) for kind in above for end in ends)


Resources = Mapping[Address, Resource]


class RecordedAddresses(NamedTuple):
    """The addresses in the state, by how they are recorded."""

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
    """Why this cannot be moved; empty if it can."""
    for old in (address, *known_before):
        # What an open call has done is not known yet, so it has no record that could move.
        if old in known.waiting:
            return (
                f"{address} was {known_before[0]}, and a call for {old} waits for a decision: "
                f"run `lmssync apply` to look for it, or `lmssync resolve {old}`"
            )
    both = [one for one in (address, *known_before) if known.is_recorded(one)]
    # Two records with ids of their own cannot become one.
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
