"""drift: compares what is recorded with the platform, and lists what nobody manages.

What was not compared for longest is looked at first. It needs no manifest but to know which fields
are left to others, and it sends no write.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple, Protocol

from ...errors import BudgetSpent, PlatformError, WrongUse
from ...kind import Ids, Json, Reading, Roster
from ...kinds import KINDS
from ...planning import diff
from ...planning.diff import TOGETHER, Instance, ProofBuffer, RecordWindow
from ...planning.verification_coverage import sum_coverage
from ...platform import live
from ...platform.client import Reader
from ...platform.live import Binder, FetchedLists, ListedTime, LiveState, Unchanged
from ...problems import suggest_near
from ...resource import Address, Form, Resource
from ...state import Proof, Record, Store
from ...vocabulary.routes import CORE_ROUTES, LIST_TIMES
from .drift_findings import (
    Drifted as Drifted,
    DriftResult as DriftResult,
    LostHolding as LostHolding,
    Others as Others,
    PeopleComparison,
    find_drifted,
)
from .unmanaged_items import (
    Survey as Survey,
    Unmanaged as Unmanaged,
    list_unmanaged as list_unmanaged,
)

LISTS_AT_LEAST = 4
"""Calls that lists take however few resources they show: a ping, groups, tags and a search."""


class DriftProgress(Protocol):
    """Gets reports while a look goes on; must not raise."""

    def looking(self, done: int, total: int) -> None: ...


class DriftScope(NamedTuple):
    """How much is looked at."""

    patterns: Sequence[str] = ()
    """Patterns of addresses, one of which has to match; none means all."""
    budget: int | None = None
    """The most calls that are made."""
    everything: bool = False
    """Whether that is read as well which the times of lists show as unchanged."""

    def names_address(self, address: Address) -> bool:
        """Whether the look is about it."""
        patterns = self.patterns or ("*",)
        return any(fnmatchcase(str(address), pattern) for pattern in patterns)


def look_for_drift(
    store: Store,
    reader: Reader,
    routes: Set[str],
    progress: DriftProgress,
    scope: DriftScope = DriftScope(),  # noqa: B008 - it is frozen
    others: Others | None = None,
    *,
    list_desired: Callable[[], Iterable[Resource]] = tuple,
) -> DriftResult:
    """Reads what is recorded as far as it is wanted; `routes` are those of the instance, and
    `list_desired` gives what is in the catalog, where people attest that topics are filled.

    Raises `WrongUse` for a pattern that nothing matches.
    """
    reader.most = scope.budget
    live.allow_pairing(store, reader, routes)
    run = DriftLook(store, reader, routes, others or {}, scope.everything, list_desired)
    rest = run.look_through(run.order_by_age(_named_addresses(store, scope)), progress)
    proven = run.proofs.counts
    return DriftResult(
        sorted(run.findings),
        len(run.done),
        sorted(run.unseen),
        rest,
        sum(reader.asked.values()),
        sorted(run.people.unlisted),
        run.people.why,
        run.proofs,
        sum_coverage(store, store.proof_totals(proven), proven, routes),
        run.error,
        frozenset(run.done),
        sorted(run.unmoved),
        run.unmoved_fields,
        sorted(run.belied),
        store.read_pairs,
        sorted(run.unclear),
        store.count_unpaired(),
        run.found_parts,
        run.beyond,
    )


def _named_addresses(store: Store, scope: DriftScope) -> Iterator[Address]:
    recorded = store.fingerprints()
    for pattern in scope.patterns:
        if not any(fnmatchcase(str(address), pattern) for address in recorded):
            raise WrongUse(
                f"nothing is recorded that matches `{pattern}`",
                suggest_near(pattern, map(str, recorded)),
            )
    yield from filter(scope.names_address, recorded)


def _with_fewer_proven(proof: Proof, differing: int) -> Proof:
    """The proof without the fields that were read and are not as they are recorded."""
    counts = proof.counts
    return proof._replace(counts=counts._replace(proven=max(0, counts.proven - differing)))


@dataclass
class DriftLook:
    """One look, as far as it has come."""

    store: Store
    reader: Reader
    routes: Set[str]
    others: Others
    everything: bool
    list_desired: Callable[[], Iterable[Resource]]
    findings: list[Drifted] = field(default_factory=list)
    proofs: ProofBuffer = field(default_factory=ProofBuffer)
    unseen: list[Address] = field(default_factory=list)
    found_parts: dict[Address, tuple[Ids, Ids]] = field(default_factory=dict)
    """The recorded ids of resources, and those with parts that no read had shown before."""
    beyond: dict[Address, Sequence[str]] = field(default_factory=dict)
    """Parts that no manifest can describe."""
    unclear: list[Address] = field(default_factory=list)
    """Resources of which nobody can tell which ids they have."""
    done: set[Address] = field(default_factory=set)
    error: PlatformError | None = None
    times: dict[str | Address, ListedTime] = field(default_factory=dict)
    """What lists show of the times at which resources were last changed: of those that are read, by
    id."""
    lists: FetchedLists = field(default_factory=FetchedLists)
    """What lists have shown: nothing is looked for there twice."""
    unmoved: Mapping[Address, ListedTime] = field(default_factory=dict)
    """The times of the resources that are not read for that reason."""
    unmoved_fields: int = 0
    """How many fields of these an earlier read has proven."""
    belied: list[Address] = field(default_factory=list)
    """Resources that have changed while their time in the list did not."""

    def __post_init__(self) -> None:
        self.people = PeopleComparison(self.reader, self.store.codes.hash_text)
        self.window = RecordWindow(self.store)

    def order_by_age(self, addresses: Iterator[Address]) -> list[Address]:
        """The addresses, those first that were never compared as they are recorded now, then by
        time."""
        times = self.store.proof_times()
        # Empty sorts before every time, so what was never compared is first.
        return sorted(addresses, key=lambda address: (times.get(address, ""), address))

    def count_calls(self, address: Address) -> int:
        """How many calls it takes at most to read it."""
        return len(self._list_readings(address))

    def _list_readings(self, address: Address) -> list[Reading]:
        if only := live.find_only_reading(address.kind, self.routes):
            return [only]
        record = self.window.find_record(address)
        return list(live.choose_readings(record, self.routes)) if record else []

    def _expect_reads(self, addresses: Iterable[Address]) -> None:
        """Says which reads are sent in any case: so a wait can tell how long all of them take."""
        readings = chain.from_iterable(map(self._list_readings, addresses))
        # A list is read once for all.
        self.reader.expect_calls(Counter(one.route for one in readings if not one.listed))

    def look_through(
        self, addresses: Sequence[Address], progress: DriftProgress
    ) -> Sequence[Address]:
        """Looks at one after the other; returns those for which there were no calls left."""
        rest = addresses
        binder = live.Binder(self._find_ids, partial(live.id_of_name, live.IdsByName(self.reader)))
        instance = Instance(self.reader, binder, self.store, self.routes)
        try:
            if rest:
                self.reader.ping_platform()
                self._read_times(rest, instance)
            rest = [address for address in rest if address not in self.unmoved]
            if self.reader.most is None:
                self._expect_reads(rest)
            while some := self._next_addresses(rest):
                for number in self._look_at_batch(some, instance):
                    progress.looking(len(addresses) - len(rest) + number, len(addresses))
                rest = rest[len(some) :]
                # A resource has changed while its time in the list stayed the same: then the times
                # of this instance mean nothing, and whatever was skipped by them is read after all.
                if self.belied:
                    rest = [*rest, *self.unmoved]
                    self.times.update(self.unmoved.items())
                    self.unmoved, self.unmoved_fields = {}, 0
        except BudgetSpent:
            pass  # what is left is told
        except PlatformError as error:
            self.error = error
        return [*self.people.left, *self._list_unsettled(rest)]

    def _read_times(self, addresses: Sequence[Address], instance: Instance) -> None:
        """Asks the lists when resources were last changed, and leaves out what has not moved."""
        if LIST_TIMES not in self.routes:
            return
        most = self.reader.most
        # Half of the budget at most: the other half is for what has to be read.
        fit = None if most is None else max(0, most // 2 - LISTS_AT_LEAST) * live.IDS_PER_QUERY
        # What differed once is read until it differs no more, whatever its time says.
        drifted = {one.address for one in self.store.list_findings()}

        def find_usable(found: Mapping[Address, Record]) -> Mapping[Address, Proof]:
            return self.store.find_proofs([one for one in found if one not in drifted])

        listed = live.read_list_times(
            self.reader,
            instance.binder,
            addresses[:fit],
            self.routes,
            live.RecordedLooks(self.store.find_records, find_usable, self.store.find_bare_records),
            lists=self.lists,
            is_read=lambda time: self.everything or not time.unmoved,
        )
        times, unmoved, fields = dict[str | Address, ListedTime](), dict[Address, ListedTime](), 0
        equal = dict[ListedTime, ListedTime]()
        for address, time in listed:
            # What was made in one call has one time, and a proof has its own, so few are kept.
            known_at = "" if time.as_read else time.changed_at
            bare = time._replace(id="", proven=0, changed_at=known_at)
            bare = equal.setdefault(bare, bare)
            if time.unmoved and not self.everything:
                unmoved[address] = bare
                fields += time.proven
            else:
                times[time.id] = bare
        # Of a look that was stopped on its way, nothing is left out.
        self.times, self.unmoved, self.unmoved_fields = times, unmoved, fields

    @cached_property
    def _attested(self) -> Mapping[Address, Resource]:
        """The resources with topics that somebody attests."""
        return {one.address: one for one in self.list_desired() if "attested" in one.facts}

    def _find_ids(self, address: Address) -> Ids | None:
        record = self.window.find_record(address)
        if record is None:
            return self.store.others.find_ids(address)
        return (
            record.ids if not (record.unpaired and self.store.explain_unpaired(address)) else None
        )

    def _list_unsettled(self, addresses: Iterable[Address]) -> list[Address]:
        """The resources that this run has not finished with."""
        settled = self.done, self.unmoved, self.people.left, self.people.unlisted
        return [address for address in addresses if not any(address in one for one in settled)]

    def _next_addresses(self, rest: Sequence[Address]) -> Sequence[Address]:
        """The next ones to be read together: as many as the calls that are left allow."""
        # With lists all are read together: each list is read once. Without, nothing is gained.
        if self.reader.most is None:
            return rest if self.routes > CORE_ROUTES else rest[:TOGETHER]
        calls = self.reader.most - sum(self.reader.asked.values())
        some: list[Address] = []
        for address in rest[:TOGETHER]:
            calls -= self.count_calls(address)
            if calls < 0:
                break
            some.append(address)
        return some

    def _look_at_batch(self, addresses: Sequence[Address], instance: Instance) -> Iterator[int]:
        """Looks at some together; counts them as their answers come."""
        # The accounts first: other reads may use up the calls, and people would never be compared.
        rosters = {
            address: roster
            for address in addresses
            if (roster := KINDS[address.kind].reads.roster_on(self.routes))
        }
        for address, roster in rosters.items():
            if record := self.window.find_record(address):
                self._compare_people(record, roster, instance.binder)
        others = [address for address in addresses if address not in rosters]
        looks = diff.read_live_or_unchanged(instance, others, self.window, self.lists)
        for number, (record, seen) in enumerate(looks, len(rosters) + 1):
            self._compare_record(record, seen, instance)
            self.done.add(record.address)
            yield number
        for address in self._list_unsettled(addresses):
            unclear = self.store.explain_unpaired(address)
            (self.unclear if unclear else self.unseen).append(address)

    def _compare_record(
        self, record: Record, seen: LiveState | Unchanged, instance: Instance
    ) -> None:
        others = self.others.get(record.address, frozenset[str]())
        form = record.form if isinstance(seen, LiveState) else seen.form
        wanted = self._attested.get(record.address)
        found = instance.find_aged_parts(wanted, record, seen) if wanted else ()
        aged = [one for one in found if one.changed_at]  # what is gone is named anyway
        finding = find_drifted(record, form, seen, others, aged)
        if finding and finding.beyond:
            self.beyond[record.address] = finding.beyond
            finding = finding if finding.paths else None
        self._note_found_parts(record, form, seen.answer)
        if finding:
            title = self._name_form(record.address, form)
            self.findings.append(finding._replace(title=title))
        if seen.present:
            proof = diff.make_proof(record, seen, self.routes, form=form)
            proof = self._mark_list_time(record, proof, finding)
            self.proofs.add(_with_fewer_proven(proof, len(finding.drift) if finding else 0))
        else:  # an earlier look may have proven what is gone by now
            counts = diff.count_form_fields(record.address.kind, form, self.routes)
            self.proofs.add(Proof(record.address, record.fingerprint, counts=counts))

    def _note_found_parts(self, record: Record, form: Form, answer: Json) -> None:
        """Parts that no earlier read has shown, and this one does, have ids from now on."""
        # Nearly always: every part has its id, and nothing is to be matched.
        if answer is None or all(record.ids.parts.values()):
            return
        parts = KINDS[record.address.kind].reads.reconcile(form, form, record.ids, answer)
        if parts and parts.found and not parts.ambiguity:
            self.found_parts[record.address] = record.ids, parts.ids

    def _mark_list_time(self, record: Record, proof: Proof, finding: Drifted | None) -> Proof:
        """The proof with the time in the list at which all was last as recorded."""
        if LIST_TIMES not in self.routes:
            return proof
        keys = record.address, *record.ids.own.values()
        time = next((self.times[key] for key in keys if key in self.times), None)
        # Of what differs no time is kept: so it is read until it differs no more.
        if finding:
            # It differs although the list shows the time of the read that found no difference.
            self.belied += [proof.address] * bool(time and time.as_read)
            return proof
        if proof.address in self.beyond:  # it is read and named again by the next look
            return proof
        earlier = self.window.find_next_proof(proof.address)
        mark = earlier.marks.get(live.WHOLE) if earlier else None
        if time and (time.settled or time.as_made):
            mark = time.changed_at or mark
        return proof._replace(marks={**proof.marks, live.WHOLE: mark}) if mark else proof

    def _name_form(self, address: Address, form: Form) -> str:
        kind = KINDS[address.kind]
        whole = kind.calls.removal(form).whole if kind.authoring.title_in else None
        around = self.window.find_record(whole) if whole else None
        return kind.authoring.title_beside(form, around.form if around else {})

    def _compare_people(self, record: Record, roster: Roster, binder: Binder) -> None:
        form, address = record.form, record.address
        shown = self.people.compare_list(address, form, roster, binder)
        if shown is None:
            return
        left_to_others = roster.proves & self.others.get(address, frozenset[str]())
        if shown.losses and not left_to_others:
            title = KINDS[address.kind].authoring.title(form)
            self.findings.append(Drifted(address, title, losses=shown.losses))
        self.proofs.add(diff.make_proof(record, shown.state, self.routes, form=form))
        self.done.add(address)
