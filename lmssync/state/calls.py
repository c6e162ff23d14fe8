"""Calls and their parts as rows: kept until it is known what came of each part."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from ..kind import CallPart
from ..resource import Address
from .records import CallStatus, JournaledCall

CALL = "op, route, params, body_hash, plan, commit_id, attempt, status, answer, started_at"
PART = "address, form, marker, adds, repeatable, last"


def call_of(row: tuple[Any, ...], parts: tuple[CallPart, ...]) -> JournaledCall:
    op, route, params, body_hash, plan, commit, attempt, status, answer, started_at = row
    sent = op, route, json.loads(params), parts, body_hash, plan, commit, attempt
    return JournaledCall(*sent, CallStatus(status), json.loads(answer or "null"), started_at)


def part_of(row: tuple[Any, ...]) -> CallPart:
    address, form, marker, adds, repeatable, last = row
    return CallPart(Address.parse(address), form, marker, bool(adds), bool(repeatable), bool(last))


def insert_call(db: sqlite3.Connection, call: JournaledCall) -> None:
    """Adds a call that is about to be made."""
    op, route, params, parts, *meta, _, _, started_at = call
    db.execute(
        "INSERT INTO operation (op, status, route, params, body_hash, plan, commit_id, attempt,"
        " started_at) VALUES (?, 'intent', ?, ?, ?, ?, ?, ?, ?)",
        (op, route, json.dumps(params), *meta, started_at),
    )
    db.executemany(  # the first six fields of a part are the columns of `PART`
        "INSERT INTO member VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(op, n, str(part.address), part.packed_after, *part[2:6]) for n, part in enumerate(parts)],
    )


def update_call(db: sqlite3.Connection, op: str, status: CallStatus, answered: Any) -> None:
    query = "UPDATE operation SET answer = ? WHERE op = ?"
    db.execute(query, (json.dumps(answered), op))
    set_call_status(db, op, status)


def set_call_status(db: sqlite3.Connection, op: str, status: CallStatus) -> None:
    """Says how far a call has come; a settled one needs its parts no more."""
    db.execute("UPDATE operation SET status = ? WHERE op = ?", (status, op))
    if not status.is_open:
        db.execute("DELETE FROM member WHERE op = ?", (op,))


def delete_call_parts(db: sqlite3.Connection, op: str, addresses: Iterable[str]) -> None:
    """Takes parts out of a call."""
    query = "DELETE FROM member WHERE op = ? AND address = ?"
    db.executemany(query, [(op, name) for name in addresses])
