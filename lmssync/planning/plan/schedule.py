"""Puts parts into as few calls as possible, each after everything that it needs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import accumulate
from typing import NamedTuple

from ...kind import CallPart
from ...kinds import KINDS
from ...resource import Address
from ...vocabulary.routes import ROUTES
from .plan import Step

WEIGHT_LIMIT = 8 * 1024 * 1024
"""Bytes of one call: the platform states no limit, and none takes bodies without one."""


_SIGNS = Address("", "signs")
"""Stands for everything whose making shows whether the state knows what the platform has."""


class Work(NamedTuple):
    """The parts of one resource, one after the other, and what must be done first."""

    address: Address
    parts: Sequence[CallPart]
    after: frozenset[Address] = frozenset()
    follows: bool = False
    """The second part of work that was put off: it comes after the first part."""
    turns: Sequence[int] = ()
    """In a release, the turn of each part."""


def schedule_parts(works: Iterable[Work]) -> list[Step]:
    """Steps in the order of their phases; parts of a phase and route travel together."""
    works = list(works)
    phases: dict[int, list[CallPart]] = {}
    starts = _share_calls(works, _earliest_phases(works))
    ends = (start + len(work.parts) for work, start in zip(works, starts, strict=True))
    length = max(ends, default=0)  # all phases of a turn come before those of the next
    for work, start, turns in zip(works, starts, _settle_turns(works), strict=True):
        for phase, (part, turn) in enumerate(zip(work.parts, turns, strict=True), start):
            phases.setdefault(turn * length + phase, []).append(part)
    return [step for phase in sorted(phases) for step in _steps_of_phase(phase, phases[phase])]


def _earliest_phases(works: Sequence[Work]) -> list[int]:
    """The first phase in which each work can start."""
    # Of a large plan little is waited for, and no room is needed for the rest.
    waited = {a for work in works for a in (*work.after, *[work.address] * work.follows)}
    lengths = {
        work.address: max(1, len(work.parts))
        for work in works
        if work.address in waited and not work.follows
    }
    # A length of nothing: what waits for the signs begins in the phase after them, not one later.
    starts = _start_phases(_signs_first(works), {**lengths, _SIGNS: 0})

    def start_of(work: Work) -> int:
        if not work.follows:
            return starts.get(work.address, 0)
        return max(starts.get(a, 0) + lengths.get(a, 0) for a in (*work.after, work.address))

    return list(map(start_of, works))


def _signs_first(works: Sequence[Work]) -> Iterator[Work]:
    """The works, with everything that no read shows after all that has a mark."""
    creates = [work for work in works if work.parts and work.parts[0].creates]
    hidden = {work.address for work in creates if KINDS[work.address.kind].reads.unlisted}
    # If the platform refuses a mark as taken, the state is older than the platform: then nothing
    # may have been made that no read can find again.
    marked = (
        work.address
        for work in (creates if hidden else ())
        if KINDS[work.address.kind].calls.marker_unique
        and work.parts[0].marker
        and not work.after & hidden
    )
    yield Work(_SIGNS, (), frozenset(marked) - hidden)
    for work in works:
        waits = work.address in hidden and not work.follows
        yield work._replace(after=work.after | {_SIGNS}) if waits else work


def _settle_turns(works: Sequence[Work]) -> Iterable[Sequence[int]]:
    if not any(work.turns for work in works):
        return ([0] * len(work.parts) for work in works)
    # Signs count here as well: what no read shows is made after them, whoever may see it.
    ordered = [*_signs_first(works)]
    first = {work.address: work for work in ordered if not work.follows}
    needs = {address: work.after & first.keys() for address, work in first.items()}
    reached: dict[Address, int] = {}
    for address in TopologicalSorter(needs).static_order():
        earliest = max((reached[one] for one in needs[address]), default=0)
        reached[address] = max((earliest, *first[address].turns))
    settled = []
    for work in ordered[1:]:  # the first one stands for the signs
        needed = (*work.after, work.address) if work.follows else work.after
        # No turn is before that of an earlier part, or of what the work needs.
        earliest = max((reached.get(address, 0) for address in needed), default=0)
        settled.append([*accumulate(work.turns, max, initial=earliest)][1:])
    return settled


def _share_calls(works: Sequence[Work], starts: Sequence[int]) -> list[int]:
    """Delays work that nothing else waits for, so that it shares calls with others of its route."""
    needed = {address for work in works for address in work.after}
    waits = [
        start > 0 and len(work.parts) == 1 and (work.follows or work.address not in needed)
        for work, start in zip(works, starts, strict=True)
    ]
    # Calls are throttled by route, so one full call later costs less than two half-empty ones.
    latest: dict[str, int] = {}
    for work, start, wait in zip(works, starts, waits, strict=True):
        if wait:
            route = work.parts[0].route
            latest[route] = max(start, latest.get(route, 0))
    return [
        latest[work.parts[0].route] if wait else start
        for work, start, wait in zip(works, starts, waits, strict=True)
    ]


def _start_phases(works: Iterable[Work], lengths: Mapping[Address, int]) -> dict[Address, int]:
    """The first phase of what waits for other work."""
    # Most things wait for nothing, begin at once, and are left out.
    needs = {
        work.address: needed
        for work in works
        if not work.follows and (needed := work.after & lengths.keys())
    }
    starts: dict[Address, int] = {}
    for address in TopologicalSorter(needs).static_order():
        ends = (starts[n] + lengths[n] for n in needs.get(address, ()))
        starts[address] = max(ends, default=0)
    return starts


def _steps_of_phase(phase: int, parts: Sequence[CallPart]) -> list[Step]:
    by_route: dict[str, list[CallPart]] = {}
    for part in sorted(parts, key=lambda part: part.rank):
        by_route.setdefault(part.route, []).append(part)
    return [
        Step(phase, tuple(group))
        for route in ROUTES
        if route in by_route
        for twins in _group_by_looks(by_route[route])
        for group in _fill_groups(route, twins)
    ]


def _group_by_looks(parts: Sequence[CallPart]) -> list[list[CallPart]]:
    """Groups parts so that no two with the same look share a call: only a read tells them apart."""
    rounds: list[list[CallPart]] = []
    times: Counter[int] = Counter()
    for part in parts:
        # Round by round: the second of two twins goes into the second call, the third into the
        # third.
        turn = times[part.look] if part.look else 0
        times[part.look] += 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append(part)
    return rounds


def _fill_groups(route: str, parts: Sequence[CallPart]) -> list[list[CallPart]]:
    """The parts in as few groups as the limits allow; alone where a route takes no batch."""
    batch = ROUTES[route].batch
    groups: list[list[CallPart]] = []
    room = left = 0
    for part in parts:
        alone = batch is None or _travels_alone(part)
        if alone or part.size > room or part.weight > left:
            groups.append([])
            room, left = batch.limit if batch else 0, WEIGHT_LIMIT
        groups[-1].append(part)
        room, left = 0 if alone else room - part.size, left - part.weight
    return groups


def _travels_alone(part: CallPart) -> bool:
    """True for what its kind sends alone, and for a create without the mark it could carry."""
    kind = KINDS[part.address.kind]
    # Whether a refused batch did nothing at all is not evidenced (O16): without a mark nothing
    # would keep the part of it that was done from being made again.
    unmarked = part.creates and part.marker is None and bool(kind.calls.marker_setting)
    return kind.calls.unbatched or unmarked


def calls_least(sizes: Mapping[str, int]) -> int:
    """The fewest calls in which so many entries could travel, if nothing needed to wait."""
    total = 0
    for route, size in sizes.items():
        batch = ROUTES[route].batch
        # A division that rounds up.
        total += -(-size // batch.limit) if batch else size
    return total
