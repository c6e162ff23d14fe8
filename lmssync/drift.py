"""Looks at what is recorded, stalest proof first, and finds what people have changed since.

It needs no manifest but to know which fields are left to others, and it sends no write.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple, Protocol

from . import diff, live
from .address import Address
from .client import Reader
from .diff import Drift
from .errors import BudgetSpent, WrongUse
from .kinds import KINDS
from .live import LiveState
from .plan import Truth, truth
from .problems import near
from .state import Proof, Record, Store

AT_ONCE = 50
"""Resources that are read together if the number of calls is limited."""

Others = Mapping[Address, Set[str]]
"""By resource, the fields that its manifest leaves to others."""


class Drifted(NamedTuple):
    """A resource that is not on the platform as it is recorded."""

    address: Address
    title: str
    missing: bool = False
    """The platform does not have it any more."""
    gone: Sequence[str] = ()
    """Paths of its parts that the platform does not have any more."""
    drift: Sequence[Drift] = ()


class Look(NamedTuple):
    """What a look at the platform has shown."""

    findings: Sequence[Drifted]
    looked: int
    """How many resources were read."""
    unseen: Sequence[Address]
    """What no route of this instance shows."""
    left: Sequence[Address]
    """What the budget did not allow to read: the next look begins with it."""
    calls: int
    proofs: Sequence[Proof]
    truth: Truth


class Progress(Protocol):
    """Gets reports while a look goes on; must not raise."""

    def looking(self, done: int, total: int) -> None: ...


def look(
    store: Store,
    reader: Reader,
    routes: Set[str],
    progress: Progress,
    *,
    patterns: Sequence[str] = (),
    others: Others | None = None,
    budget: int | None = None,
) -> Look:
    """Reads what is recorded and matches a pattern, in at most `budget` calls; `routes` are those
    of the instance.

    Raises `WrongUse` for a pattern that nothing matches.
    """
    reader.most = budget
    run = _Run(store, reader, routes, others or {}, store.proofs())
    wanted = run.stalest(_named(store, patterns))
    seeable = [address for address in wanted if run.readings(address)]
    rest = run.through(seeable, progress)
    return Look(
        sorted(run.findings),
        len(seeable) - len(rest),
        sorted(set(wanted) - set(seeable)),
        rest,
        sum(reader.asked.values()),
        run.proofs,
        truth(store, run.proofs, routes),
    )


def _named(store: Store, patterns: Sequence[str]) -> Iterator[Address]:
    recorded = store.fingerprints()
    for pattern in patterns:
        if not any(fnmatchcase(str(address), pattern) for address in recorded):
            raise WrongUse(
                f"nothing is recorded that matches `{pattern}`", near(pattern, map(str, recorded))
            )
    for address in recorded:
        if not patterns or any(fnmatchcase(str(address), pattern) for pattern in patterns):
            yield address


@dataclass
class _Run:
    """One look, as far as it has come."""

    store: Store
    reader: Reader
    routes: Set[str]
    others: Others
    known: Mapping[Address, Proof]
    findings: list[Drifted] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)

    def stalest(self, addresses: Iterator[Address]) -> list[Address]:
        """Those first that were never compared as they are recorded now, then by time."""
        recorded = self.store.fingerprints()

        def proved(address: Address) -> str:
            proof = self.known.get(address)
            return proof.proved_at if proof and proof.fingerprint == recorded[address] else ""

        return sorted(addresses, key=lambda address: (proved(address), address))

    def readings(self, address: Address) -> int:
        """How many readings show it, at most one call each; 0 if nothing shows it."""
        record = self.store.record(address)
        reads = KINDS[address.kind].reads
        return len(list(live.chosen(reads, record, self.routes))) if record else 0

    def through(self, addresses: Sequence[Address], progress: Progress) -> Sequence[Address]:
        """Looks at one after the other; returns those for which there were no calls left."""
        rest = addresses
        binder = live.Binder(self.store.ids, partial(live.id_of_name, live.Names(self.reader)))
        try:
            if rest:
                self.reader.ping()
            while some := self._affordable(rest):
                self._look_at(some, binder)
                rest = rest[len(some) :]
                progress.looking(len(addresses) - len(rest), len(addresses))
        except BudgetSpent:
            return rest
        return rest

    def _affordable(self, rest: Sequence[Address]) -> Sequence[Address]:
        """The next ones: all of them if calls are not limited."""
        if self.reader.most is None:
            return rest
        calls = self.reader.most - sum(self.reader.asked.values())
        some: list[Address] = []
        for address in rest[:AT_ONCE]:
            calls -= self.readings(address)
            if calls < 0:
                break
            some.append(address)
        return some

    def _look_at(self, addresses: Sequence[Address], binder: live.Binder) -> None:
        records = [record for one in addresses if (record := self.store.record(one))]
        marks = {address: proof.marks for address, proof in self.known.items()}
        seen = live.read(self.reader, binder, records, self.routes, marks)
        for record in records:
            known = self.known.get(record.address)
            state = seen.get(record.address)
            if state is None:
                continue
            state = diff.still_noticed(state, known)
            finding = _finding(record, state, self.others.get(record.address, frozenset()))
            if finding.missing or finding.gone or finding.drift:
                self.findings.append(finding)
            if state.present:
                self.proofs.append(diff.proof(record, state, self.routes))


def _finding(record: Record, state: LiveState, others: Set[str]) -> Drifted:
    kind, form = KINDS[record.address.kind], record.form
    found = Drifted(record.address, kind.authoring.title(form))
    if not state.present:
        return found._replace(missing=True)
    drift = [one for one in diff.drifts(form, state) if diff.top(one.path) not in others]
    shown = None
    if state.answer is not None:
        shown = kind.reads.reconcile(form, form, record.ids, state.answer)
    return found._replace(drift=drift, gone=shown.gone if shown else ())
