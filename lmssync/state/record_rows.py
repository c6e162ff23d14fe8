"""Records, calls, their parts and steps for people as rows of the state, and what a move changes.

A move changes the record itself and every form that mentions it. Forms are looked at in their
canonical spelling, in which a reference has one shape only and quotes inside texts are escaped:
so an address is found and replaced without parsing anything.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from ..errors import StateError
from ..kind import CallPart, Ids, ManualStep
from ..resource import Address, canonical_spelling, fingerprint_of, pack_text
from . import log_entries, proofs
from .id_columns import IdColumn, read_ids, spell_ids
from .proofs import drop_findings
from .state_records import (
    CallStatus,
    JournaledCall,
    OpenStep,
    PairKey,
    Record,
    UnpairedIds,
)

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


Key = tuple[str, str]
"""Address and field."""


STEP = "address, field, text, since, lasting"


def step_of(row: tuple[Any, ...]) -> OpenStep:
    address, field, text, since, lasting = row
    return OpenStep(Address.parse(address), ManualStep(field, text), since, bool(lasting))


def changed_requests(
    steps: Sequence[OpenStep], asked: Mapping[Address, Sequence[ManualStep]]
) -> Mapping[Key, str] | None:
    """The manual steps that an apply has found, if they differ from those in `steps`."""
    lasting = {_step_key(step) for step in steps if step.lasting}
    before = {_step_key(step): step.manual.text for step in steps if not step.lasting}
    wanted = {(str(a), step.field): step.text for a, manual in asked.items() for step in manual}
    after = {key: text for key, text in wanted.items() if key not in lasting}
    return after if after != before else None


def _step_key(step: OpenStep) -> Key:
    return str(step.address), step.manual.field


def replace_steps(
    db: sqlite3.Connection, steps: Iterable[OpenStep], wanted: Mapping[Key, str], time: str
) -> None:
    """Puts `wanted` in the place of what the last apply had found; what stays keeps its time."""
    for step in steps:
        if not step.lasting and _step_key(step) not in wanted:
            db.execute("DELETE FROM step WHERE address = ? AND field = ?", _step_key(step))
    db.executemany(
        "INSERT INTO step VALUES (?, ?, ?, ?, 0)"
        " ON CONFLICT (address, field) DO UPDATE SET text = excluded.text",
        [(*key, text, time) for key, text in wanted.items()],
    )


def close_steps(
    db: sqlite3.Connection, addresses: Iterable[str], fields: Sequence[str] = ()
) -> None:
    """Deletes the steps of some addresses: all, or those of some fields."""
    for name in addresses:
        db.execute(
            "DELETE FROM step WHERE address = ?1 AND (?2 OR field IN (SELECT value FROM "
            "json_each(?3)))",
            (name, not fields, json.dumps(fields)),
        )


RECORD = "address, ids, fingerprint, form, applied_at, plan, commit_id"


def record_of(row: tuple[Any, ...], find: Callable[[UnpairedIds], Ids]) -> Record:
    """The record of a row; `find` reads ids that no read has shown yet."""
    name, ids, *rest = row
    address = Address.parse(name)
    return Record(address, read_ids(address, ids, find), *rest)


def list_bare_records(
    db: sqlite3.Connection, addresses: Iterable[Address], find: Callable[[UnpairedIds], Ids]
) -> Iterator[Record]:
    """The records of some addresses in any order, without the ids of parts and without forms."""
    names = orjson.dumps([*map(str, addresses)]).decode()
    where = "WHERE address IN (SELECT value FROM json_each(?))"
    for name, ids in db.execute(f"SELECT address, ids FROM resource {where}", (names,)):
        address = Address.parse(name)
        kept = read_ids(address, ids, find)
        yield Record(address, Ids(kept.own) if isinstance(kept, Ids) else kept, "", b"")


def _ids_now(db: sqlite3.Connection, record: Record) -> str:
    unpaired = record.unpaired
    if unpaired and _pair_key_of(db, record.address) == unpaired.key:
        # What a batch expects may have changed since the record was read.
        query = "SELECT ids FROM resource WHERE address = ?"
        (column,) = db.execute(query, (str(record.address),)).fetchone()
        return str(column)
    return spell_ids(record.kept_ids)


def _pair_key_of(db: sqlite3.Connection, address: Address) -> PairKey | None:
    """The batch and mark of something of which no read has shown yet which ids it has."""
    query = "SELECT ids FROM resource WHERE address = ?"
    row = db.execute(query, (str(address),)).fetchone()
    made = IdColumn.from_text(row[0]).made if row else None
    return (made["batch"], made["marker"]) if made else None


def put_pairs(
    db: sqlite3.Connection, members: Sequence[UnpairedIds], pairs: Mapping[str, Ids]
) -> None:
    """Writes ids of the `members` of a batch that reads have shown, by mark; what is left of the
    batch expects what is left of its ids. What somebody has recorded meanwhile stays as it is."""
    found = {one.marker: pairs[one.marker] for one in members if one.marker in pairs}
    left = {one.marker: one for one in expect_rest(members, found)}
    db.executemany(
        "UPDATE resource SET ids = ? WHERE address = ?",
        [(spell_ids((left | found)[one.marker]), str(one.address)) for one in members],
    )


def list_members(db: sqlite3.Connection, batch: str, *, indexed: bool = False) -> list[UnpairedIds]:
    """The members of a batch whose ids no read has shown yet. A run that holds the state finds them
    by an index: it may ask for a thousand batches, and without one all records are searched."""
    # The answer of a create names ids in no promised order (O16). Until a read has shown which id
    # belongs to which member, each member is recorded with one of the ids of its batch.
    # A search for the text first takes half of what it takes to read each column as JSON.
    found = f"{_has_no_ids('ids')} AND instr(ids, ?1)"
    if indexed:
        _make_member_index(db)
        found = "address IN (SELECT address FROM unread WHERE batch = ?1)"
    query = f"SELECT {RECORD} FROM resource WHERE {found} AND {_batch_in('ids')} = ?1"
    records = (record_of(row, _never) for row in db.execute(f"{query} ORDER BY address", (batch,)))
    return [one for record in records if (one := record.unpaired)]


def _batch_in(ids: str) -> str:
    return f"json_extract({ids}, '$.made.batch')"


def _is_member(ids: str) -> str:
    return f"{_has_no_ids(ids)} AND instr({ids}, '\"made\"') AND {_batch_in(ids)} IS NOT NULL"


def _has_no_ids(ids: str) -> str:
    """What is true of each member, as of few other resources: a search of columns with thousands of
    ids of parts takes twice as long as to read these."""
    # The rows of an import have had spaces.
    return f"substr({ids}, 1, 10) IN ('{{\"own\":{{}},', '{{\"own\": {{}}')"


def _make_member_index(db: sqlite3.Connection) -> None:
    """Makes the index of members, unless it is there. It may name what is no member any more."""
    if db.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'unread'").fetchone():
        return
    # No INSERT: Python would begin a transaction with it, in which nobody else can begin one.
    made = f"SELECT {_batch_in('ids')} AS batch, address FROM resource WHERE {_is_member('ids')}"
    db.execute(f"CREATE TEMP TABLE unread AS {made}")
    db.execute("CREATE UNIQUE INDEX temp.unread_of ON unread (batch, address)")
    for event in ("INSERT", "UPDATE"):
        values = f"{_batch_in('new.ids')}, new.address"
        db.execute(
            f"CREATE TEMP TRIGGER unread_{event} AFTER {event} ON main.resource "
            f"WHEN {_is_member('new.ids')} "
            f"BEGIN INSERT OR IGNORE INTO unread VALUES ({values}); END"
        )


def drop_member_index(db: sqlite3.Connection) -> None:
    """Drops the index of members: other runs may have written since this one held the state."""
    for event in ("INSERT", "UPDATE"):
        db.execute(f"DROP TRIGGER IF EXISTS temp.unread_{event}")
    db.execute("DROP TABLE IF EXISTS temp.unread")


def list_unpaired(db: sqlite3.Connection) -> Iterator[tuple[str, PairKey]]:
    """The address, batch and mark of all of which no read has shown yet which ids they have."""
    made = f"{_batch_in('ids')}, json_extract(ids, '$.made.marker')"
    rows = db.execute(f"SELECT address, {made} FROM resource WHERE {_is_member('ids')}")
    return ((name, (batch, marker)) for name, batch, marker in rows)


def _never(unpaired: UnpairedIds) -> Ids:
    raise LookupError(str(unpaired.address))


def expect_rest(members: Sequence[UnpairedIds], found: Mapping[str, Ids]) -> list[UnpairedIds]:
    """The members of a batch that are not found, by mark, each with another of the ids that are
    left."""
    taken = {id_ for ids in found.values() for id_ in ids.own.values()}
    left = [one for one in members if one.marker not in found]
    kept = {one.expected for one in left} - taken
    free = [one.expected for one in members if one.expected not in kept | taken]
    return [one if one.expected in kept else one._replace(expected=free.pop()) for one in left]


def put_records(db: sqlite3.Connection, records: Sequence[Record]) -> None:
    """Writes records, with the steps that they leave to people. Of a batch, whose ids these were
    is said by whatever is recorded with ids: the rest of it expects the rest of its ids."""
    now = log_entries.now_utc()
    keys = {record.address: _pair_key_of(db, record.address) for record in records}
    for record in records:
        if (key := keys[record.address]) and isinstance(record.kept_ids, Ids):
            batch, marker = key
            put_pairs(db, list_members(db, batch, indexed=True), {marker: record.kept_ids})
    rows = [
        (
            str(record.address),
            _ids_now(db, record),
            record.fingerprint,
            record.packed,
            record.applied_at or now,
            record.plan,
            record.commit,
        )
        for record in records
    ]
    db.executemany("INSERT OR REPLACE INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, 0)", rows)
    db.executemany(
        "INSERT OR REPLACE INTO step VALUES (?, ?, ?, ?, 1)",
        [(str(r.address), step.field, step.text, now) for r in records for step in r.leaves],
    )
    drop_findings(db, {str(record.address) for record in records})
    if records:
        grow_serial(db)


def drop_records(db: sqlite3.Connection, addresses: Iterable[str], *, wholly: bool) -> None:
    """Forgets records; `wholly` also their ids, and the steps that are open for them."""
    rows = [(name,) for name in addresses]
    change = "DELETE FROM resource" if wholly else "UPDATE resource SET forgotten = 1"
    db.executemany(f"{change} WHERE address = ?", rows)
    db.executemany("DELETE FROM protected WHERE address = ?", rows)
    if wholly:
        close_steps(db, [name for (name,) in rows])
        proofs.drop_proofs(db, [name for (name,) in rows])


def write_protections(db: sqlite3.Connection, on: Iterable[str], off: Iterable[str]) -> None:
    db.executemany("INSERT OR IGNORE INTO protected VALUES (?)", [(name,) for name in on])
    db.executemany("DELETE FROM protected WHERE address = ?", [(name,) for name in off])


def grow_serial(db: sqlite3.Connection) -> None:
    """Counts a change of what is recorded."""
    db.execute("UPDATE meta SET value = value + 1 WHERE key = 'serial'")


_NODE = re.compile(rb'"\$ref":"([^"\\]*)"')

Names = Mapping[bytes, bytes]
"""Old addresses to new ones, as they are spelled in a form."""


def spell_moves(pairs: Mapping[Address, Address]) -> Names:
    return {str(old).encode(): str(new).encode() for old, new in pairs.items()}


def rename_in_form(packed: bytes, known_as: Names) -> bytes:
    """A packed form whose references say the new addresses; the same bytes if none is meant."""
    text = canonical_spelling(packed)
    spelled_anew = _rename_in_text(text, known_as)
    # Packing the same text again may give other bytes with another version of zlib, and the record
    # would seem to have changed.
    return packed if spelled_anew == text else pack_text(spelled_anew)


def _rename_in_text(text: bytes, known_as: Names) -> bytes:
    return _NODE.sub(lambda node: b'"$ref":"%s"' % known_as.get(node[1], node[1]), text)


def move_rows(
    db: sqlite3.Connection, pairs: Mapping[Address, Address], time: str, *, manage: bool
) -> None:
    """Moves records, old to new; to be called inside a transaction, which an error undoes."""
    for old, new in pairs.items():
        _move_rows(db, str(old), str(new), time)
        if manage:
            db.execute("UPDATE resource SET forgotten = 0 WHERE address = ?", (str(new),))
    known_as = spell_moves(pairs)
    records = _rows_mentioning(db.execute("SELECT form, address FROM resource"), known_as)
    db.executemany(
        "UPDATE resource SET form = ?, fingerprint = ? WHERE address = ?",
        [(pack_text(text), fingerprint_of(text), *key) for text, key in records],
    )
    # A call that waits for a decision is looked for by what its form refers to.
    parts = _rows_mentioning(db.execute("SELECT form, op, position FROM member"), known_as)
    db.executemany(
        "UPDATE member SET form = ? WHERE op = ? AND position = ?",
        [(pack_text(text), *key) for text, key in parts],
    )


def _move_rows(db: sqlite3.Connection, old: str, new: str, time: str) -> None:
    done = db.execute("UPDATE resource SET address = ? WHERE address = ?", (new, old))
    if done.rowcount != 1:
        raise StateError(f"{old} is not recorded, so it cannot move to {new}", "plan again")
    # Something else may have had the new address before, and have left its rows there.
    for table in ("protected", "step", "proof"):
        db.execute(f"UPDATE OR REPLACE {table} SET address = ? WHERE address = ?", (new, old))
    db.execute("INSERT INTO moved VALUES (?, ?, ?)", (old, new, time))


def _rows_mentioning(
    rows: Iterable[tuple[Any, ...]], known_as: Names
) -> Iterator[tuple[bytes, list[Any]]]:
    """New spelling and key of each row whose form mentions an old address."""
    for form, *key in rows:
        text = canonical_spelling(form)
        spelled_anew = _rename_in_text(text, known_as)
        if spelled_anew != text:
            yield spelled_anew, key
