"""The results of an apply: an outcome for each resource and each person, calls, and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from ...errors import LmssyncError, NotHandedIn
from ...learners.operations.operation_kinds import Ended
from ...learners.people import People
from ...planning.diff import FieldChange
from ...planning.plan import ApprovedChange
from ...platform.client import JobEnd
from ...resource import Address, Place
from ...state import ReleaseRecord, Store


class ApplyOutcome(StrEnum):
    """Outcomes; a plan uses the imperative."""

    CREATED = "created"
    UPDATED = "updated"
    ADOPTED = "adopted"
    MOVED = "moved"
    FORGOTTEN = "forgotten"
    FAILED = "failed"
    BLOCKED = "blocked"
    """Something must be decided first, as the plan says."""
    SKIPPED = "skipped"
    """Something it needs failed, or the run was stopped."""
    UNKNOWN = "unknown"
    MANUAL = "manual"


DONE = frozenset(
    {
        ApplyOutcome.CREATED,
        ApplyOutcome.UPDATED,
        ApplyOutcome.ADOPTED,
        ApplyOutcome.MOVED,
        ApplyOutcome.FORGOTTEN,
    }
)
NO_TURN = "the run ended before its turn"
UNDONE = frozenset(
    {ApplyOutcome.FAILED, ApplyOutcome.BLOCKED, ApplyOutcome.SKIPPED, ApplyOutcome.UNKNOWN}
)


class PersonOutcome(NamedTuple):
    """The outcome for one person of a list."""

    address: Address
    code: str
    ended: Ended
    reason: str = ""


class PersonLine(NamedTuple):
    """The outcome for one person, with their name, for whoever has the list."""

    address: Address
    place: Place | None
    """Nothing for whom no list names any more."""
    person: str
    """The first of their identifiers; a code where this machine does not know it."""
    ended: Ended
    reason: str


class Spent(NamedTuple):
    """The calls and the time of carrying out a plan, without the reads that were made for it."""

    calls: Mapping[str, int]
    """Requests that were sent, by route; one that had to be repeated counts each time."""
    seconds: float


class Recovered(NamedTuple):
    """How many calls of an earlier run were open, by what was found out about them."""

    done: int = 0
    """All that they were to do was found, and is recorded now."""
    left: int = 0
    """They were not done, or not wholly, or may be repeated: the plan does the rest."""
    undecided: int = 0
    """Nothing shows yet what they did."""


@dataclass(slots=True)
class Report:
    """The end of an apply, resource by resource."""

    done: dict[Address, ApplyOutcome] = field(default_factory=dict)
    because: dict[Address, str] = field(default_factory=dict)
    partly: dict[Address, str] = field(default_factory=dict)
    """What is still to be done for resources that were made or changed, and why."""
    undecided_fields: dict[Address, str] = field(default_factory=dict)
    """Fields that wait for a decision, of things whose other fields do not, and why."""
    unsettled: set[Address] = field(default_factory=set)
    """The addresses in `partly` for which a later call has no known outcome."""
    unreached: dict[Address, Sequence[FieldChange]] = field(default_factory=dict)
    """The planned fields that are not as planned yet, of changes that are not done whole."""
    calls: Mapping[str, int] = field(default_factory=dict)
    """Requests that were sent, by route, reads for planning included."""
    spent: Spent | None = None
    """Of these, what the plan itself took; None where nothing was to be sent."""
    jobs: list[JobEnd] = field(default_factory=list)
    recovered: Recovered = field(default_factory=Recovered)
    """The outcome of calls that an earlier run had left open: they were looked for before
    planning."""
    declined: bool = False
    """The plan was shown and not approved."""
    forbidden: set[Address] = field(default_factory=set)
    """The resources that a guard blocks, or that need one that is blocked."""
    interrupted: bool = False
    """Somebody asked the run to stop before its plan was done."""
    error: LmssyncError | None = None
    """The error that stopped the run, if one did."""
    unread: set[Address] = field(default_factory=set)
    """The created resources that no read has shown yet: their ids are read when they are needed."""
    shown: set[Address] = field(default_factory=set)
    """The created resources that a read of this run has shown."""
    approved: Sequence[ApprovedChange] = ()
    """Changes whose guard approvals have released, as the code host has said at the apply."""
    release: ReleaseRecord | None = None
    """Where the release that the plan applies has come to."""
    people: list[PersonLine] = field(default_factory=list)
    """The outcome for everybody in the lists, where somebody wants to know."""

    def note(self, address: Address, done: ApplyOutcome, because: str = "") -> None:
        self.done[address] = done
        if because:
            self.because[address] = because

    def leave_for_person(self, address: Address, what: str) -> None:
        """Notes what is still to be done for a resource that otherwise succeeds."""
        known = self.partly.get(address, "")
        self.partly[address] = f"{known}; {what}" if known and what not in known else known or what

    def note_shortfall(self, address: Address, done: ApplyOutcome, because: str) -> None:
        """Notes that a call was not done; what this run has done before is done all the same."""
        if self.done.get(address) not in DONE:
            self.note(address, done, because)
            return
        self.leave_for_person(address, because)
        if done is ApplyOutcome.UNKNOWN:
            self.unsettled.add(address)

    def stop_with(self, error: LmssyncError) -> None:
        """Notes what stopped the run; errors that follow from that are not reported."""
        self.error = self.error or error

    def name_people(self, people: People) -> None:
        """Puts file and line in the place of the codes of people."""
        self.because = {a: people.with_places(why, a) for a, why in self.because.items()}
        self.partly = {a: people.with_places(why, a) for a, why in self.partly.items()}
        self.undecided_fields = {
            a: people.with_places(why, a) for a, why in self.undecided_fields.items()
        }
        self.jobs = [job._replace(message=people.with_places(job.message)) for job in self.jobs]
        if self.error:
            self.error.message = people.with_places(self.error.message)

    @property
    def summary(self) -> dict[str, int]:
        counts = {done.value: 0 for done in ApplyOutcome}
        for done in self.done.values():
            counts[done] += 1
        return counts

    def with_outcome(self, *wanted: ApplyOutcome) -> list[tuple[Address, str]]:
        """Addresses with this outcome, with the reason, in their order."""
        return sorted(
            (a, self.because.get(a, "")) for a, done in self.done.items() if done in wanted
        )

    @property
    def complete(self) -> bool:
        """True if the whole plan was tried."""
        stopped = self.error is not None and not isinstance(self.error, NotHandedIn)
        return not self.interrupted and not stopped

    @property
    def forbidden_all(self) -> bool:
        """True if guards forbid everything that the plan would have done."""
        wanted = {a for a, done in self.done.items() if done is not ApplyOutcome.MANUAL}
        return bool(wanted) and wanted == self.forbidden and not self.undecided_fields

    def has_failed(self, address: Address) -> bool:
        """True if a call about it was not done, or not all of it."""
        return self.done.get(address) in UNDONE or address in self.partly

    @property
    def fell_short(self) -> bool:
        """True if something was not done, or not all of it."""
        return bool(self.partly or self.undecided_fields) or not UNDONE.isdisjoint(
            self.done.values()
        )

    def list_recorded_ids(self, store: Store) -> Mapping[Address, Mapping[str, str]]:
        """The ids of everything that was done, as they are recorded now."""
        # One at a time: the records of all would fill the memory.
        records = filter(None, map(store.find_record, self.done))
        return {one.address: own for one in records if (own := one.known_ids.own)}


class ApplyProgress(Protocol):
    """Gets reports while a run goes on; must not raise."""

    def begin(self, steps: int) -> None: ...
    def step(
        self, number: int, route: str, resources: Sequence[Address], waits: float = 0.0
    ) -> None:
        """A call about these is about to be sent; limits make the last call wait so many seconds at
        least."""

    def done(self, address: Address, outcome: ApplyOutcome) -> None:
        """The outcome of a resource so far."""

    def reading(self, done: int, total: int) -> None: ...
    def note(self, text: str) -> None: ...
