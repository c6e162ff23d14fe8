"""Counts the seats of licenses: who is known to have one, and how many a plan fills and frees."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...kind import CallPart, declare_nothing
from ...kinds import KINDS
from ...platform.live import Holder
from ...resource import Address, Form, unpack_form
from ...state import Record, Store
from ..diff import Change, Difference
from .plan import Action, PlannedChange, Step

Holdings = Mapping[str, Set[str]]
"""People by license, which is an address or a uuid."""


class Demand(NamedTuple):
    """The effect of the calls about one list on the seats of one license."""

    license: str
    """The address of the license, or its uuid."""
    seats: int | None
    """None if there is no limit, or none is known."""
    before: int
    after: int
    refused: int = 0
    """How many people the call that the platform refuses asks seats for; 0 if none is refused."""


class Replay:
    """Replays the calls of a plan, one after the other, and counts who has which license.

    `lists` says who has a license by which list, `held` who has it at all; `seats_of` gives the
    recorded limit of a license.
    """

    def __init__(
        self,
        lists: Iterable[tuple[Address, Holdings]],
        held: Holdings,
        seats_of: Callable[[str], int | None],
    ) -> None:
        self._lists = dict(lists)
        self._held = defaultdict(set, {name: set(people) for name, people in held.items()})
        self._seats_of = seats_of
        self._limits: dict[str, int | None] = {}
        self._before: dict[Address, dict[str, int]] = {}
        self._refused: dict[Address, Mapping[str, int]] = {}

    def run(
        self, parts: Iterable[CallPart], named: Callable[[str], str | None]
    ) -> Mapping[Address, Sequence[Demand]]:
        """What becomes of the seats, for each list that is called for, in the order of the parts.

        `named` gives what `held` calls somebody; nothing for whom the platform does not know.
        """
        for part in parts:
            impact = KINDS[part.address.kind].impact
            self._limits[str(part.address)] = impact.seats(part.after)
            wanted = holdings_of_list(part.address, part.after, named)
            if (wanted or part.address in self._lists) and part.address not in self._refused:
                self._call(part, wanted)
        return {address: list(self._demands(address)) for address in self._before}

    def _call(self, part: CallPart, wanted: Holdings) -> None:
        """Takes the seats that a call needs."""
        # A call is done or refused as a whole; after a refusal no more are sent for its list.
        was = self._lists.get(part.address, {})
        before = self._before.setdefault(part.address, {})
        after: dict[str, set[str]] = {}
        for name in was.keys() | wanted.keys():
            before.setdefault(name, len(self._held[name]))
            old, new = was.get(name, set()), wanted.get(name, set())
            after[name] = (self._held[name] | (new - old)) - (old - new)
        gains = (name for name in after if after[name] - self._held[name])
        # The platform counts seats when a call is done and takes all of it or nothing, so the plan
        # replays the calls in their order, in place of adding up totals.
        over = {
            name: len(after[name])
            for name in gains
            if (limit := self._limit(name)) and len(after[name]) > limit
        }
        if over:
            self._refused[part.address] = over
            return
        self._lists[part.address] = wanted
        self._held |= after

    def _limit(self, license_: str) -> int | None:
        known = license_ in self._limits
        return self._limits[license_] if known else self._seats_of(license_)

    def _demands(self, address: Address) -> Iterator[Demand]:
        refused = self._refused.get(address, {})
        for name, before in sorted(self._before[address].items()):
            after = len(self._held[name])
            yield Demand(name, self._limit(name), before, after, refused.get(name, 0))


def holdings_of_list(
    address: Address, form: Form, named: Callable[[str], str | None] = str
) -> dict[str, set[str]]:
    """The people whom one list gives licenses, by license."""
    by_license: dict[str, set[str]] = defaultdict(set)
    for person, license_ in KINDS[address.kind].impact.holders(form):
        name = str(license_["$ref"] if isinstance(license_, dict) else license_)
        people = by_license[name]
        if (known := named(person)) is not None:
            people.add(known)
    return by_license


_LISTED = " by the lists of this catalog"


def has_lists(address: Address) -> bool:
    """True for a resource that gives licenses to people."""
    return KINDS[address.kind].impact.holders is not declare_nothing


def concerns_holders(change: Change) -> bool:
    """True if it matters for a change who has a license: it is given, taken away or changed."""
    if has_lists(change.address):
        return change.difference in {Difference.NEW, Difference.CHANGED}
    return KINDS[change.address.kind].impact.held and change.recorded is not None


def with_seats(
    changes: Sequence[PlannedChange],
    steps: Sequence[Step],
    store: Store,
    accounts: Sequence[Holder] | None,
) -> list[PlannedChange]:
    """The changes, with how many people have the license that changes, and what becomes of seats.

    Holders are those of the platform's accounts; where nobody knows them, those in the lists.
    """
    parts = [part for step in steps for part in step.parts if _about_holders(part.address)]
    if not parts and not any(_about_holders(one.address) for one in changes):
        return list(changes)
    moved = {str(i.was): str(i.address) for i in changes if i.was}
    seating = _Seating(store, moved, accounts)
    demands = seating.demands(parts) if any(has_lists(part.address) for part in parts) else {}
    where = _LISTED if accounts is None else ""
    reached = {part.address: part.after for part in parts if not has_lists(part.address)}
    return [
        _with_sayings(one, [*_describe_held(one, seating, reached.get(one.address), where)])
        if KINDS[one.address.kind].impact.held
        else _with_sayings(one, [*_describe_demands(demands.get(one.address, ()), where)])
        for one in changes
    ]


def _about_holders(address: Address) -> bool:
    """True for lists of people, and for the licenses that they give."""
    return has_lists(address) or KINDS[address.kind].impact.held


def _describe_held(
    planned: PlannedChange, seating: "_Seating", after: Form | None, where: str
) -> Iterator[str]:
    """`25 people hold it, more than its limit of 5`"""
    people = len(seating.holders(str(planned.address)))
    if planned.action is Action.CREATE or not people:
        return
    wanted = after or {field.path: field.after for field in planned.fields}
    seats = KINDS[planned.address.kind].impact.seats(wanted)
    over = f", more than its limit of {seats:,}" if seats and people > seats else ""
    number = "1 person holds" if people == 1 else f"{people:,} people hold"
    yield f"{number} it{where}{over}"


def _with_sayings(planned: PlannedChange, says: Sequence[str]) -> PlannedChange:
    if planned.consequence is None or not says:
        return planned
    meant = planned.consequence._replace(says=[*planned.consequence.says, *says])
    return planned._replace(consequence=meant)


def _describe_demands(demands: Iterable[Demand], where: str) -> Iterator[str]:
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
    """What state and accounts know of lists and licenses; `moved` gives new addresses by earlier
    ones. Where there are no accounts, the lists say who holds what, those that have left the
    catalog too: who is in them keeps it.
    """

    def __init__(
        self, store: Store, moved: Mapping[str, str], accounts: Sequence[Holder] | None
    ) -> None:
        self._store, self._moved = store, moved
        self._earlier = {now: was for was, now in moved.items()}
        self._named: Callable[[str], str | None] = str
        self._by_id: dict[str, set[str]] | None = None
        if accounts is not None:
            self._by_id = defaultdict(set)
            for number, account in enumerate(accounts):
                for license_ in account.holds:
                    self._by_id[license_].add(str(number))
            codes = {code: str(n) for n, account in enumerate(accounts) for code in account.codes}
            self._named = codes.get
        self._lists = dict(self._recorded())

    def holders(self, license_: str) -> Set[str]:
        """Everybody who has the license now."""
        if self._by_id is not None:
            return self._by_id.get(self._id(license_), set())
        return set().union(*(held.get(license_, ()) for held in self._lists.values()))

    def demands(self, parts: Sequence[CallPart]) -> Mapping[Address, Sequence[Demand]]:
        """The effect of the calls on seats, list by list."""
        wanted = (holdings_of_list(part.address, part.after, self._named) for part in parts)
        names = {name for held in (*wanted, *self._lists.values()) for name in held}
        held = {name: self.holders(name) for name in names}
        return Replay(self._lists.items(), held, self._seats).run(parts, self._named)

    def _recorded(self) -> Iterator[tuple[Address, Holdings]]:
        for address in filter(
            has_lists, (*self._store.fingerprints(), *self._store.forgotten_addresses())
        ):
            record = self._store.find_record(address)
            held = (
                holdings_of_list(address, unpack_form(record.packed), self._named) if record else {}
            )
            now = Address.parse(self._moved.get(str(address), str(address)))
            yield now, {self._moved.get(name, name): people for name, people in held.items()}

    def _record(self, license_: str) -> Record | None:
        """The record of a license; None for one that is not managed here, or not made yet."""
        address = Address.parse(self._earlier.get(license_, license_))
        return self._store.find_record(address) if address.kind in KINDS else None

    def _id(self, license_: str) -> str:
        record = self._record(license_)
        return record.ids.own["id"] if record else license_

    def _seats(self, license_: str) -> int | None:
        record = self._record(license_)
        return (
            KINDS[record.address.kind].impact.seats(unpack_form(record.packed)) if record else None
        )
