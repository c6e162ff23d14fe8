"""Rows of the tables as values, and back."""

import json
from typing import Any

from ..address import Address
from ..kinds.call_part import CallPart
from ..kinds.kind import Ids
from . import lock
from .records import JournaledCall, Record, Status

RECORD = "address, ids, fingerprint, form, applied_at, plan, commit_id"
PART = "address, form, marker, adds, repeatable, last"
CALL = "op, route, params, body_hash, plan, commit_id, attempt, status, answer, started_at"


def record_of(row: tuple[Any, ...]) -> Record:
    address, ids, fingerprint, form, applied_at, plan, commit = row
    known = json.loads(ids)
    return Record(
        Address.parse(address),
        Ids(known["own"], known["parts"]),
        fingerprint,
        form,
        applied_at,
        plan,
        commit,
    )


def row_of(record: Record) -> tuple[Any, ...]:
    ids = json.dumps({"own": record.ids.own, "parts": dict(record.ids.parts)})
    return (
        str(record.address),
        ids,
        record.fingerprint,
        record.packed,
        record.applied_at or lock.now(),
        record.plan,
        record.commit,
    )


def part_of(row: tuple[Any, ...]) -> CallPart:
    address, form, marker, adds, repeatable, last = row
    return CallPart(Address.parse(address), form, marker, bool(adds), bool(repeatable), bool(last))


def row_of_part(part: CallPart) -> tuple[Any, ...]:
    """The columns of `MEMBER`."""
    return str(part.address), *part[1:6]


def call_of(row: tuple[Any, ...], parts: tuple[CallPart, ...]) -> JournaledCall:
    op, route, params, body_hash, plan, commit, attempt, status, answer, started_at = row
    return JournaledCall(
        op,
        route,
        json.loads(params),
        parts,
        body_hash,
        plan,
        commit,
        attempt,
        Status(status),
        json.loads(answer) if answer else None,
        started_at,
    )
