"""Repairs of what is recorded that a person asks for: another address, or none any more."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import WrongUse
from ..kinds import KINDS, node_address
from ..planning import diff
from ..problems import suggest_near
from ..resource import KEY, KEY_MOST, Address
from ..state import OpenStep, Record, Store


def move_record(store: Store, old: Address, new: Address) -> Mapping[Address, Address]:
    """Gives a record another address, and what is inside it; returns old addresses and new ones.

    The same as `moved` in a manifest does, but what was forgotten stays so. Raises `WrongUse`.
    """
    _refuse_impossible(store, old, new)
    pairs = {old: new}
    for address in _records_inside(store, old):
        rest = address.key.removeprefix(f"{old.key}.")
        pairs[address] = Address(address.kind, f"{new.key}.{rest}")
    _refuse_waiting(store, (*pairs, *pairs.values()), "moved")
    for taken in filter(store.find_record, pairs.values()):
        raise WrongUse(
            f"{taken} is recorded already, with ids of its own, so nothing can move there",
            f"if it is not to be managed: `lmssync state forget {taken} --drop-ids`",
        )
    store.move_records(pairs, because={"reason": "state mv"}, manage=False)
    return pairs


def _refuse_impossible(store: Store, old: Address, new: Address) -> None:
    if old.kind != new.kind:
        raise WrongUse(
            f"{old} is a {old.kind}, so it cannot become {new}", "only the key can change"
        )
    if not re.match(KEY, new.key) or len(new.key) > KEY_MOST:
        raise WrongUse(
            f"`{new.key}` cannot be a key",
            f"write letters and digits, joined by `.`, `_` or `-`; at most {KEY_MOST} characters",
        )
    if old == new:
        raise WrongUse(f"{old} is its address already", "name another one")
    if not store.find_record(old) and old not in store.unresolved_addresses():
        known = [*store.fingerprints(), *store.forgotten_addresses()]
        raise _unknown_address(str(old), known)


def _records_inside(store: Store, owner: Address) -> Iterator[Address]:
    """What was written inside a manifest, as far as its key says so: it has the same beginning."""
    nested = {n.resource: n.owner for n in KINDS[owner.kind].authoring.nested}
    for address in sorted(
        {*store.fingerprints(), *store.forgotten_addresses(), *store.unresolved_addresses()}
    ):
        kind = KINDS.get(address.kind)  # none for what a later lmssync has recorded
        field = nested.get(kind.resource) if kind else None
        if field and address.key.startswith(f"{owner.key}."):
            record = store.find_record(address)
            if record is None or node_address(record.form[field]) == owner:
                yield address


class Forgotten(NamedTuple):
    """The resources that are no longer managed."""

    records: Sequence[Record]
    """As they were."""
    steps: Sequence[OpenStep]
    """Steps for people that nobody asks for any more."""

    @property
    def adopted_by(self) -> str:
        """`ADDRESS=ID`, by which `adopt` takes over the first of them again."""
        first = self.records[0]
        id_name = KINDS[first.address.kind].reads.id_name
        return f"{first.address}={first.known_ids.own.get(id_name, 'ID')}"


def forget_records(
    store: Store, targets: Sequence[Address], *, drop_ids: bool, reason: str, dry_run: bool = False
) -> Forgotten:
    """Stops managing some resources, all or none of them. Raises `WrongUse`."""
    asleep = store.forgotten_addresses()
    for target in targets:
        if store.find_record(target) is None or (target in asleep and not drop_ids):
            known = {*store.fingerprints(), *(asleep if drop_ids else ())}
            raise _unknown_address(str(target), known)
    _refuse_waiting(store, targets, "forgotten")
    if drop_ids:
        _refuse_lost_children(store, targets)
    records = [record for target in targets if (record := store.find_record(target))]
    steps = [step for step in store.open_steps(asleep=True) if step.address in {*targets}]
    if not dry_run:
        store.forget_addresses(targets, reason=reason, wholly=drop_ids)
    return Forgotten(records, steps)


def _refuse_lost_children(store: Store, targets: Sequence[Address]) -> None:
    """What is inside something cannot be kept without the id of that."""
    inside = {a for a, _ in diff.recorded_children(store, {*targets})}
    left = [str(address) for address in sorted(inside - {*targets})]
    if left:
        owners = " and ".join(map(str, targets)) if len(targets) == 1 else "what would be forgotten"
        raise WrongUse(
            f"{' and '.join(left)} still belong to the present {owners}",
            f"forget them first: `lmssync state rm --drop-ids {' '.join(left)}`",
        )


def _refuse_waiting(store: Store, addresses: Iterable[Address], what: str) -> None:
    waiting = store.unresolved_addresses()
    for address in addresses:
        if address in waiting:
            raise WrongUse(
                f"a call for {address} waits for a decision; it would be lost if it were {what}",
                f"run `lmssync apply` to look for it, or `lmssync resolve {address}`",
            )


def _unknown_address(address: str, known: Iterable[Address]) -> WrongUse:
    hint = suggest_near(address, map(str, known)) or "`lmssync state list` shows what is"
    return WrongUse(f"nothing is recorded for {address}", hint)
