"""Counts the cost of a plan: the exact number of writes, a range of reads and why, and minutes
(spec 8)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ...kind import CallPart, ReadRequest
from ...kinds import KINDS, LOOKUPS
from ...platform.client import WORK, most_polls
from ...vocabulary.limits import STANDARD
from ...vocabulary.routes import CORE_ROUTES, ROUTES
from .plan import Action, Plan, Step
from .schedule import calls_least

PING, JOB = "ping", "job.read"
AGAIN = 2
"""How often a read-back is made where reads lag."""
_NODE = b'"$ref":"'
"""The beginning of the node of an id in the text of a body."""


class Read(NamedTuple):
    """A route that is read, the least and the most times."""

    route: str
    low: int
    high: int


def _list_reads(plan: Plan, added: "_AddedReads") -> Iterator[Read]:
    """Every read of an apply, without those made for planning and those that can be made later."""
    sent = _sent_parts(plan)
    yield Read(PING, 0, 1)
    yield from _list_lookups(plan, sent.names)
    yield from _before_saved(plan)
    yield from (Read(route, 0, 1) for route, _ in added.before)
    yield from (Read(route, 1, AGAIN) for _, (route, _) in added.after)
    yield from _compared_reads(plan)
    yield from _reordered_reads(plan)
    for step, left in zip(plan.steps, sent.left, strict=True):
        yield from _job_reads(step, left)


class _Sent(NamedTuple):
    """The names and ids in the bodies of a plan, each of which is fetched once."""

    names: dict[str, set[str]]
    """By kind, the names whose ids are sent."""
    left: list[int]
    """For each step, how many jobs its call leaves behind."""


def _sent_parts(plan: Plan) -> _Sent:
    sent = _Sent({}, [])
    for step in plan.steps:
        # For each of these fields that is given, and not null, the platform leaves a job behind.
        jobs = "|".join(KINDS[step.parts[0].address.kind].calls.job_fields).encode()
        sent.left.append(0)
        for part in step.parts:
            # Bodies are searched as text: parsing each of them would unpack the whole plan for an
            # estimate.
            text = part.spelled_body
            sent.left[-1] += len(re.findall(b'"(?:%s)":(?!null)' % jobs, text)) if jobs else 0
            for node in text.split(_NODE)[1:]:
                kind, _, name = node.partition(b'"')[0].decode().partition(".")
                if kind in LOOKUPS:
                    sent.names.setdefault(kind, set()).add(name)
    return sent


def _list_lookups(plan: Plan, named: Mapping[str, Iterable[str]]) -> Iterator[Read]:
    """The lookups of ids by name, unless the same run has planned and knows them."""
    here = {planned.address for planned in plan.changes}
    for kind, all_of_it in named.items():
        # A client may be in the catalog, with its id recorded: then no lookup is needed.
        names = [name for name in all_of_it if (kind, name) not in here]
        lookup = LOOKUPS[kind]
        pages = plan.planning.get(lookup.route, 1)
        if names and lookup.query:
            yield Read(lookup.route, 0, max(len(names), pages))
        elif names:
            yield Read(lookup.route, 0, pages)


def _before_saved(plan: Plan) -> Iterator[Read]:
    changed = sum(
        bool(i.fields) for i in (*plan.with_action(Action.UPDATE), *plan.with_action(Action.MOVE))
    )
    for route, number in plan.planning.items():
        # Apply looks again at what it changes, as planning did, which may have read all.
        again = min(number, changed) if plan.refresh else number
        if changed and route != PING:
            yield Read(route, 0, again)


class Added(NamedTuple):
    """Something that a step adds, and the read that shows it."""

    step: int
    part: CallPart
    reading: ReadRequest

    @property
    def asked(self) -> tuple[str, str]:
        """Route and object: one read may show several things that were added together."""
        return self.reading.route, str((self.reading.params, self.reading.query))

    @property
    def parents(self) -> set[str]:
        """The resources that must exist before the read can be made."""
        nodes = self.reading.params.values()
        return {node["$ref"] for node in nodes if isinstance(node, dict)}


def _added_parts(plan: Plan) -> Iterator[Added]:
    for number, step in enumerate(plan.steps):
        for part in (part for part in step.parts if part.adds):
            kind = KINDS[part.address.kind]
            reading = kind.reads.lookup_request(part, known=not part.creates)
            if reading:
                yield Added(number, part, reading)


class _AddedReads(NamedTuple):
    """The reads of what steps add; of each resource no more is kept than tells reads apart."""

    before: dict[tuple[str, str], set[str]]
    """Looks at what exists before something is added to it, once for each parent, with the
    resources that must exist."""
    after: set[tuple[int, tuple[str, str]]]
    """Reads by step, since an answer does not say which id belongs to what (O15, O16)."""
    later: Counter[tuple[int, str]]
    """How many of a step and a route can be made later as well (`platform.verify`)."""


def _find_added_reads(plan: Plan) -> _AddedReads:
    reads = _AddedReads({}, set(), Counter())
    for one in _added_parts(plan):
        kind, creates = KINDS[one.part.address.kind], one.part.creates
        # What the plan makes itself is still empty.
        if not (creates and str(one.part.address) in one.parents):
            reads.before[one.asked] = one.parents
        if not kind.calls.readback and creates:
            continue
        if creates and kind.reads.pair and kind.calls.marker_unique:
            reads.later[one.step, one.reading.route] += 1
        else:
            reads.after.add((one.step, one.asked))
    if any(reads.before.values()):
        new = {str(part.address) for part in plan.parts if part.creates}
        made = [asked for asked, parents in reads.before.items() if parents & new]
        for asked in made:
            del reads.before[asked]
    return reads


def _read_back(plan: Plan, later: Mapping[tuple[int, str], int], others: int) -> Iterator[Read]:
    """The reads that can be made later, where so many other calls are made at most."""
    for route in {route for _, route in later}:
        numbers = [number for (_, of), number in later.items() if of == route]
        if plan.verified_share:
            percent = int(plan.verified_share.removesuffix("%"))
            now = sum(-(-number * percent // 100) for number in numbers)
        else:
            # As many at once as make nothing wait, by the figures of the standard plan: no answer
            # has told of others.
            now = min(sum(numbers), STANDARD.per_minute - others)
        # One is read in any case, of the first call: it shows whether marks are kept. If an answer
        # is in another order, everything is read, and again what was read to find that out.
        yield Read(route, max(1, now), sum(numbers) + max(1, now))


def _compared_reads(plan: Plan) -> Iterator[Read]:
    """The reads that compare what calls of further routes have changed."""
    asked: set[tuple[str, str]] = set()
    for part in plan.parts:
        kind = KINDS[part.address.kind]
        fields = {name for name, route in kind.calls.further.items() if route == part.route}
        made = [
            r.request(part.address, part.after) for r in kind.reads.readings if r.proves & fields
        ]
        # The same read that planning has made, if it made one.
        made = [one for one in made if one.route in plan.planning][:1] or made
        asked |= {(one.route, str((one.params, one.query))) for one in made}
    yield from (Read(route, 0, AGAIN) for route, _ in asked)


def _reordered_reads(plan: Plan) -> Iterator[Read]:
    """Reads back what was put in another order."""
    sent = {part.address for part in plan.parts}  # what is blocked is not sent, so not read back
    for planned in (*plan.with_action(Action.UPDATE), *plan.with_action(Action.MOVE)):
        # An instance may accept an order and ignore it (O7).
        if any(field.path.endswith(".order") for field in planned.fields):
            low, readings = int(planned.address in sent), KINDS[planned.address.kind].reads.readings
            yield from (Read(r.route, low, 1) for r in readings if r.route in CORE_ROUTES)


def _job_reads(step: Step, left: int) -> Iterator[Read]:
    """Jobs that do the work of a call, and jobs that it leaves behind: both are followed."""
    kind = KINDS[step.parts[0].address.kind]
    if kind.calls.works_in_jobs(step.route):
        yield Read(JOB, 1, most_polls(len(step.parts), WORK))
    if kind.calls.job_fields:
        yield Read(JOB, 0, most_polls(left))


class Budget(NamedTuple):
    """The calls of an apply; those made for planning are counted separately."""

    writes: Mapping[str, int]
    """Calls by route: exactly these are sent, unless the platform refuses something."""
    least_reads: Mapping[str, int]
    most_reads: Mapping[str, int]
    fewest_writes: int
    """Minutes if every write were full and nothing had to wait for anything."""
    planning: Mapping[str, int]
    """Reads made to prepare the plan. An apply without a saved plan makes them again."""
    certain: Mapping[str, int]
    """The calls that are made however much is read back at once, by route."""

    @property
    def by_route(self) -> dict[str, int]:
        """The most calls of each route, without those made for planning."""
        calls = Counter(self.writes) + Counter(self.most_reads)
        return dict(sorted(calls.items()))

    @property
    def total(self) -> int:
        return sum(self.by_route.values())

    @property
    def fewest(self) -> int:
        """The fewest calls that may be sent."""
        return sum(self.writes.values()) + sum(self.least_reads.values())

    def range(self, route: str) -> tuple[int, int]:
        """The fewest and the most calls of a route."""
        writes = self.writes.get(route, 0)
        low, high = (reads.get(route, 0) for reads in (self.least_reads, self.most_reads))
        return writes + low, writes + high

    @property
    def follows_jobs(self) -> bool:
        """True if jobs are read while they run: how often depends on the platform."""
        low, high = self.range(JOB)
        return low < high

    def exclude_polls(self) -> "Budget":
        """The budget in which each job is read only as often as is sure."""
        sure = {JOB: self.least_reads.get(JOB, 0)} if self.follows_jobs else {}
        return self._replace(most_reads={**self.most_reads, **sure})

    @staticmethod
    def count_polls(calls: Mapping[str, int]) -> int:
        """How many of these calls, by route, have read a job."""
        return calls.get(JOB, 0)

    @property
    def least(self) -> int:
        return self.fewest_writes + sum(self.least_reads.values())

    @property
    def reads(self) -> tuple[int, int]:
        """The least and the most reads, without those made for planning."""
        return sum(self.least_reads.values()), sum(self.most_reads.values())

    @property
    def minutes(self) -> tuple[float, float]:
        """Minutes if only the tiers and route limits apply; if the account-wide figures do too."""
        low = _by_windows(Counter(self.writes) + Counter(self.least_reads))
        high = _by_windows(self.by_route)
        return low, max(low, high, _by_account(self.total))

    @property
    def is_bound_by_account(self) -> bool:
        """True if the longer time is that of the account-wide figures, not of a route."""
        return _by_account(self.total) > _by_windows(self.by_route)

    def seconds(self, latency: float, connections: int) -> tuple[float, float]:
        """The time in seconds, where a request takes `latency` to be answered, and so many may be
        under way at once."""
        short, long = (60 * minutes for minutes in self.minutes)
        return max(short, latency * self.fewest / connections), long + latency * self.total

    def document(self) -> dict[str, Any]:
        """The budget as `calls` of the JSON."""
        return {
            "total": self.total,
            "byRoute": self.by_route,
            "least": self.least,
            "minutes": list(self.minutes),
            "writes": sum(self.writes.values()),
            "reads": list(self.reads),
            "planning": sum(self.planning.values()),
            "planningByRoute": dict(sorted(self.planning.items())),
        }


@lru_cache(maxsize=1)
def plan_budget(plan: Plan) -> Budget:
    """The cost of a plan, before anything is sent."""
    if not plan.steps:
        return Budget({}, {}, {}, 0, plan.planning, {})
    writes = Counter(step.route for step in plan.steps)
    sizes: Counter[str] = Counter()
    for part in plan.parts:
        sizes[part.route] += part.size
    low: Counter[str] = Counter()
    high: Counter[str] = Counter()
    added = _find_added_reads(plan)
    for read in _list_reads(plan, added):
        low[read.route] += read.low
        high[read.route] += read.high
    certain = writes + low
    # How often a job is read, nobody knows; most of these reads are never made.
    others = (writes + high).total() - high[JOB] + sum(plan.planning.values())
    for read in _read_back(plan, added.later, others):
        low[read.route] += read.low
        high[read.route] += read.high
    return Budget(writes, low, high, calls_least(sizes), plan.planning, certain)


def _by_windows(by_route: Mapping[str, int]) -> float:
    """Minutes that the windows of tiers and routes make a run wait."""
    waits = [
        # The first window costs no wait; each further one costs its whole length.
        (calls - 1) // window.requests * window.seconds / 60
        for name, calls in by_route.items()
        for window in ROUTES[name].windows
    ]
    return max(waits, default=0.0)


def _by_account(total: int) -> float:
    """The minutes of a plan under the account-wide figures of the standard plan (spec 8)."""
    hours = (total - 1) // STANDARD.per_hour if total else 0
    rest = total - hours * STANDARD.per_hour
    return round(hours * 60 + rest / STANDARD.per_minute, 1)
