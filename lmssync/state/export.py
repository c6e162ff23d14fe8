"""The whole state as one JSON document: what it says, without a secret and without the journal."""

from typing import Any

from ..resource import unpack_form
from ..support.persons import codes_in
from .export_format import (
    FORMAT,
    Call,
    Export,
    ExportedPart,
    ExportedRow,
    ExportedStep,
    Move,
    Proven,
    Recorded,
)
from .list_rows import ListRow
from .reader import StateReader
from .records import JournaledCall, OpenStep, Record


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
            map(_export_step, store.open_steps(asleep=True)), key=lambda s: (s.address, s.field)
        ),
        calls=calls,
        protected=sorted(map(str, store.protected_addresses())),
        moved=sorted(
            (Move(old=old, new=new, time=time) for old, new, time in store.list_moves()),
            key=lambda move: (move.time, move.old, move.new),
        ),
        proofs=_export_proofs(store),
        rows=sorted(rows, key=lambda row: row.key),
    )
    store.refuse_written()
    return export.with_digest()


def _export_record(record: Record, *, forgotten: bool) -> Recorded:
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


def _export_step(step: OpenStep) -> ExportedStep:
    manual = step.manual._asdict()
    return ExportedStep(address=str(step.address), since=step.since, lasting=step.lasting, **manual)


def _export_call(call: JournaledCall) -> Call:
    parts = [
        ExportedPart(
            address=str(part.address),
            form=unpack_form(part.packed_after) if part.packed_after else None,
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


def _export_row(row: ListRow) -> ExportedRow:
    """The fields of both have the same order."""
    fields: dict[str, Any] = dict(zip(ExportedRow.model_fields, row, strict=True))
    return ExportedRow(**fields | {"state": row.state.value})


def _export_proofs(store: StateReader) -> list[Proven]:
    return [
        Proven(
            address=str(address),
            fingerprint=proof.fingerprint,
            readings=list(proof.readings),
            provedAt=proof.proved_at,
            marks=dict(proof.marks),
            counts=proof.counts._asdict(),
        )
        for address, proof in sorted(store.find_proofs().items(), key=lambda item: str(item[0]))
    ]
