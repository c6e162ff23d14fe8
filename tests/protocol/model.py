"""The protocol of docs/architecture.md, "Never twice", as a model that can be explored whole.

Some runs want the same thing to exist. They share a log, and each step of each run may be followed
by any step of another: a run that is not chosen for a while is one that was paused. The platform
carries out a request later or never, an answer may be lost, a run may be killed, and time may pass
until the lease of a run is over. Each rule can be left out, to see what it is for.
"""

from collections import deque
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple


class Rule(StrEnum):
    """What keeps a thing from being made twice."""

    COMPARE_AND_SWAP = "an entry is appended only to the log that its writer has read"
    INTENT_FIRST = "a call is announced in the log before it is sent"
    IN_TIME = "a call is sent only while the lease covers the time that it may take"
    LANDING = "a missing thing counts only once the call for it can no longer land"
    LOOK = "after a lost answer the thing is looked for, and the call is not sent again"


class Entry(NamedTuple):
    """A line of the log."""

    what: str
    """lease, release, intent, made or absent."""
    run: int
    op: int = 0


class Run(NamedTuple):
    """One run, and what it knows."""

    at: str = "idle"
    read: int = 0
    """How much of the log it has read."""
    op: int = 0
    """The call that it makes, or looks for."""
    in_time: bool = True
    """By its own clock, its lease is not over."""


class World(NamedTuple):
    """Everything at one moment."""

    runs: tuple[Run, ...]
    log: tuple[Entry, ...] = ()
    flying: frozenset[int] = frozenset()
    """Calls that were sent, and that the platform may still carry out."""
    made: tuple[int, ...] = ()
    """The call of each thing that exists."""
    sent: int = 0
    kills: int = 0
    lost: int = 0
    expired: int = 0

    def run(self, number: int, **changes: object) -> "World":
        runs = list(self.runs)
        runs[number] = runs[number]._replace(**changes)
        return self._replace(runs=tuple(runs))

    def append(self, number: int, what: str, then: str, rules: frozenset[Rule]) -> "World":
        """What comes of appending: the next step, or a run that was overtaken and ends."""
        run = self.runs[number]
        if run.read != len(self.log) and Rule.COMPARE_AND_SWAP in rules:
            return self.run(number, at="over")
        after = self._replace(log=(*self.log, Entry(what, number, run.op)))
        return after.run(number, at=then, read=len(after.log))


class Limits(NamedTuple):
    """How much goes wrong."""

    kills: int = 1
    lost: int = 1
    takeovers: int = 1


LIMITS = Limits()

Steps = Iterator[tuple[str, World]]


def holder(log: tuple[Entry, ...]) -> int | None:
    """The run whose lease was neither given back nor taken over."""
    for entry in reversed(log):
        if entry.what in {"lease", "release", "expired"}:
            return entry.run if entry.what == "lease" else None
    return None


def open_call(log: tuple[Entry, ...]) -> int:
    """The call of which the log does not say what came of it; zero if there is none."""
    closed = {entry.op for entry in log if entry.what in {"made", "absent"}}
    return next((e.op for e in log if e.what == "intent" and e.op not in closed), 0)


def steps(world: World, rules: frozenset[Rule], limits: Limits) -> Steps:
    """Everything that can happen next, in words."""
    for number, run in enumerate(world.runs):
        for what, after in _of_run(world, number, run, rules):
            yield f"run {number} {what}", after
        if run.at not in {"over", "idle"} and world.kills < limits.kills:
            yield (
                f"run {number} is killed",
                world._replace(kills=world.kills + 1).run(number, at="over"),
            )
    yield from _of_platform(world, limits)
    yield from _of_time(world, rules, limits)


def _of_platform(world: World, limits: Limits) -> Steps:
    for op in sorted(world.flying):
        landed = world._replace(flying=world.flying - {op}, made=(*world.made, op))
        for number, run in enumerate(world.runs):
            if run.op == op and run.at == "waits":
                yield f"call {op} lands, run {number} hears of it", landed.run(number, at="made")
        if world.lost < limits.lost:
            gone = world._replace(lost=world.lost + 1, flying=world.flying - {op})
            yield f"call {op} never arrives", gone
        yield f"call {op} lands, its answer is lost", landed


def _of_time(world: World, rules: frozenset[Rule], limits: Limits) -> Steps:
    """The lease of a run ends. All that was sent in time has landed by then, or never will."""
    run = holder(world.log)
    landing = bool(world.flying) and Rule.LANDING in rules
    if run is not None and world.expired < limits.takeovers and not landing:
        log = (*world.log, Entry("expired", run))
        reading = [r._replace(read=r.read + (r.read == len(world.log))) for r in world.runs]
        passed = world._replace(log=log, runs=tuple(reading), expired=world.expired + 1)
        yield f"the lease of run {run} is over", passed.run(run, in_time=False)


def _of_run(world: World, number: int, run: Run, rules: frozenset[Rule]) -> Steps:
    if run.at in _STEPS:
        yield from _STEPS[run.at](world, number, run, rules)
    elif run.at in _APPENDS:
        what, entry, then = _APPENDS[run.at]
        yield what, world.append(number, entry, then, rules)


_APPENDS = {
    "leases": ("takes the lease", "lease", "begins"),
    "made": ("records it", "made", "ends"),
    "absent": ("records that it is not there", "absent", "intends"),
    "ends": ("gives the lease back", "release", "over"),
}
"""What is done in each place, the entry that it appends, and the place after it."""


def _idle(world: World, number: int, _run: Run, _rules: frozenset[Rule]) -> Steps:
    if holder(world.log) is None:
        yield "has read the log", world.run(number, at="leases", read=len(world.log))


def _begins(world: World, number: int, run: Run, _rules: frozenset[Rule]) -> Steps:
    """By what it has read of the log: nothing to do, a call to look for, or one to make."""
    known = world.log[: run.read]
    if any(entry.what == "made" for entry in known):
        yield "finds it recorded", world.run(number, at="ends")
    elif op := open_call(known):
        yield f"finds call {op} open", world.run(number, at="looks", op=op)
    else:
        yield "finds nothing", world.run(number, at="intends")


def _sends(world: World, number: int, run: Run, rules: frozenset[Rule]) -> Steps:
    if run.in_time or Rule.IN_TIME not in rules:
        sent = world._replace(flying=world.flying | {run.op})
        yield f"sends call {run.op}", sent.run(number, at="waits")
    else:
        yield "is too late to send", world.run(number, at="over")


def _intends(world: World, number: int, _run: Run, rules: frozenset[Rule]) -> Steps:
    planned = world.run(number, op=world.sent + 1)._replace(sent=world.sent + 1)
    if Rule.INTENT_FIRST in rules:
        yield "announces a call", planned.append(number, "intent", "sends", rules)
    else:
        yield "makes up a call", planned.run(number, at="sends")


def _waits(world: World, number: int, run: Run, rules: frozenset[Rule]) -> Steps:
    if run.op not in world.flying or Rule.LANDING not in rules:
        yield "hears nothing", world.run(number, at="looks" if Rule.LOOK in rules else "sends")


def _looks(world: World, number: int, run: Run, _rules: frozenset[Rule]) -> Steps:
    yield "looks for it", world.run(number, at="made" if run.op in world.made else "absent")


_STEPS = {
    "idle": _idle,
    "begins": _begins,
    "intends": _intends,
    "sends": _sends,
    "waits": _waits,
    "looks": _looks,
}


class Search(NamedTuple):
    """What was found by going through every world that can come about."""

    worlds: int
    """How many different ones there were."""
    way: tuple[str, ...]
    """The shortest way to a wrong one; empty if there is none."""


def search(
    wrong: Callable[[World, bool], bool],
    *,
    runs: int = 2,
    rules: frozenset[Rule] = frozenset(Rule),
    limits: Limits = LIMITS,
) -> Search:
    """Goes through all worlds, nearest first, until one is `wrong`.

    That is asked of each world, with whether nothing can follow it.
    """
    start = World((Run(),) * runs)
    came: dict[World, tuple[World, str] | None] = {start: None}
    queue = deque([start])
    while queue:
        world = queue.popleft()
        following = list(steps(world, rules, limits))
        if wrong(world, not following):
            return Search(len(came), tuple(_way(world, came))[::-1])
        for what, after in following:
            if after not in came:
                came[after] = world, what
                queue.append(after)
    return Search(len(came), ())


def _way(world: World, came: dict[World, tuple[World, str] | None]) -> Iterator[str]:
    while before := came[world]:
        world, what = before
        yield what


def twice(world: World, _last: bool) -> bool:
    """A thing was made a second time."""
    return len(world.made) > 1


def forgotten(world: World, last: bool) -> bool:
    """Nothing more happens, something was made, and the log neither has it nor a call for it."""
    recorded = any(entry.what == "made" for entry in world.log)
    return last and bool(world.made) and not recorded and not open_call(world.log)
