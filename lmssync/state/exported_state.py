"""The whole state as one JSON document, without a secret and without the journal."""

from typing import Any, Literal, Self

import orjson
from pydantic import BaseModel, ConfigDict

from ..kind import CallPart
from ..resource import Form, fingerprint_of, unpack_form
from ..support.persons import codes_in
from .list_rows import ListRow
from .state_reader import StateReader
from .state_records import JournaledCall, OpenStep, Record

FORMAT: Literal["lmssync.state-export/1"] = "lmssync.state-export/1"


class _Item(BaseModel):
    """Something in the document; nothing of it is guessed or converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    @classmethod
    def from_values(cls, *values: Any) -> Self:
        """The item with these values, which are in the order of its fields."""
        return cls(**dict(zip(cls.model_fields, values, strict=True)))


class Made(_Item):
    """The ids that a resource may have, before a read has shown which of them it has."""

    batch: str
    """The call that has made it, together with others."""
    id: str
    """The id that it has if the answer of the call was in the order of the request."""
    marker: str


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
    made: Made | None = None


class ExportedStep(_Item):
    """An open step for a person."""

    address: str
    field: str
    text: str
    since: str
    lasting: bool


class ExportedPart(_Item):
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
    parts: list[ExportedPart]
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
    """The last proof of a record: the part of it that reads have compared."""

    address: str
    fingerprint: str
    readings: list[str]
    provedAt: str
    marks: dict[str, str]
    counts: dict[str, int]


class ExportedRow(_Item):
    """A row of a list that was sent, by keyed hashes."""

    key: str
    hashedWith: str
    operation: str
    list: str
    occasion: str
    deed: str
    mark: str
    state: str
    at: int
    answered: bool


class ExportedFinding(_Item):
    """How a resource differed from its record when somebody looked."""

    address: str
    fingerprint: str
    foundAt: str
    missing: bool
    paths: list[str]


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
    manual: list[ExportedStep]
    calls: list[Call]
    protected: list[str]
    moved: list[Move]
    proofs: list[Proven]
    rows: list[ExportedRow] = []
    """Of lists that operations have sent."""
    doubt: str = ""
    """Why the platform may have resources of ours that no record mentions: plans ask about them."""
    refusedAdoptions: dict[str, str] = {}
    """By address, the id that a person has named for it and `adopt` has refused."""
    findings: list[ExportedFinding] = []
    """The findings of the last looks for drift."""
    releases: list[dict[str, Any]] = []
    """Where each release has come to."""
    digest: str = ""
    """Of all the rest."""

    def with_digest(self) -> "Export":
        """The export with the digest of its present content."""
        text = orjson.dumps(self.to_plain("digest"), option=orjson.OPT_SORT_KEYS)
        return self.model_copy(update={"digest": fingerprint_of(text)})

    def to_bytes(self) -> bytes:
        return orjson.dumps(self.to_plain(), option=_SPELLING)

    def to_plain(self, *without: str) -> dict[str, Any]:
        """The export as it is written: what the format had not from the beginning, only if there
        is any, so that a state which an earlier lmssync has exported has the same text, and the
        digest fits."""
        empty = (name for name in _LATER if not getattr(self, name))
        plain = self.model_dump(exclude={*without, *empty})
        for resource in plain["resources"]:
            if resource["made"] is None:
                del resource["made"]
        return plain


_LATER = "rows", "doubt", "refusedAdoptions", "findings", "releases"
_SPELLING = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def export_state(store: StateReader) -> Export:
    """The state as it is; raises `StateError` for one that is damaged."""
    records = [
        _export_record(record, forgotten=gone)
        for gone in (False, True)
        for record in store.list_records(forgotten=gone)
    ]
    calls = [_export_call(call) for call in store.open_calls()]
    rows = list(map(_export_row, store.list_rows()))
    named = rows or any(True for one in (*records, *calls) for _ in codes_in(one.model_dump()))
    export = Export(
        format=FORMAT,
        lineage=store.lineage,
        serial=store.serial,
        environment=store.environment,
        instance=store.instance,
        peopleKey=store.codes.key_digest if named else None,
        resources=sorted(records, key=lambda record: record.address),
        manual=sorted(
            map(_export_step, store.open_steps(include_forgotten=True)),
            key=lambda s: (s.address, s.field),
        ),
        calls=calls,
        protected=sorted(map(str, store.protected_addresses())),
        moved=sorted(
            (Move.from_values(*move) for move in store.list_moves()),
            key=lambda move: (move.time, move.old, move.new),
        ),
        proofs=_export_proofs(store),
        rows=sorted(rows, key=lambda row: row.key),
        doubt=store.describe_doubt,
        refusedAdoptions=store.refused_adoptions,
        findings=[
            ExportedFinding.from_values(str(address), *about, list(paths))
            for address, *about, paths in sorted(store.list_findings())
        ],
        releases=[one._asdict() for one in store.releases.values()],
    )
    # The tables are read one after the other, without a lock.
    store.refuse_written()
    return export.with_digest()


def _export_record(record: Record, *, forgotten: bool) -> Recorded:
    unpaired = record.unpaired
    made = unpaired and Made.from_values(unpaired.batch, unpaired.expected, unpaired.marker)
    return Recorded(
        address=str(record.address),
        forgotten=forgotten,
        ids=record.known_ids.own,
        parts=dict(record.known_ids.parts),
        made=made,
        fingerprint=record.fingerprint,
        appliedAt=record.applied_at,
        plan=record.plan,
        commit=record.commit,
        form=record.form,
    )


def _export_step(step: OpenStep) -> ExportedStep:
    return ExportedStep.from_values(str(step.address), *step.manual, step.since, step.lasting)


def _export_call(call: JournaledCall) -> Call:
    changed = {"parts": list(map(_export_part, call.parts)), "status": call.status.value}
    return Call.from_values(*(call._asdict() | changed).values())


def _export_part(part: CallPart) -> ExportedPart:
    form = unpack_form(part.packed_after) if part.packed_after else None
    how = part.marker, part.adds, part.repeatable, part.last
    return ExportedPart.from_values(str(part.address), form, *how)


def _export_row(row: ListRow) -> ExportedRow:
    return ExportedRow.from_values(*(row._asdict() | {"state": row.state.value}).values())


def _export_proofs(store: StateReader) -> list[Proven]:
    return [
        Proven.from_values(
            str(address), print_, list(readings), proved_at, dict(marks), counts._asdict()
        )
        for address, print_, readings, proved_at, marks, counts in sorted(
            store.find_proofs().values(), key=lambda proof: str(proof.address)
        )
    ]
