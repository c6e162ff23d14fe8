"""A state from an exported document: the document checked, and its rows written."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import orjson
from pydantic import ValidationError

from ..errors import WrongUse
from ..kind import CallPart
from ..resource import Address, canonical_text, fingerprint_of, pack_form
from ..support import inside
from . import calls, codes, list_rows, proofs
from .export_format import FORMAT, Call, Export, ExportedPart, ExportedRow, Proven
from .list_rows import ListRow, RowState
from .proofs import Counts, Proof
from .records import CallStatus, JournaledCall

_BYTES_MOST = 4 * 1024 * 1024 * 1024
_AGAIN = "make it again with `state export FILE`"
_TABLES = "resource", "operation", "member", "moved", "protected", "step", "proof"


def read_export(file: Path) -> Export:
    """The document in a file; raises `WrongUse` for any other, and for one that was altered."""
    try:
        data = orjson.loads(inside.read_named(file, _BYTES_MOST))
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as error:
        raise WrongUse(f"{file} is not an exported state: it is not JSON ({error})") from None
    stated = data.get("format") if isinstance(data, dict) else None
    if stated != FORMAT:
        which = f"its format is {stated}, this lmssync reads" if stated else "it has no format like"
        raise WrongUse(f"{file} is not an exported state: {which} {FORMAT}", _AGAIN)
    try:
        export = Export.model_validate(data)
    except (ValidationError, RecursionError) as error:
        raise WrongUse(f"{file} is damaged: {_first_error(error)}", _AGAIN) from None
    if export.with_digest().digest != export.digest:
        raise WrongUse(f"{file} was altered or damaged: it does not match its digest", _AGAIN)
    for wrong in _find_contradictions(export):
        raise WrongUse(f"{file} contradicts itself: {wrong}", _AGAIN)
    return export


def _first_error(error: ValidationError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested deeper than any state"
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _find_contradictions(export: Export) -> Iterator[str]:
    """What a digest does not show: somebody may have made one that fits."""
    every = Counter(resource.address for resource in export.resources)
    yield from (f"{address} is there twice" for address, count in every.items() if count > 1)
    for resource in export.resources:
        if fingerprint_of(canonical_text(resource.form)) != resource.fingerprint:
            yield f"the form of {resource.address} does not match its fingerprint"
    yield from (
        f"`{a}` is no address" for a in _exported_addresses(export) if not Address.parse(a).key
    )
    yield from (f"a row is {row.state}" for row in export.rows if row.state not in set(RowState))
    known = {status.value for status in CallStatus if status.is_open}
    yield from (f"the call {c.op} is {c.status}" for c in export.calls if c.status not in known)


def _exported_addresses(export: Export) -> Iterator[str]:
    yield from export.protected
    yield from (resource.address for resource in export.resources)
    yield from (step.address for step in export.manual)
    yield from (proof.address for proof in export.proofs)
    yield from (part.address for call in export.calls for part in call.parts)


def put_export(db: sqlite3.Connection, export: Export, key: str | None) -> None:
    """Puts a document in the place of all that the state says, but for its journal, and for rows of
    lists that were sent since.

    To be called inside a transaction; with a `key` the state gets that as its key of people.
    """
    for table in _TABLES:
        db.execute(f"DELETE FROM {table}")
    metas = ("lineage", "serial", "environment", "instance")
    rows = [(name, str(value)) for name in metas if (value := getattr(export, name)) is not None]
    db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)
    if key:
        codes.take_people_key(db, key)
    _put_records(db, export)
    for call in export.calls:
        _put_call(db, call)
    proofs.put_proofs(db, map(_restore_proof, export.proofs), "")
    list_rows.restore_list_rows(db, map(_restore_row, export.rows))


def _put_records(db: sqlite3.Connection, export: Export) -> None:
    db.executemany(
        "INSERT INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                one.address,
                json.dumps({"own": one.ids, "parts": one.parts}),
                one.fingerprint,
                pack_form(one.form),
                one.appliedAt,
                one.plan,
                one.commit,
                int(one.forgotten),
            )
            for one in export.resources
        ),
    )
    db.executemany(
        "INSERT INTO step VALUES (?, ?, ?, ?, ?)",
        [(s.address, s.field, s.text, s.since, int(s.lasting)) for s in export.manual],
    )
    db.executemany("INSERT INTO protected VALUES (?)", [(a,) for a in export.protected])
    db.executemany(
        "INSERT INTO moved VALUES (?, ?, ?)", [(m.old, m.new, m.time) for m in export.moved]
    )


def _put_call(db: sqlite3.Connection, call: Call) -> None:
    meta = call.body, call.plan, call.commit, call.attempt
    sent = call.op, call.route, call.params, tuple(map(_restore_part, call.parts)), *meta
    calls.insert_call(db, JournaledCall(*sent, started_at=call.since))
    calls.update_call(db, call.op, CallStatus(call.status), call.answer)


def _restore_part(part: ExportedPart) -> CallPart:
    packed = b"" if part.form is None else pack_form(part.form)
    how = part.adds, part.repeatable, part.last
    return CallPart(Address.parse(part.address), packed, part.mark, *how)


def _restore_row(row: ExportedRow) -> ListRow:
    return list_rows.row_of(tuple(row.model_dump().values()))  # in the same order


def _restore_proof(one: Proven) -> Proof:
    about = Address.parse(one.address), one.fingerprint, one.readings, one.provedAt, one.marks
    return Proof(*about, Counts(**one.counts))
