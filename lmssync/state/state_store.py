"""The state in a SQLite file: WAL, and every commit is on disk before anything depends on it."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import StateError
from ..kind import Ids, ManualStep
from ..resource import Address
from . import list_rows, log_entries, proofs, record_rows, remembered_serial, state_tables
from .backends import SharedState
from .damage import file_stamp
from .id_columns import spell_ids
from .list_rows import ListRow, RowState
from .proofs import FINDINGS, REFUSED, UNSURE, DriftFinding, Proof, merge_findings, spell_findings
from .shared_log import SharedLog
from .state_files import resolve_state_file
from .state_log import Log, Tell
from .state_reader import StateReader
from .state_records import CallStatus, JournaledCall, OpenStep, PairKey, Record

_TOGETHER = 200
"""Proofs that are written together: each has the path of every topic, so more fill the memory."""


class Store(StateReader):
    """Reads the state; writes it only inside `hold_state()`."""

    patience = 0.0
    """Seconds to wait for another run that writes the state."""

    def __init__(
        self,
        file: Path,
        *,
        inside: Path | None = None,
        read_only: bool = False,
        shared: SharedState | None = None,
        tell: Tell = lambda _text: None,
    ) -> None:
        """Opens the file, and makes it with its folder where there is none; raises `StateError`.

        It must lie `inside` of a folder, if one is given. Where it is only read, nothing is made.
        The log of one that is `shared` lies in its backend, and the file is a replica of it.
        """
        real = resolve_state_file(file, inside)
        self._accepted = self._outdated = False
        """Another state, or a later one, was here before: that stays known until it is accepted."""
        if read_only:
            before = file_stamp(real)
            super().__init__(state_tables.open_for_reading(real), real, before, shared)
            return
        super().__init__(
            state_tables.open_for_writing(real, inside, own_log=not shared), real, None, shared
        )
        self.log = (
            SharedLog(self.db, real, shared.backend, tell) if shared else Log(self.db, real, tell)
        )
        self.log.changes.tell_ids = self.known_ids.note_ids

    @contextmanager
    def hold_state(self) -> Iterator[int]:
        """Locks the state for writing; raises `StateLocked` when another run has it."""
        with self.log.hold_log(self.patience) as fence:
            self._outdated = not self._accepted and bool(
                remembered_serial.describe_outdated(self.file, self)
            )
            if news := self.codes.unknown_digest:  # everybody is to know which key of people it is
                with self.log.write_entry("claim", {}) as db:
                    db.execute("INSERT INTO meta VALUES (?, ?)", news)
            record_rows.drop_member_index(self.db)
            self._written, self._holds = set[PairKey](), True
            self._write_pairs()
            try:
                yield fence
            except BaseException:
                with suppress(StateError):  # what stopped the run is said, not what follows from it
                    self._remember_serial()
                raise
            finally:
                self._holds = False
            self._remember_serial()

    def _remember_serial(self) -> None:
        # Only once the rows are on disk. A crash before this leaves a serial that is too low, which
        # harms nothing; one that is too high would have the next run refuse a good state.
        try:
            if not self._outdated:
                remembered_serial.remember_serial(self.file, self)
        except OSError as error:
            raise StateError(
                f"{self.file}.serial cannot be written: {error.strerror}",
                "what this run has done is recorded in the state itself; free some disk space",
            ) from None

    def restore_rows(
        self, lineage: str, serial: int, digest: str, put_rows: Callable[[sqlite3.Connection], None]
    ) -> bool:
        """Replaces this state by an exported one, whose lineage, serial and digest are given. The
        journal goes on.

        Returns False if the state that was here had come further: its serial stays remembered, so
        plans are refused without `--new-state`.
        """
        self._outdated = remembered_serial.is_behind(self.file, lineage, serial)
        data = {"lineage": lineage, "serial": serial, "digest": digest}
        with self.log.write_entry("import", data) as db:
            put_rows(db)
        return not self._outdated

    def check_age(self) -> None:
        """Raises `StateError` if a later state, or another one, was here before."""
        remembered_serial.refuse_outdated(self.file, self)

    def accept_age(self) -> None:
        """Goes on with this state, whatever was here before."""
        self._accepted, self._outdated = True, False

    def claim_instance(self, environment: str, instance: str) -> None:
        """Makes this the state of an environment and of one instance, once and for all."""
        if self.environment is None or self.instance is None:
            with self.log.write_entry("claim", {}) as db:
                db.executemany(
                    "INSERT OR IGNORE INTO meta VALUES (?, ?)",
                    [("environment", environment), ("instance", instance)],
                )

    def note_doubt(self, why: str) -> None:
        """Records that the platform may have resources of ours that no record mentions, and why; an
        empty text says that everything of the catalog is recorded again."""
        self.write_note(UNSURE, why)

    def note_refused_adoptions(
        self, refused: Mapping[Address, str], adopted: Iterable[Address]
    ) -> None:
        """Records the ids that people have named and `adopt` has refused, until they are taken."""
        settled = set(map(str, adopted))
        before = self.refused_adoptions
        kept = {name: id_ for name, id_ in before.items() if name not in settled}
        kept |= {str(address): id_ for address, id_ in refused.items()}
        if kept != before:
            self.write_note(REFUSED, json.dumps(kept, sort_keys=True))

    def write_note(self, key: str, text: str) -> None:
        """Keeps something that no record has; an empty text removes it."""
        with self.log.write_entry("claim", {}) as db:
            db.execute("DELETE FROM meta WHERE key = ?", (key,))
            if text:
                db.execute("INSERT INTO meta VALUES (?, ?)", (key, text))

    def remember_forms(self, forms: Mapping[str, str]) -> None:
        """Keeps the fingerprints that `PeopleCodes.known_forms` gives back."""
        with self.log.write_entry("forms", {}):
            self.codes.keep_forms(forms)

    def rebind_instance(self, instance: str) -> None:
        """Says that the instance has another address now."""
        with self.log.write_entry("rebind", {"from": self.instance, "to": instance}) as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES ('instance', ?)", (instance,))

    def write_intent(self, call: JournaledCall, below: Sequence[Address] = ()) -> None:
        """Writes down a call that is about to be made; on return it is on disk.

        `below` are the resources that later calls of the plan create in what this one creates.
        """
        data = {
            "route": call.route,
            "addresses": [str(part.address) for part in call.parts],
            "body": call.body_hash,
            "plan": call.plan,
            "commit": call.commit,
            "attempt": call.attempt,
            "markers": [part.marker for part in call.parts if part.marker],
        }
        if below:
            data["below"] = list(map(str, below))
        with self.log.write_entry("intent", data, call.op, announces=True) as db:
            record_rows.insert_call(db, call)

    def write_outcome(self, op: str, status: CallStatus, data: Mapping[str, Any]) -> None:
        """Writes down how a call ended; on return it is on disk."""
        with self.log.write_entry("outcome", {"status": status, **data}, op) as db:
            record_rows.update_call(db, op, status, data.get("answer"))

    def settle_call(
        self,
        op: str,
        records: Sequence[Record] = (),
        *,
        status: CallStatus = CallStatus.SETTLED,
        because: Mapping[str, Any] | None = None,
    ) -> None:
        """Records what a call made; with a status that is open, what is not recorded stays open."""
        names = [str(record.address) for record in records]
        data = {"status": status, "recorded": names, **(because or {})}
        # Records and status change in one transaction: after a crash in between, the next run would
        # look for what is recorded already.
        with self.log.write_entry("settled", data, op) as db:
            record_rows.put_records(db, list(map(self._with_pair, records)))
            if status.is_open:  # else all of its parts leave at once
                record_rows.delete_call_parts(db, op, names)
            record_rows.set_call_status(db, op, status)

    def drop_parts(self, op: str, because: Mapping[Address, str]) -> None:
        """Takes parts out of a call that did not do them, each for its reason."""
        refused = {str(address): why for address, why in because.items()}
        with self.log.write_entry("refused", {"refused": refused}, op) as db:
            record_rows.delete_call_parts(db, op, refused)

    def put_records(self, records: Iterable[Record], *, reason: str) -> None:
        """Records something that no call was needed for."""
        rows = list(records)
        data = {"reason": reason, "addresses": [str(record.address) for record in rows]}
        with self.log.write_entry("record", data) as db:
            record_rows.put_records(db, list(map(self._with_pair, rows)))

    def keep_pairs(self, pairs: Mapping[PairKey, Ids]) -> None:
        """Records ids that reads have shown, by batch and mark; a run that only reads remembers
        them. Forms stay as they are, so the serial does."""
        super().keep_pairs(pairs)
        if self._holds:
            self._write_pairs()

    def _write_pairs(self) -> None:
        unwritten: dict[str, list[str]] = {}
        for batch, marker in self.read_pairs:
            if (batch, marker) not in self._written:
                unwritten.setdefault(batch, []).append(marker)
        for batch, markers in unwritten.items():
            pairs = {marker: self.read_pairs[batch, marker] for marker in markers}
            members = record_rows.list_members(self.db, batch, indexed=True)
            data = {"addresses": [str(one.address) for one in members if one.marker in pairs]}
            with self.log.write_entry(log_entries.PAIR, data, batch) as db:
                record_rows.put_pairs(db, members, pairs)
            self._written.update((batch, marker) for marker in pairs)

    def keep_found_parts(self, found: Mapping[Address, tuple[Ids, Ids]]) -> None:
        """Records ids of parts that no read had shown before: by address what was recorded when
        they were read, and what is now. Forms stay as they are, so the serial does."""
        now = {
            str(address): spell_ids(after)
            for address, (before, after) in found.items()
            if (record := self.find_record(address)) and record.known_ids == before
        }
        if now:
            with self.log.write_entry(log_entries.PAIR, {"addresses": [*now]}) as db:
                rows = [(ids, name) for name, ids in now.items()]
                db.executemany("UPDATE resource SET ids = ? WHERE address = ?", rows)

    def forget_addresses(
        self, addresses: Iterable[Address], *, reason: str, wholly: bool = False
    ) -> None:
        """Stops managing something; the platform keeps it.

        Its ids are kept, so that what comes back to the catalog is not made a second time;
        `wholly` drops them.
        """
        names = [str(address) for address in addresses]
        if wholly:
            self._refuse_unpaired(names)
        data = {"reason": reason, "addresses": names, "wholly": wholly}
        with self.log.write_entry("forget", data) as db:
            record_rows.drop_records(db, names, wholly=wholly)
            record_rows.grow_serial(db)

    def _refuse_unpaired(self, names: Iterable[str]) -> None:
        """Raises `StateError` for what was made in a batch and may have any of its ids, unless the
        last look has found none of these ids."""
        missing = {one.address for one in self.list_findings() if one.missing}
        for address in map(Address.parse, names):
            record = self.find_record(address)
            batch = self.list_batch(one.batch) if record and (one := record.unpaired) else ()
            if any(one.address not in missing and one.key not in self._unshown for one in batch):
                raise StateError(
                    f"{address} was made, and no read has shown yet which ids it has, so these "
                    "cannot be dropped",
                    f"`lmssync drift {address}` reads and records them",
                )

    def keep_requests(self, asked: Mapping[Address, Sequence[ManualStep]]) -> None:
        """Remembers what an apply has found for people to do; the same as before is not written."""
        before = self.open_steps(include_forgotten=True)
        news = record_rows.changed_requests(before, asked)
        # Nothing new is no entry: else each apply would lengthen the log that a whole team reads.
        if news is not None:
            data = {"steps": [" ".join(key) for key in news]}
            with self.log.write_entry("asked", data) as db:
                record_rows.replace_steps(db, before, news, log_entries.now_utc())

    def confirm_steps(
        self, addresses: Iterable[Address], *, records: Sequence[Record], gone: Iterable[Address]
    ) -> None:
        """Closes all steps of some addresses; of these, `records` hold now, `gone` are no more."""
        names, dropped = list(map(str, addresses)), list(map(str, gone))
        recorded = [str(record.address) for record in records]
        data = {"addresses": names, "recorded": recorded, "gone": dropped}
        self._refuse_unpaired(dropped)
        reason = "a person says: done by hand"
        with self.log.write_entry("done", {"reason": reason, **data}) as db:
            record_rows.close_steps(db, names)
            record_rows.put_records(db, list(map(self._with_pair, records)))
            record_rows.drop_records(db, dropped, wholly=True)
            record_rows.grow_serial(db)

    def close_shown_steps(self, steps: Sequence[OpenStep], records: Sequence[Record]) -> None:
        """Closes steps that a read shows as done, and records what it shows."""
        names = sorted({str(step.address) for step in steps})
        data = {"reason": "a read shows: done by hand", "addresses": names}
        with self.log.write_entry("done", data) as db:
            record_rows.close_steps(db, names, [step.manual.field for step in steps])
            record_rows.put_records(db, list(map(self._with_pair, records)))
            record_rows.grow_serial(db)

    def move_records(
        self, pairs: Mapping[Address, Address], *, because: Mapping[str, Any], manage: bool = True
    ) -> None:
        """Gives records, old to new, another address; whatever mentions them says the new one.

        What was forgotten is managed again, unless it is not to (`manage`).
        """
        moved = {str(old): str(new) for old, new in pairs.items()}
        with self.log.write_entry("move", {"moved": moved, **because}) as db:
            record_rows.move_rows(db, pairs, log_entries.now_utc(), manage=manage)
            record_rows.grow_serial(db)

    def set_protections(self, protections: Mapping[Address, bool]) -> None:
        """Remembers what is protected, and what is not any more."""
        on = [str(address) for address, wanted in protections.items() if wanted]
        off = [str(address) for address, wanted in protections.items() if not wanted]
        with self.log.write_entry("protect", {"protected": on, "released": off}) as db:
            record_rows.write_protections(db, on, off)

    def keep_rows(self, op: str, rows: Sequence[ListRow], about: Mapping[str, Any]) -> None:
        """Writes down rows of a list: those that are about to be sent, and what became of others.

        On return it is on disk, and what is about to be sent is known to everybody.
        """
        states = Counter(row.state for row in rows)
        announces = states.pop(RowState.SENT, 0) > 0
        data = {**about, "ended": states}
        with self.log.write_entry(log_entries.ROWS, data, op, announces=announces) as db:
            list_rows.put_list_rows(db, rows)

    def note_drift(
        self, looked: Set[Address], found: Mapping[Address, tuple[bool, Sequence[str]]]
    ) -> None:
        """Remembers what a look has found: by address, whether it is missing, and what differs.

        Nothing recorded changes, so the serial stays.
        """
        now, recorded = log_entries.now_utc(), self.fingerprints()
        news = [DriftFinding(a, recorded[a], now, *how) for a, how in found.items()]
        after = merge_findings(self.list_findings(), looked, news)
        if after or self.list_findings():
            with self.log.write_entry("prove", {"count": len(after)}) as db:
                row = FINDINGS, spell_findings(after)
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)

    def keep_proofs(self, proven: Iterable[Proof]) -> None:
        """Remembers what reads have shown, some at a time: an entry is made in the memory.

        Nothing recorded changes, so the serial stays.
        """
        rest = iter(proven)
        while rows := list(islice(rest, _TOGETHER)):
            with self.log.write_entry("prove", {"count": len(rows)}) as db:
                proofs.put_proofs(db, rows, log_entries.now_utc())
