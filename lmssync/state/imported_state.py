"""A state from an exported document: read, checked, and put in the place of what is there."""

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
from ..support import safe_files
from . import list_rows, proofs
from .exported_state import FORMAT, Call, Export, ExportedFinding, ExportedPart, Proven, Recorded
from .id_columns import IdColumn
from .list_rows import RowState
from .people_codes import digest_of_key, take_people_key
from .proofs import Counts, DriftFinding, Proof
from .record_rows import insert_call, update_call
from .release_records import RELEASES, parse_releases
from .remembered_serial import was_another_state
from .state_records import CallStatus, JournaledCall
from .state_store import Store

_BYTES_MOST = 4 * 1024 * 1024 * 1024
_AGAIN = "make it again with `state export FILE`"
_TABLES = "resource", "operation", "member", "moved", "protected", "step", "proof"


def read_export(file: Path) -> Export:
    """The document in a file; raises `WrongUse` for any other, and for one that was altered."""
    try:
        data = orjson.loads(safe_files.read_named(file, _BYTES_MOST))
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
    # Its digest is right, and proves little: anybody can compute a digest.
    every = Counter(resource.address for resource in export.resources)
    yield from (f"{address} is there twice" for address, count in every.items() if count > 1)
    for resource in export.resources:
        if fingerprint_of(canonical_text(resource.form)) != resource.fingerprint:
            yield f"the form of {resource.address} does not match its fingerprint"
    yield from (
        f"`{a}` is no address" for a in _exported_addresses(export) if not Address.parse(a).key
    )
    yield from (f"a row is {row.state}" for row in export.rows if row.state not in set(RowState))
    try:
        parse_releases(orjson.dumps(export.releases).decode())
    except ValueError as error:
        yield f"a release is not one ({error})"
    known = {status.value for status in CallStatus if status.is_open}
    yield from (f"the call {c.op} is {c.status}" for c in export.calls if c.status not in known)


def _exported_addresses(export: Export) -> Iterator[str]:
    yield from export.protected
    yield from (resource.address for resource in export.resources)
    yield from (step.address for step in export.manual)
    yield from (proof.address for proof in export.proofs)
    yield from (finding.address for finding in export.findings)
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
        take_people_key(db, key)
    _put_records(db, export)
    for call in export.calls:
        _put_call(db, call)
    proofs.put_proofs(db, map(_restore_proof, export.proofs), "")
    found = proofs.spell_findings(map(_restore_finding, export.findings))
    noted = {
        proofs.UNSURE: export.doubt,
        proofs.FINDINGS: found if export.findings else "",
        RELEASES: orjson.dumps(export.releases).decode() if export.releases else "",
        proofs.REFUSED: json.dumps(export.refusedAdoptions) if export.refusedAdoptions else "",
    }
    db.executemany("DELETE FROM meta WHERE key = ?", [(name,) for name in noted])
    db.executemany("INSERT INTO meta VALUES (?, ?)", [one for one in noted.items() if one[1]])
    sent = (tuple(row.model_dump().values()) for row in export.rows)  # ordered as in a ListRow
    list_rows.restore_list_rows(db, map(list_rows.row_of, sent))


def _put_records(db: sqlite3.Connection, export: Export) -> None:
    db.executemany(
        "INSERT INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                one.address,
                _spell_ids(one),
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


def _spell_ids(one: Recorded) -> str:
    made = one.made.model_dump() if one.made else None
    return IdColumn(one.ids, one.parts, made).spell_column()


def _put_call(db: sqlite3.Connection, call: Call) -> None:
    meta = call.body, call.plan, call.commit, call.attempt
    sent = call.op, call.route, call.params, tuple(map(_restore_part, call.parts)), *meta
    insert_call(db, JournaledCall(*sent, started_at=call.since))
    update_call(db, call.op, CallStatus(call.status), call.answer)


def _restore_part(part: ExportedPart) -> CallPart:
    packed = b"" if part.form is None else pack_form(part.form)
    how = part.adds, part.repeatable, part.last
    return CallPart(Address.parse(part.address), packed, part.mark, *how)


def _restore_proof(one: Proven) -> Proof:
    about = Address.parse(one.address), one.fingerprint, one.readings, one.provedAt, one.marks
    return Proof(*about, Counts(**one.counts))


def _restore_finding(one: ExportedFinding) -> DriftFinding:
    found = one.fingerprint, one.foundAt, one.missing, one.paths
    return DriftFinding(Address.parse(one.address), *found)


def replace_state(
    store: Store, export: Export, environment: str, *, key: str | None, force: bool
) -> bool:
    """Makes the state what the export says; raises `WrongUse` where something would be lost.

    `key` is the key of its people, where this state does not have it. False if the state that was
    here had come further. The state must be locked.
    """
    if export.environment not in {None, environment}:
        raise WrongUse(
            f"this is the state of the environment `{export.environment}`, but this run is for "
            f"`{environment}`",
            f"choose it with -e {export.environment}",
        )
    if not store.is_empty or any(True for _ in store.list_rows()):
        _refuse_losses(store, export, force=force)
    elif was_another_state(store.file, export.lineage) and not force:
        raise WrongUse(
            "the state that was here before is gone, and the file is an export of another state",
            "restore the earlier state if you have it; `--force` goes on with the one in the file",
        )
    _check_key(store, export, key)
    return store.restore_rows(
        export.lineage, export.serial, export.digest, lambda db: put_export(db, export, key)
    )


def _refuse_losses(store: Store, export: Export, *, force: bool) -> None:
    if store.lineage != export.lineage:
        raise WrongUse(
            "there is another state here: it was not made from this one, and would be lost",
            "move its file away, or name another place with `state` in lmssync.yaml",
        )
    if not force:
        raise WrongUse(
            f"there is a state here already, of serial {store.serial}",
            f"`--force` replaces it with the state in the file, of serial {export.serial}",
        )
    theirs = {part.address for call in export.calls for part in call.parts}
    lost = sorted({*map(str, store.unresolved_addresses())} - theirs)
    if lost:
        raise WrongUse(
            f"a call for {lost[0]} waits for a decision, and the file does not know of it",
            f"run `lmssync apply` to look for it, or `lmssync resolve {lost[0]}`",
        )


def _check_key(store: Store, export: Export, key: str | None) -> None:
    """Codes of people can be compared only with those of the same key."""
    if export.peopleKey is None:
        return
    ours = store.codes.key_digest if key is None else digest_of_key(key)
    if ours != export.peopleKey:
        raise WrongUse(
            "the state contains people as codes, and the key to these codes is "
            + ("not the one in this file" if key else "not in an exported state"),
            "where it was exported: `lmssync state export FILE --people-key KEYFILE`; then import "
            "it with the same options",
        )
