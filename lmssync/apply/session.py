"""What the parts of an apply share: the state, the platform, the ids known so far."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from ..address import Address
from ..client import Reader, Writer
from ..kinds.kind import Ids
from ..live import Binder, Names, id_of_name
from ..plan import Step
from ..resource import fingerprint, spelling
from ..state import Member, Operation, Record, Store
from .result import Progress, Report


@dataclass
class Session:
    """One run of apply against one instance."""

    store: Store
    writer: Writer
    names: Names
    progress: Progress
    plan: str = ""
    """Digest of the plan that is applied."""
    commit: str = ""
    report: Report = field(default_factory=Report)
    _ids: dict[Address, Ids | None] = field(default_factory=dict)

    @property
    def reader(self) -> Reader:
        return self.writer

    @property
    def binder(self) -> Binder:
        return Binder(self.ids, lambda kind, name: id_of_name(self.names, kind, name))

    def ids(self, address: Address) -> Ids | None:
        """The ids of a resource, as far as they are recorded."""
        if self._ids.get(address) is None:
            record = self.store.record(address)
            self._ids[address] = record.ids if record else None
        return self._ids[address]

    def learn(self, records: list[Record]) -> None:
        """Remembers ids that have just been recorded."""
        self._ids.update({record.address: record.ids for record in records})

    def record(self, operation: Operation, member: Member, ids: Ids) -> Record:
        """A member's record, now that its call is done."""
        form_hash = fingerprint(spelling(member.packed))
        return Record(
            member.address,
            ids,
            form_hash,
            member.packed,
            plan=operation.plan,
            commit=operation.commit,
        )

    def operation(self, step: Step, body: Any, params: Mapping[str, str]) -> Operation:
        """A new call, as the journal will know it."""
        members = tuple(
            Member(s.address, s.packed_after, s.marker, s.adds, s.repeatable, s.last)
            for s in step.shares
        )
        sent = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
        return Operation(
            new_op(),
            step.route,
            dict(params),
            members,
            fingerprint(sent),
            self.plan,
            self.commit,
            started_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        )


def new_op() -> str:
    """An id that sorts by time: milliseconds, then randomness."""
    return f"{time.time_ns() // 1_000_000:012x}-{os.urandom(8).hex()}"
