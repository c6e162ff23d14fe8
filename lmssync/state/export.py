"""The whole state as one JSON document: what it says, without a secret and without the journal."""

from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict

from ..persons import codes
from ..resource import Form, fingerprint, unpack
from .reader import StateReader
from .records import JournaledCall, OpenStep, Record

FORMAT: Literal["lmssync.state-export/1"] = "lmssync.state-export/1"


class _Item(BaseModel):
    """Something in the document; nothing of it is guessed or converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Recorded(_Item):
    """A record."""

    address: str
    forgotten: bool
    ids: dict[str, str]
    parts: dict[str, str]
    fingerprint: str
    appliedAt: str
    plan: str
    commit: str
    form: Form


class Step(_Item):
    """An open step for a person."""

    address: str
    field: str
    text: str
    since: str
    lasting: bool


class Part(_Item):
    """A part of a call of which it is not known, or not recorded, what came of it."""

    address: str
    form: Form | None
    mark: str | None
    adds: bool
    repeatable: bool
    last: bool


class Call(_Item):
    """A call that is not settled."""

    op: str
    route: str
    params: dict[str, Any]
    parts: list[Part]
    body: str
    plan: str
    commit: str
    attempt: int
    status: str
    answer: Any
    since: str


class Move(_Item):
    """A move of a record to another address."""

    old: str
    new: str
    time: str


class Proven(_Item):
    """What reads have last shown of a record."""

    address: str
    fingerprint: str
    readings: list[str]
    provedAt: str
    marks: dict[str, str]
    counts: dict[str, int]


class Export(_Item):
    """The document; each list is sorted, so that the same state is always the same text."""

    format: Literal["lmssync.state-export/1"]
    lineage: str
    serial: int
    environment: str | None
    instance: str | None
    peopleKey: str | None
    """A digest of the key that the codes of people were made with, if there are any."""
    resources: list[Recorded]
    manual: list[Step]
    calls: list[Call]
    protected: list[str]
    moved: list[Move]
    proofs: list[Proven]
    digest: str = ""
    """Of all the rest."""

    def sealed(self) -> "Export":
        """The same with the digest of what is in it now."""
        rest = self.model_dump(exclude={"digest"})
        text = orjson.dumps(rest, option=orjson.OPT_SORT_KEYS)
        return self.model_copy(update={"digest": fingerprint(text)})

    def text(self) -> bytes:
        return orjson.dumps(self.model_dump(), option=_SPELLING)


_SPELLING = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def exported(store: StateReader) -> Export:
    """The state as it is; raises `StateError` for one that is damaged."""
    records = [
        _record(record, forgotten=gone)
        for gone in (False, True)
        for record in store.records(forgotten=gone)
    ]
    calls = [_call(call) for call in store.open_calls()]
    named = any(True for one in (*records, *calls) for _ in codes(one.model_dump()))
    export = Export(
        format=FORMAT,
        lineage=store.lineage,
        serial=store.serial,
        environment=store.environment,
        instance=store.instance,
        peopleKey=store.codes.of_key if named else None,
        resources=sorted(records, key=lambda record: record.address),
        manual=sorted(map(_step, store.steps(asleep=True)), key=lambda s: (s.address, s.field)),
        calls=calls,
        protected=sorted(map(str, store.protected())),
        moved=sorted(
            (Move(old=old, new=new, time=time) for old, new, time in store.moved()),
            key=lambda move: (move.time, move.old, move.new),
        ),
        proofs=_proofs(store),
    )
    store.refuse_written()
    return export.sealed()


def _record(record: Record, *, forgotten: bool) -> Recorded:
    return Recorded(
        address=str(record.address),
        forgotten=forgotten,
        ids=record.ids.own,
        parts=dict(record.ids.parts),
        fingerprint=record.fingerprint,
        appliedAt=record.applied_at,
        plan=record.plan,
        commit=record.commit,
        form=record.form,
    )


def _step(step: OpenStep) -> Step:
    manual = step.manual._asdict()
    return Step(address=str(step.address), since=step.since, lasting=step.lasting, **manual)


def _call(call: JournaledCall) -> Call:
    parts = [
        Part(
            address=str(part.address),
            form=unpack(part.packed_after) if part.packed_after else None,
            mark=part.marker,
            adds=part.adds,
            repeatable=part.repeatable,
            last=part.last,
        )
        for part in call.parts
    ]
    return Call(
        op=call.op,
        route=call.route,
        params=call.params,
        parts=parts,
        body=call.body_hash,
        plan=call.plan,
        commit=call.commit,
        attempt=call.attempt,
        status=call.status.value,
        answer=call.answer,
        since=call.started_at,
    )


def _proofs(store: StateReader) -> list[Proven]:
    return [
        Proven(
            address=str(address),
            fingerprint=proof.fingerprint,
            readings=list(proof.readings),
            provedAt=proof.proved_at,
            marks=dict(proof.marks),
            counts=proof.counts._asdict(),
        )
        for address, proof in sorted(store.proofs().items(), key=lambda item: str(item[0]))
    ]
