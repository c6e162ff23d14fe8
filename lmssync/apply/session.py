"""What the parts of an apply share: the state, the platform, the ids known so far."""

import os
import time
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson

from ..address import Address
from ..client import Reader, Writer
from ..kind import CallPart, Ids
from ..kinds import KINDS
from ..live import Binder, Looker, Names, Wanted, id_of_name
from ..people import People
from ..plan import Step
from ..resource import fingerprint
from ..state import JournaledCall, Proof, Record, Store
from ..vocabulary.routes import CORE_ROUTES
from .result import Progress, Report
from .stop import Stop

_KEPT = 200
"""How many of the latest resources keep their ids in memory."""


@dataclass
class Session:
    """One run of apply against one instance."""

    store: Store
    writer: Writer
    names: Names
    progress: Progress
    people: People
    routes: Set[str] = CORE_ROUTES
    """The routes that the instance has."""
    plan: str = ""
    """Digest of the plan that is applied."""
    commit: str = ""
    stop: Stop = field(default_factory=Stop)
    report: Report = field(default_factory=Report)
    planned: dict[Address, bool] = field(default_factory=dict)
    """Addresses in the plan that is applied, and whether each is managed afterwards."""
    deleting: Mapping[Address, Set[str]] = field(default_factory=dict)
    """Paths of the parts that the plan asks somebody to delete."""
    left: dict[Address, str] = field(default_factory=dict)
    """What was done only partly, and what is still to be done."""
    made: set[Address] = field(default_factory=set)
    """What this run has created: nobody else can have added anything to it before."""
    allowed: frozenset[Address] = frozenset()
    """What somebody has named with `--allow`."""
    fresh: bool = False
    """The state was empty: if the platform has our resources, the state was lost."""
    tried: set[Address] = field(default_factory=set)
    """What this run has tried to make in a call that was refused."""
    shown: list[tuple[Record, Any]] = field(default_factory=list)
    """What was just made, each with the answer that has shown it."""
    proofs: list[Proof] = field(default_factory=list)
    """What such answers have proven, and the state does not hold yet."""
    timeout: float = 60.0
    """Seconds to wait for a call."""
    _ids: dict[Address, Ids] = field(default_factory=dict)

    @property
    def reader(self) -> Reader:
        return self.writer

    @property
    def binder(self) -> Binder:
        id_of = partial(id_of_name, self.names)
        return Binder(self.ids, id_of, self.manages, self.people.text)

    def looker(self) -> Looker:
        """Prepares to look at the platform as it is from now on."""
        return Looker(self.reader, self.binder)

    def wanted(self, part: CallPart) -> Wanted:
        """What a part of a call should make, in the form in which it is looked for."""
        return Wanted(part.address, part.after, part.marker, self.ids(part.address))

    def manages(self, address: Address) -> bool:
        """True if the catalog manages it: it is in the plan, or recorded and not in the plan."""
        if address in self.planned:
            return self.planned[address]
        return self.ids(address) is not None and address not in self.store.forgotten()

    def ids(self, address: Address) -> Ids | None:
        """The ids of a resource that are recorded so far."""
        known = self._ids.get(address)
        if known is None:
            known = self.store.ids(address)
            if known:
                self._keep(address, known)
        return known

    def learn(self, records: list[Record]) -> None:
        """Remembers ids that have just been recorded."""
        for record in records:
            self._keep(record.address, record.ids)

    def forget(self, addresses: Iterable[Address]) -> None:
        """Drops ids that are no longer recorded."""
        for address in addresses:
            self._ids.pop(address, None)

    def _keep(self, address: Address, ids: Ids) -> None:
        """Keeps only the latest ids: those of all parts of 10,000 courses would fill the memory."""
        self._ids.pop(address, None)
        self._ids[address] = ids
        if len(self._ids) > _KEPT:
            del self._ids[next(iter(self._ids))]

    def record(self, call: JournaledCall, part: CallPart, ids: Ids) -> Record:
        """A part's record, now that its call is done."""
        afterwards = KINDS[part.address.kind].calls.after_create
        leaves = afterwards if afterwards and self.ids(part.address) is None else ()
        applied = {"plan": call.plan, "commit": call.commit, "leaves": leaves}
        applied["applied_at"] = self.writer.now()
        return Record.of(part.address, ids, part.packed_after, **applied)

    def recorded(self, address: Address, ids: Ids, packed: bytes) -> Record:
        """The record of something for which this run makes no call."""
        applied = {"plan": self.plan, "commit": self.commit, "applied_at": self.writer.now()}
        return Record.of(address, ids, packed, **applied)

    def journaled(self, step: Step, body: Any, params: Mapping[str, str]) -> JournaledCall:
        """A new call, as the journal will know it."""
        sent = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
        return JournaledCall(
            new_op(),
            step.route,
            dict(params),
            step.parts,
            fingerprint(sent),
            self.plan,
            self.commit,
            started_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        )


def new_op() -> str:
    """An id that sorts by time: milliseconds, then randomness."""
    return f"{time.time_ns() // 1_000_000:012x}-{os.urandom(8).hex()}"
