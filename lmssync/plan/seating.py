"""What a plan says about seats: who is known to hold a license, and what the calls come to."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ..address import Address
from ..kind import nothing
from ..kinds import KINDS
from ..live import Holder
from ..resource import unpack
from ..state import Record, Store
from .plan import PlannedChange, Step
from .seats import Demand, Holdings, Replay, holdings

_LISTED = " by the lists of this catalog"


def has_lists(address: Address) -> bool:
    """True for a resource that says who holds what."""
    return KINDS[address.kind].impact.holders is not nothing


def with_seats(
    changes: Sequence[PlannedChange],
    steps: Sequence[Step],
    store: Store,
    accounts: Sequence[Holder] | None,
) -> list[PlannedChange]:
    """The changes, those of lists of people with what becomes of the seats.

    Holders are those of the platform's accounts; where nobody knows them, those in the lists.
    """
    if not any(has_lists(part.address) for step in steps for part in step.parts):
        return list(changes)
    seating = _Seating(store, {str(i.was): str(i.address) for i in changes if i.was})
    demands = seating.in_lists(steps) if accounts is None else seating.of(accounts, steps)
    where = _LISTED * (accounts is None)
    return [_with(one, list(_sayings(demands.get(one.address, ()), where))) for one in changes]


def _with(planned: PlannedChange, says: Sequence[str]) -> PlannedChange:
    if planned.consequence is None or not says:
        return planned
    meant = planned.consequence._replace(says=[*planned.consequence.says, *says])
    return replace(planned, consequence=meant)


def _sayings(demands: Iterable[Demand], where: str) -> Iterator[str]:
    """`license.staff: 42 → 45 of 50 seats are taken`"""
    for demand in demands:
        if demand.refused:
            yield (
                f"{demand.license} has {demand.seats:,} seats and {demand.refused:,} people would "
                "hold it: the platform refuses the whole call, and nobody gains or loses anything"
            )
        elif demand.seats and demand.before != demand.after:
            numbers = f"{demand.before:,} → {demand.after:,} of {demand.seats:,}"
            yield f"{demand.license}: {numbers} seats are taken{where}"


class _Seating:
    """What the state knows of lists and licenses; `moved` gives new addresses by earlier ones."""

    def __init__(self, store: Store, moved: Mapping[str, str]) -> None:
        self._store, self._moved = store, moved
        self._earlier = {now: was for was, now in moved.items()}

    def in_lists(self, steps: Sequence[Step]) -> Mapping[Address, Sequence[Demand]]:
        """By the lists alone, those that have left the catalog too: who is in them keeps it."""
        lists = list(self._lists(str))
        held: dict[str, set[str]] = defaultdict(set)
        for name, people in chain.from_iterable(of.items() for _, of in lists):
            held[name] |= people
        return Replay(lists, held, self._seats).run(steps, str)

    def of(
        self, accounts: Sequence[Holder], steps: Sequence[Step]
    ) -> Mapping[Address, Sequence[Demand]]:
        """By the accounts of the platform."""
        named = {code: str(n) for n, account in enumerate(accounts) for code in account.codes}
        by_id: dict[str, set[str]] = defaultdict(set)
        for number, account in enumerate(accounts):
            for license_ in account.holds:
                by_id[license_].add(str(number))
        lists = list(self._lists(named.get))
        wanted = (holdings(p.address, p.after, named.get) for step in steps for p in step.parts)
        names = {name for of in (*wanted, *(of for _, of in lists)) for name in of}
        held = {name: by_id.get(self._id(name), set()) for name in names}
        return Replay(lists, held, self._seats).run(steps, named.get)

    def _lists(self, named: Callable[[str], str | None]) -> Iterator[tuple[Address, Holdings]]:
        for address in filter(has_lists, (*self._store.fingerprints(), *self._store.forgotten())):
            record = self._store.record(address)
            held = holdings(address, unpack(record.packed), named) if record else {}
            now = Address.parse(self._moved.get(str(address), str(address)))
            yield now, {self._moved.get(name, name): people for name, people in held.items()}

    def _record(self, license_: str) -> Record | None:
        """None for one that is not managed here, or not made yet."""
        address = Address.parse(self._earlier.get(license_, license_))
        return self._store.record(address) if address.kind in KINDS else None

    def _id(self, license_: str) -> str:
        record = self._record(license_)
        return record.ids.own["id"] if record else license_

    def _seats(self, license_: str) -> int | None:
        record = self._record(license_)
        return KINDS[record.address.kind].impact.seats(unpack(record.packed)) if record else None
