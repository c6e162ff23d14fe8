"""The session of an apply: the state, the platform and the ids that all of its parts share."""

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from threading import Event
from types import FrameType
from typing import Any

from ...kind import CallPart, Ids, ReadRequest
from ...kinds import KINDS
from ...learners.people import People
from ...planning.plan import Step
from ...platform.client import Reader, SendTurn, Writer, send_within
from ...platform.live import Binder, IdsByName, KeptAnswers, LookupQuery, ResourceFinder, id_of_name
from ...resource import Address, fingerprint_of
from ...state import JoinedIds, JournaledCall, Proof, Record, Store, UnpairedIds
from ...vocabulary.routes import CORE_ROUTES
from .result import ApplyProgress, Report, Spent
from .step_scheduler import StepScheduler

MINUTE = 60.0
"""Seconds that reading back may take in a run, by default."""


@dataclass
class ReadBackLimit:
    """How much of what the calls of a run have made is read back at once (`platform.verify`).

    By default that is what makes nothing wait: the calls that are free in the windows of the
    platform which the run takes anyway, and no more than fit into one minute by the time that an
    answer takes. A small catalog is read back wholly. Of a large one the rest is read when
    something needs it, so an apply does not wait for hours. What is uncertain is read in any case.
    """

    percent: int | None = None
    """The share of each call; None for what makes nothing wait."""
    needed: Mapping[str, int] = field(default_factory=dict)
    """The calls that the run has to send in any case, by route: since it began."""
    before: Mapping[str, int] = field(default_factory=dict)
    """The calls that had ended before it began."""
    _counted: Counter[str] = field(default_factory=Counter)

    def count_now(self, reader: Reader, route: str, number: int) -> int:
        """Of so many things that a call has made, how many are read back now by a route; they count
        as read."""
        if self.percent is not None:
            return -(-number * self.percent // 100)
        # What is counted here and not read yet has its place in the windows as well, as has what
        # is under way.
        ended = reader.count_ended()
        left = Counter(self.needed) + Counter(self.before) + self._counted - ended
        fits = reader.calls_within(MINUTE) - self._counted.total()
        waiting = left.pop(route, 0)
        free = reader.calls_beside(route, left) - waiting
        now = max(0, int(min(number, fits, free)))
        self._counted[route] += now
        return now


class StopRequest:
    """True once somebody has asked the run to stop."""

    def __init__(self) -> None:
        self.asked = False

    def ask(self, _signal: int, _frame: FrameType | None) -> None:
        if self.asked:  # a second time: at once; the journal is already sufficient
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def catch_stop_signals() -> Iterator[StopRequest]:
    """Catches Ctrl-C and SIGTERM for the length of a run; only a main thread can.

    After the first one nothing new starts, the current call ends, and the journal stays intact.

    In another thread, as in a web service, they belong to the program around the run. A block
    around this one learns at the end of this one that somebody has asked.
    """
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
            # Runs inside runs, as those of `watch`: the inner block has caught the signal that was
            # meant for both.
            around = getattr(handler, "__self__", None)
            if isinstance(around, StopRequest):
                around.asked = around.asked or stop.asked


@dataclass
class ApplySession:
    """One run of apply against one instance."""

    store: Store
    writer: Writer
    names: IdsByName
    progress: ApplyProgress
    people: People
    routes: Set[str] = CORE_ROUTES
    """The routes that the instance has."""
    plan: str = ""
    """Digest of the plan that is applied."""
    commit: str = ""
    stop: StopRequest = field(default_factory=StopRequest)
    report: Report = field(default_factory=Report)
    planned: dict[Address, bool] = field(default_factory=dict)
    """Addresses in the plan, of kinds whose names the platform is asked for, and whether each is
    managed afterwards."""
    below: Mapping[Address, Sequence[Address]] = field(default_factory=dict)
    """What the plan creates in other resources, by the address of each of these."""
    deleting: Mapping[Address, Set[str]] = field(default_factory=dict)
    """Paths of the parts that the plan asks somebody to delete."""
    left: dict[Address, str] = field(default_factory=dict)
    """What is still to be done for resources that were done only partly."""
    made: set[Address] = field(default_factory=set)
    """The resources that this run has created: nobody else can have added anything to them
    before."""
    allowed: frozenset[Address] = frozenset()
    """The addresses that `--allow` names."""
    sign: str = ""
    """Signs that this run has met that the platform knows more than the state."""
    fresh: bool = False
    """The state was empty: if the platform has our resources, the state was lost."""
    receipt: bool = False
    """Whether it is wanted what becomes of each person."""
    tried: set[Address] = field(default_factory=set)
    """The resources that this run has tried to make in a call that was refused."""
    proofs: list[Proof] = field(default_factory=list)
    """Proofs by the answers that show what was just made; the state does not have them yet."""
    rechecked: list[Proof] = field(default_factory=list)
    """Proofs of a look before the first write, which are later than the plan."""
    side: StepScheduler = field(default_factory=StepScheduler)
    """Performs several steps at once."""
    postpones: bool = True
    """Whether it may be read later which of the ids of a batch are whose: not once an answer was in
    another order than its request."""
    read_back: ReadBackLimit = field(default_factory=ReadBackLimit)
    """How much of what its calls have made is read back at once."""
    marks_shown: bool = False
    """A read of this run has shown the mark of something that a batch has made."""
    first_look: Event | None = None
    """Set when the step is done that reads whether marks are shown; None if no step does."""
    timeout: float = 60.0
    """Seconds to wait for a call."""
    before: Counter[str] = field(default_factory=Counter)
    """Requests that were sent before the plan began to be carried out."""
    began: float = field(default_factory=time.monotonic)
    kept: KeptAnswers | None = None
    """In a run that only records what it reads: the reads that have recognised something by all
    that they show, for the comparison that follows. There the answer to a read also serves the next
    read if that is the same."""
    creating: set[Address] = field(default_factory=set)
    """The resources without a record that calls have made whose outcome is being recorded."""
    _latest: tuple[str, Any] = ("", None)
    _sent_before: Set[Address] | None = None

    def ask_once(self, request: ReadRequest, ask: Callable[[], Any]) -> Any:
        """The answer to a request: that of the read before, if it was the same and is kept."""
        key = repr(request)
        if self.kept is None or self._latest[0] != key:
            self._latest = key, ask()
        return self._latest[1]

    def drop_answer(self) -> None:
        """Forgets an answer that has not shown what is looked for: the next read asks again."""
        self._latest = "", None

    def begin_plan(self) -> None:
        """From here on, what is sent belongs to the plan."""
        self.before, self.began = Counter(self.writer.calls), time.monotonic()

    def end_plan(self) -> None:
        """Reports what the plan has taken."""
        calls = Counter(self.writer.calls) - self.before
        self.report.spent = Spent(dict(sorted(calls.items())), time.monotonic() - self.began)

    def note(self, text: str) -> None:
        """Reports a line with people named by file and line."""
        self.progress.note(self.people.with_places(text))

    def turn(self, route: str) -> SendTurn:
        """Returns when a call of a route may be sent; from here on other steps may begin."""
        self.side.prepared()
        if turn := self.writer.turn_now(route):
            return turn
        with self.side.waiting():
            return self.writer.wait_for_turn(route)

    def await_first_look(self) -> bool:
        """Waits while another step reads whether marks are shown; false if that has shown that
        nothing can be read later."""
        while look := self.first_look:
            with self.side.waiting():
                self.side.aside(look.wait)
        return self.postpones

    def begin_first_look(self) -> None:
        """Lets other steps wait for what this one reads, if no mark was shown yet."""
        if not (self.marks_shown or self.first_look):
            self.first_look = Event()

    def end_first_look(self) -> None:
        """Lets the steps go on that wait for whether marks are shown."""
        if self.first_look:
            self.first_look.set()
            self.first_look = None

    def await_window(self, route: str) -> None:
        """Returns when a call of a route could be sent: what is looked at before has not aged."""
        if not self.writer.could_send(route):
            self.side.prepared()
            with self.side.waiting():
                self.writer.await_window(route)

    @property
    def prompt(self) -> float:
        """Seconds from the announcement of a call to its first byte, at most."""
        return send_within(shared=self.store.shared is not None)

    @property
    def reader(self) -> Reader:
        return self.writer

    @cached_property
    def binder(self) -> Binder:
        id_of = partial(id_of_name, self.names)
        return Binder(
            self._find_clear_ids, id_of, self.manages_address, self.people.find_identifier
        )

    def _find_clear_ids(self, address: Address) -> Ids | None:
        """The ids that are recorded so far; none where nobody can tell which ones they are."""
        return None if self.store.explain_unpaired(address) else self.recorded_ids(address)

    def looker(self) -> ResourceFinder:
        """Prepares to look at the platform as it is from now on."""
        return ResourceFinder(self.reader, self.binder, self.routes)

    def wanted_query(self, part: CallPart) -> LookupQuery:
        """The query for the resource that a part of a call should make."""
        opened = cache(lambda: part.after)
        return LookupQuery(part.address, opened, part.marker, self.recorded_ids(part.address))

    def manages_address(self, address: Address) -> bool:
        """True if the catalog manages it: it is in the plan, or recorded and not in the plan."""
        if address.kind not in KINDS:
            return False
        if address in self.planned:
            return self.planned[address]
        if self.is_recorded(address):
            return address not in self.store.forgotten_addresses()
        return self.store.others.find_ids(address) is not None

    def note_sign(self, sign: str) -> None:
        """Writes down a sign that the platform knows more than the state."""
        self.sign = sign
        self.store.note_doubt(sign)

    def sent_before(self) -> Set[Address]:
        """The addresses that an earlier call should have made, and did not, as somebody has
        said."""
        if self._sent_before is None:
            self._sent_before = self.store.dropped_addresses()
        return self._sent_before

    def taken_ids(self, kind: str, own: Set[str] = frozenset()) -> JoinedIds:
        """The ids that no resource of a kind can have whose `own` are some of them."""
        return self.store.ids_of(KINDS[kind].with_same_ids, own)

    def recorded_ids(self, address: Address) -> Ids | None:
        """The ids of a resource that are recorded so far."""
        return self.store.find_ids(address)

    def possible_ids(self, address: Address) -> set[str]:
        """The ids of a resource; of one that no read has shown yet, the remaining ids of its
        batch."""
        record = self.store.find_record(address)
        if record and record.unpaired:
            return {one.expected for one in self.store.list_batch(record.unpaired.batch)}
        return set(record.ids.own.values()) if record else set()

    def is_recorded(self, address: Address) -> bool:
        """True if it is recorded, whether a read has shown its ids or not."""
        return self.store.has_record(address)

    def make_record(self, call: JournaledCall, part: CallPart, ids: Ids | UnpairedIds) -> Record:
        """A part's record, now that its call is done."""
        is_new = part.address in self.creating
        before = None if is_new else self.store.find_record(part.address)
        leaves = KINDS[part.address.kind].calls.after_create if before is None else ()
        applied = {"plan": call.plan, "commit": call.commit, "leaves": leaves}
        # A lost call before this one may still change it: until then, that is no edit of others.
        applied["applied_at"] = max(
            self.writer.platform_time(), before.applied_at if before else ""
        )
        return Record.from_form(part.address, ids, part.packed_after, **applied)

    def record_without_call(self, address: Address, ids: Ids, packed: bytes) -> Record:
        """The record of something for which this run makes no call."""
        applied = {
            "plan": self.plan,
            "commit": self.commit,
            "applied_at": self.writer.platform_time(),
        }
        return Record.from_form(address, ids, packed, **applied)

    def new_call(self, step: Step, body: bytes, params: Mapping[str, str]) -> JournaledCall:
        """A new call, as the journal will know it, with the text of its body."""
        about = step.route, dict(params), step.parts, fingerprint_of(body), self.plan, self.commit
        # Rounded up: nobody may take a call for older than it is.
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1))
        return JournaledCall(new_op(), *about, started_at=now)


def new_op() -> str:
    """An id that sorts by time: milliseconds, then randomness."""
    return f"{time.time_ns() // 1_000_000:012x}-{os.urandom(8).hex()}"
