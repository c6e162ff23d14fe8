"""Replays the calls of a plan against the seats of licenses, as the platform will count them.

The platform checks a whole call before it does anything: if a license that somebody gains would
have more holders than seats, the call fails and nobody in it gains or loses anything (spec 4,
sublicense rule 7). Holders are the people in the lists of the state: others are not known.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ..address import Address
from ..kind import CallPart, Json, nothing
from ..kinds import KINDS
from ..resource import Form, unpack
from ..state import Store
from .plan import PlannedChange, Step

Holdings = Mapping[str, Set[str]]
"""People by license, as one list has them."""


class Demand(NamedTuple):
    """What the calls about one list come to for the seats of one license."""

    license: str
    """Its address, or its uuid."""
    seats: int | None
    """None if there is no limit, or none is known."""
    before: int
    after: int
    refused: int = 0
    """How many people the call that the platform refuses asks seats for; 0 if none is refused."""


class Replay:
    """Who holds what while the calls of a plan are done, one after the other.

    `recorded` is who holds what by each list, `seats_of` gives the recorded limit of a license.
    """

    def __init__(
        self, recorded: Iterable[tuple[Address, Holdings]], seats_of: Callable[[str], int | None]
    ) -> None:
        self._held = dict(recorded)
        self._seats_of = seats_of
        self._limits: dict[str, int | None] = {}
        self._before: dict[Address, dict[str, int]] = {}
        self._refused: dict[Address, Mapping[str, int]] = {}

    def run(self, steps: Iterable[Step]) -> Mapping[Address, Sequence[Demand]]:
        """What becomes of the seats, for each list that is called for."""
        for part in (part for step in steps for part in step.parts):
            impact = KINDS[part.address.kind].impact
            self._limits[str(part.address)] = impact.seats(part.after)
            self._call(part)
        return {address: list(self._demands(address)) for address in self._before}

    def _call(self, part: CallPart) -> None:
        """A call is done or refused as a whole; after a refusal no more are sent for its list."""
        wanted, was = _holdings(part.address, part.after), self._held.get(part.address, {})
        if (not wanted and not was) or part.address in self._refused:
            return
        before = self._before.setdefault(part.address, {})
        for name in was.keys() | wanted.keys():
            before.setdefault(name, len(self._holders(name)))
        gained = [name for name in wanted if wanted[name] - self._holders(name)]
        self._held[part.address] = wanted
        over = {name: n for name in gained if (n := self._over(name))}
        if over:
            self._refused[part.address] = over
            self._held[part.address] = was

    def _over(self, license_: str) -> int:
        """How many hold it, if those are more than it has seats."""
        limit, number = self._limit(license_), len(self._holders(license_))
        return number if limit and number > limit else 0

    def _limit(self, license_: str) -> int | None:
        known = license_ in self._limits
        return self._limits[license_] if known else self._seats_of(license_)

    def _holders(self, license_: str) -> Set[str]:
        """Everybody once, though several lists may name them."""
        return set().union(*(held.get(license_, ()) for held in self._held.values()))

    def _demands(self, address: Address) -> Iterator[Demand]:
        refused = self._refused.get(address, {})
        for name, before in sorted(self._before[address].items()):
            after = len(self._holders(name))
            yield Demand(name, self._limit(name), before, after, refused.get(name, 0))


def _holdings(address: Address, form: Form) -> Holdings:
    """By license, as its address or its uuid."""
    by_license: dict[str, set[str]] = defaultdict(set)
    for person, license_ in KINDS[address.kind].impact.holders(form):
        by_license[_named(license_)].add(person)
    return by_license


def _named(license_: Json) -> str:
    return str(license_["$ref"] if isinstance(license_, dict) else license_)


def seat_sayings(demands: Iterable[Demand]) -> Iterator[str]:
    """`license.staff: 45 of 50 seats are taken after this, 3 more than before`"""
    for demand in demands:
        if demand.refused:
            yield (
                f"{demand.license} has {demand.seats:,} seats and {demand.refused:,} people would "
                "hold it: the platform refuses the whole call, and nobody gains or loses anything"
            )
        elif demand.seats and demand.before != demand.after:
            yield (
                f"{demand.license}: {demand.before:,} → {demand.after:,} of {demand.seats:,} seats "
                "are taken by the lists of this catalog"
            )


def with_seats(
    changes: Sequence[PlannedChange], steps: Sequence[Step], store: Store
) -> list[PlannedChange]:
    """The changes, those of lists of people with what becomes of the seats."""
    called = {part.address for step in steps for part in step.parts}
    if not any(map(_has_lists, called)):
        return list(changes)
    names = {str(one.was): str(one.address) for one in changes if one.was}
    limits = partial(_recorded_seats, store, {new: old for old, new in names.items()})
    demands = Replay(_recorded_lists(store, names), limits).run(steps)
    return [_with(one, demands.get(one.address, ())) for one in changes]


def _recorded_lists(store: Store, names: Mapping[str, str]) -> Iterator[tuple[Address, Holdings]]:
    """All lists, those that have left the catalog too: who is in them keeps the licenses."""
    for address in filter(_has_lists, (*store.fingerprints(), *store.forgotten())):
        record = store.record(address)
        held = _holdings(address, unpack(record.packed)) if record else {}
        now = Address.parse(names.get(str(address), str(address)))
        yield now, {names.get(name, name): people for name, people in held.items()}


def _with(planned: PlannedChange, demands: Iterable[Demand]) -> PlannedChange:
    says = list(seat_sayings(demands))
    if planned.consequence is None or not says:
        return planned
    meant = planned.consequence._replace(says=[*planned.consequence.says, *says])
    return replace(planned, consequence=meant)


def _has_lists(address: Address) -> bool:
    """True for a resource that says who holds what."""
    return KINDS[address.kind].impact.holders is not nothing


def _recorded_seats(store: Store, earlier: Mapping[str, str], license_: str) -> int | None:
    """The limit of a license; none is known of one that is not managed here."""
    address = Address.parse(earlier.get(license_, license_))
    record = store.record(address) if address.kind in KINDS else None
    return KINDS[address.kind].impact.seats(unpack(record.packed)) if record else None
