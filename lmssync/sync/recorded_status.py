"""Summarises the state of an environment from its records: nothing here asks the platform."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from ..kind import REMOVAL, ManualStep, form_title
from ..planning.verification_coverage import VerificationCoverage, sum_coverage
from ..resource import Address
from ..state import DriftFinding, JournaledCall, OpenStep, ProofTotals, ReleaseProgress, Store

_NAMED = 8
"""How many findings get titles: reports name no more."""


class Proofs(NamedTuple):
    """How old the proofs are of what is recorded."""

    current: int
    """Resources that were compared as they are recorded now."""
    never: int
    """Resources that were not compared, or not since their record has changed."""
    oldest: str | None
    median: str | None


class OpenRows(NamedTuple):
    """Rows of a list that were sent without a clear answer."""

    operation: str
    list: str
    """The name of its file, or nothing."""
    occasion: str
    rows: int
    since: str
    """When the first of them was sent."""


class AssignedStep(NamedTuple):
    """An open step for a person: who owns it, and which read may show that it is done."""

    address: Address
    manual: ManualStep
    since: str
    owner: str = ""
    """The person or team of APPROVERS; empty where no line is about it."""
    shown_by: str = ""
    """The route that shows it; empty where only a person can confirm it."""


FindOwner = Callable[[OpenStep], str]


def assign_steps(
    steps: Iterable[OpenStep], routes: Set[str], find_owner: FindOwner
) -> list[AssignedStep]:
    """The steps with their owners and reads, the oldest first; `routes` are of the instance."""
    assigned = [
        AssignedStep(one.address, one.manual, one.since, find_owner(one), find_proof(one, routes))
        for one in steps
    ]
    return sorted(assigned, key=lambda step: (step.since, step.address))


def find_proof(step: OpenStep, routes: Set[str]) -> str:
    """The route that shows whether a step is done; empty where no route of the instance does."""
    if step.lasting:  # without the kinds, which take long to load
        return ""
    from ..kinds import KINDS
    from ..platform.live import Certainty, available_readings, evidence_of_field

    kind = KINDS[step.address.kind]
    if kind.concealed:
        return ""
    if step.manual.field == REMOVAL:
        return next((reading.route for reading in available_readings(kind.reads, routes)), "")
    certainty, route = evidence_of_field(kind, step.manual.field, routes)
    return route if certainty is Certainty.PROVEN else ""


class SyncStatus(StrEnum):
    """Whether the platform was as it is recorded when it was last looked at."""

    IN_SYNC = "in sync"
    OUT_OF_SYNC = "out of sync"
    UNKNOWN = "unknown"


class Status(NamedTuple):
    """The content of the state in numbers."""

    instance: str | None
    serial: int
    managed: Mapping[str, int]
    """How many there are of each kind."""
    forgotten: Sequence[Address]
    """The resources that left the catalog and are still on the platform."""
    steps: Sequence[AssignedStep]
    waiting: Sequence[JournaledCall]
    """Calls whose outcome is not known, or not recorded."""
    open_rows: Sequence[OpenRows]
    proofs: Proofs
    truth: VerificationCoverage
    findings: Sequence[DriftFinding]
    """The findings of the last looks for drift."""
    titles: Mapping[Address, Mapping[str, str]]
    """The titles of resources with steps and of the first with findings, by no path, and those of
    their parts by paths."""
    uncompared: int
    """Resources that a route shows and that were not compared as they are recorded now."""
    unread: int
    """Resources that no read has shown since they were made."""
    releases: Sequence[ReleaseProgress] = ()
    """The releases that are not complete."""

    @property
    def sync(self) -> SyncStatus:
        if self.findings:
            return SyncStatus.OUT_OF_SYNC
        is_known = self.proofs.current and not self.uncompared
        return SyncStatus.IN_SYNC if is_known else SyncStatus.UNKNOWN


def read_status(store: Store, routes: Set[str], find_owner: FindOwner = lambda _step: "") -> Status:
    """Reads it from the state; `routes` are those of the instance."""
    recorded, findings = store.fingerprints(), store.list_findings()
    steps = assign_steps(store.open_steps(), routes, find_owner)
    totals = store.proof_totals()
    titled = [*(one.address for one in findings[:_NAMED]), *(step.address for step in steps)]
    return Status(
        store.instance,
        store.serial,
        dict(sorted(Counter(address.kind for address in recorded).items())),
        sorted(store.forgotten_addresses()),
        steps,
        store.open_calls(),
        _open_rows(store),
        _count_proofs(totals, recorded),
        sum_coverage(store, totals, {}, routes),
        findings,
        {address: _find_titles(store, address) for address in titled},
        _count_uncompared(totals, routes),
        store.count_unpaired(),
    )


def _find_titles(store: Store, address: Address) -> dict[str, str]:
    record = store.find_record(address)
    if record is None:
        return {}
    title = form_title(record.form)
    if title and not any(isinstance(value, list) for value in record.form.values()):
        return {"": title}  # without the kinds, which take half of the time to load
    from ..kinds import KINDS
    from ..planning.plan import list_part_titles

    title = KINDS[address.kind].authoring.title(record.form) or ""
    return {"": title, **dict(list_part_titles(record.form))}


def _count_uncompared(totals: ProofTotals, routes: Set[str]) -> int:
    if not totals.uncounted:  # without the kinds, which take half of the time to load
        return totals.unread
    from ..platform.live import readable_fields

    return totals.unread + sum(bool(readable_fields(a.kind, routes)) for a in totals.uncounted)


def _open_rows(store: Store) -> list[OpenRows]:
    """The rows that wait for an outcome, list by list, the oldest first."""
    lists = defaultdict[tuple[str, str, str], list[int]](list)
    for row in store.list_rows(only_open=True):
        lists[row.operation, row.list, row.occasion].append(row.at)
    return [OpenRows(*about, len(times), _spell_stamp(times[0])) for about, times in lists.items()]


def _spell_stamp(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _count_proofs(totals: ProofTotals, recorded: Mapping[Address, str]) -> Proofs:
    times = totals.times
    never = len(recorded) - len(times)
    if not times:
        return Proofs(0, never, None, None)
    return Proofs(len(times), never, times[0], times[len(times) // 2])
