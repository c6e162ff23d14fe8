"""Replays the calls of a plan against the seats of licenses, as the platform will count them.

The platform checks a whole call before it does anything: if a license that somebody gains would
have more holders than seats, the call fails and nobody in it gains or loses anything (spec 4,
sublicense rule 7).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...kind import CallPart
from ...kinds import KINDS
from ...resource import Address, Form

Holdings = Mapping[str, Set[str]]
"""People by license, which is an address or a uuid."""


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

    `lists` is who holds what by each list, `held` who holds what at all; `seats_of` gives the
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
        """A call is done or refused as a whole; after a refusal no more are sent for its list."""
        was = self._lists.get(part.address, {})
        before = self._before.setdefault(part.address, {})
        after: dict[str, set[str]] = {}
        for name in was.keys() | wanted.keys():
            before.setdefault(name, len(self._held[name]))
            old, new = was.get(name, set()), wanted.get(name, set())
            after[name] = (self._held[name] | (new - old)) - (old - new)
        gains = (name for name in after if after[name] - self._held[name])
        over = {name: len(after[name]) for name in gains if self._exceeds(name, len(after[name]))}
        if over:
            self._refused[part.address] = over
            return
        self._lists[part.address] = wanted
        self._held |= after

    def _exceeds(self, license_: str, people: int) -> bool:
        return people > (self._limit(license_) or people)

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
    """Who holds what by one list."""
    by_license: dict[str, set[str]] = defaultdict(set)
    for person, license_ in KINDS[address.kind].impact.holders(form):
        name = str(license_["$ref"] if isinstance(license_, dict) else license_)
        people = by_license[name]
        if (known := named(person)) is not None:
            people.add(known)
    return by_license
