"""The reads that an apply makes besides its writes, and why: each reason is one function.

A reason yields a `Read` for each time that it asks. If the number cannot be known before, it yields
an upper bound: a read may lag behind a write (O31), and a job may take any time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...kind import CallPart, ReadRequest
from ...kinds import KINDS, LOOKUPS
from ...platform.client import WORK, most_polls
from ...vocabulary.routes import CORE_ROUTES
from .plan import Action, Plan, Step

PING, JOB = "ping", "job.read"
AGAIN = 2
"""How often a read-back is made where reads lag."""
_NODE = b'"$ref":"'
"""How a node for an id begins where a body is spelled."""


class Read(NamedTuple):
    """A route that is read, the least and the most times."""

    route: str
    low: int
    high: int


def list_reads(plan: Plan) -> Iterator[Read]:
    """Every read of an apply, without those made for planning; none if nothing is sent."""
    if not plan.steps:
        return
    sent = _sent_parts(plan)
    yield Read(PING, 1, 1)
    yield from _list_lookups(plan, sent.names)
    yield from _before_saved(plan)
    added = list(_added_parts(plan))
    yield from _before_adding(plan, added)
    yield from _read_back(added)
    yield from _compared_reads(plan)
    yield from _reordered_reads(plan)
    for step, left in zip(plan.steps, sent.left, strict=True):
        yield from _job_reads(step, left)


class _Sent(NamedTuple):
    """What the bodies of a plan hold, each of which is fetched once."""

    names: dict[str, set[str]]
    """By kind, the names whose ids are sent."""
    left: list[int]
    """For each step, how many jobs its call leaves behind."""


def _sent_parts(plan: Plan) -> _Sent:
    sent = _Sent({}, [])
    for step in plan.steps:
        text = b"".join([part.spelled_body for part in step.parts])
        sent.left.append(_left_by(step, text))
        for node in text.split(_NODE)[1:]:
            kind, _, name = node.partition(b'"')[0].decode().partition(".")
            if kind in LOOKUPS:
                sent.names.setdefault(kind, set()).add(name)
    return sent


def _left_by(step: Step, text: bytes) -> int:
    """How many fields of the bodies are given for which the platform leaves a job behind."""
    kind = KINDS[step.parts[0].address.kind]
    fields = (b'"%s":' % name.encode() for name in kind.calls.job_fields)
    return sum(text.count(f) - text.count(f + b"null") for f in fields if f in text)


def _list_lookups(plan: Plan, named: Mapping[str, Iterable[str]]) -> Iterator[Read]:
    """Looks up the ids of names when they are first sent: one list each, or one search per name.

    A client may be in the catalog, with its id recorded: then no lookup is needed.
    """
    here = {planned.address for planned in plan.changes}
    for kind, all_of_it in named.items():
        names = [name for name in all_of_it if (kind, name) not in here]
        lookup = LOOKUPS[kind]
        pages = plan.planning.get(lookup.route, 1)
        if names and lookup.query:
            yield Read(lookup.route, 0, max(len(names), pages))
        elif names:
            yield Read(lookup.route, 1, pages)


def _before_saved(plan: Plan) -> Iterator[Read]:
    """A saved plan looks again at what it changes, as planning did, which may have read all."""
    changed = sum(
        bool(i.fields) for i in (*plan.with_action(Action.UPDATE), *plan.with_action(Action.MOVE))
    )
    for route, number in plan.planning.items():
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


def _before_adding(plan: Plan, added: Iterable[Added]) -> Iterator[Read]:
    """Looks at what exists before something is added to it: once for each parent.

    A parent that the plan makes itself holds nothing yet.
    """
    new = {str(part.address) for part in plan.parts if part.creates}
    for route, _ in {one.asked for one in added if not one.parents & new}:
        yield Read(route, 0, 1)


def _read_back(added: Iterable[Added]) -> Iterator[Read]:
    """Reads what was added, since an answer does not say which id belongs to what (O15, O16)."""
    asked = {
        (one.step, one.asked)
        for one in added
        if KINDS[one.part.address.kind].calls.readback or not one.part.creates
    }
    yield from (Read(route, 1, AGAIN) for _, (route, _) in asked)


def _compared_reads(plan: Plan) -> Iterator[Read]:
    """Compares what calls of further routes have changed: with the read that planning has made."""
    asked: set[tuple[str, str]] = set()
    for part in plan.parts:
        kind = KINDS[part.address.kind]
        fields = {name for name, route in kind.calls.further.items() if route == part.route}
        made = [
            r.request(part.address, part.after) for r in kind.reads.readings if r.proves & fields
        ]
        made = [one for one in made if one.route in plan.planning][:1] or made
        asked |= {(one.route, str((one.params, one.query))) for one in made}
    yield from (Read(route, 0, AGAIN) for route, _ in asked)


def _reordered_reads(plan: Plan) -> Iterator[Read]:
    """Reads back what was put in another order, which an instance may accept and ignore (O7)."""
    for planned in (*plan.with_action(Action.UPDATE), *plan.with_action(Action.MOVE)):
        if any(field.path.endswith(".order") for field in planned.fields):
            readings = KINDS[planned.address.kind].reads.readings
            yield from (Read(r.route, 0, 1) for r in readings if r.route in CORE_ROUTES)


def _job_reads(step: Step, left: int) -> Iterator[Read]:
    """Jobs that do the work of a call, and jobs that it leaves behind: both are followed."""
    kind = KINDS[step.parts[0].address.kind]
    if kind.calls.works_in_jobs(step.route):
        yield Read(JOB, 1, most_polls(len(step.parts), WORK))
    if kind.calls.job_fields:
        yield Read(JOB, 0, most_polls(left))


def total_reads(made: Iterable[Read]) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The least and the most reads, by route."""
    low: Counter[str] = Counter()
    high: Counter[str] = Counter()
    for read in made:
        low[read.route] += read.low
        high[read.route] += read.high
    return low, high
