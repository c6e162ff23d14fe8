"""Reads the state: records, open calls, moves, manual steps, proofs and rows of lists."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from ..errors import LmssyncError, StateError
from ..kind import CallPart, Ids
from ..resource import Address
from . import log_entries, proofs, replica
from .backends import SharedState
from .damage import Stamp, explain_read_errors, refuse_written
from .id_columns import JoinedIds, KnownIds
from .journal_history import Event, journal_events
from .list_rows import ANSWERED, OPEN, ROW, ListRow, row_of
from .log_entries import LogEntry
from .other_states import OtherStates
from .people_codes import PeopleCodes
from .proofs import DriftFinding, Proof, ProofTotals
from .record_rows import (
    CALL,
    PART,
    RECORD,
    STEP,
    call_of,
    expect_rest,
    list_bare_records,
    list_members,
    list_unpaired,
    part_of,
    record_of,
    step_of,
)
from .release_records import RELEASES, ReleaseRecord, parse_releases
from .sealed_rows import SealedTables, StateIdentity
from .state_records import (
    JournaledCall,
    JournalEntry,
    OpenStep,
    PairedIds,
    Pairing,
    PairKey,
    Record,
    UnpairedIds,
)


class StateReader(StateIdentity):
    """Reads one state; every method raises `StateError` for one that is damaged."""

    _holds = False
    """True while this run has locked the state for writing."""

    def __init__(
        self,
        db: sqlite3.Connection,
        file: Path,
        before: Stamp | None = None,
        shared: SharedState | None = None,
    ) -> None:
        self.db, self._before, self.shared = db, before, shared
        self.file = file
        """The path of the state, or of its replica."""
        self._sealed = SealedTables(db, file, before, is_replica=shared is not None)
        self.known_ids = KnownIds(self._sealed)
        self.read_pairs = PairedIds()
        """Ids that this run has read, by batch and mark: a run that only reads keeps them so."""
        self._unshown: dict[PairKey, Ids] = {}
        self._unclear: dict[PairKey, LmssyncError] = {}
        self.pairing: Pairing | None = None
        """Reads which ids of a batch are whose, where a run has a platform to ask."""
        self.others = OtherStates()
        self._sealed.read_metas()  # codes are made with a key that stands there
        self.codes = PeopleCodes(db, file, shared.key if shared else None)
        """The codes that the state has in place of people."""

    def close(self) -> None:
        self.db.close()
        if self.shared:
            self.shared.backend.close()

    def explain_errors(self) -> AbstractContextManager[None]:
        """Turns errors of reading into words."""
        return self._sealed.explain_errors()

    @property
    def on_disk(self) -> bool:
        """False where there is no state yet."""
        return bool(self.db.execute("PRAGMA database_list").fetchone()[2])

    @property
    def describe_doubt(self) -> str:
        """Why the platform may have resources of ours without a record; or nothing."""
        return self._sealed.read_metas().get(proofs.UNSURE, "")

    @property
    def refused_adoptions(self) -> dict[str, str]:
        """By address, the id that a person has named for it and `adopt` has refused."""
        return dict(json.loads(self._sealed.read_metas().get(proofs.REFUSED) or "{}"))

    @property
    def releases(self) -> dict[str, ReleaseRecord]:
        """What became of each release, by its name."""
        return parse_releases(self._sealed.read_metas().get(RELEASES, ""))

    @property
    def is_empty(self) -> bool:
        """True if it has no records and no calls."""
        (called,) = self.db.execute("SELECT EXISTS (SELECT 1 FROM operation)").fetchone()
        return not any(self._sealed.read_heads()) and not called

    def fingerprints(self) -> Mapping[Address, str]:
        """The fingerprint of every managed resource, read without opening the records."""
        return self._sealed.read_heads().fingerprints

    def forgotten_addresses(self) -> set[Address]:
        """The addresses that left the catalog and are still on the platform: they may come back."""
        return {*self._sealed.read_heads().forgotten}

    def find_record(self, address: Address) -> Record | None:
        row = self._sealed.read_row("resource", RECORD, ("address", str(address)), "record")
        return self._record_of(row) if row else None

    def find_records(self, addresses: Sequence[Address]) -> dict[Address, Record]:
        """The records of some addresses, in their order, by one query: for as many as fit into the
        memory."""
        rows = self._sealed.read_rows_of("resource", RECORD, addresses)
        # One without a row may be lost, which a look for it alone notices.
        records = (
            self._record_of(rows[name]) if (name := str(one)) in rows else self.find_record(one)
            for one in addresses
        )
        return {one: record for one, record in zip(addresses, records, strict=True) if record}

    def find_bare_records(self, addresses: Sequence[Address]) -> dict[Address, Record]:
        """Records with nothing but their own ids, to ask about what is read whole after that:
        only then seals are compared."""
        with self._sealed.explain_errors():
            bare = list_bare_records(self.db, addresses, self.find_pair)
            return {one.address: self._with_pair(one) for one in bare}

    def has_record(self, address: Address) -> bool:
        """Whether there is a record, which is not opened for this."""
        return bool(self.find_recorded([address]))

    def find_recorded(self, addresses: Iterable[Address]) -> set[Address]:
        """Those of some addresses that have a record, which is not opened for this."""
        names = {str(address): address for address in addresses}
        return {names[name] for name in self._sealed.find_resources([*names])}

    def addresses_of_kind(self, kind: str) -> list[Address]:
        """Everything of a kind that has a record, forgotten or not, by address."""
        return [Address.parse(name) for name in sorted(self._sealed.find_of_kind(kind))]

    def _record_of(self, row: tuple[Any, ...]) -> Record:
        return self._with_pair(record_of(row, self.find_pair))

    def _with_pair(self, record: Record) -> Record:
        """The record with the ids that this run has read, if it has."""
        paired = record.unpaired and self.read_pairs.get(record.unpaired.key)
        return record._replace(kept_ids=paired) if paired else record

    def find_pair(self, unpaired: UnpairedIds) -> Ids:
        """Which ids something has, read if no read has shown it yet; or raises `LmssyncError`."""
        if error := self.find_pairing_error(unpaired):
            raise error
        return self.read_pairs.get(unpaired.key) or self._unshown[unpaired.key]

    def explain_unpaired(self, address: Address) -> str:
        """Why nobody can tell which ids something has, though it was made; empty if they are
        known, or if it was not made."""
        record = self.find_record(address)
        error = self.find_pairing_error(record.unpaired) if record and record.unpaired else None
        return error.message if error else ""

    def find_pairing_error(self, unpaired: UnpairedIds) -> LmssyncError | None:
        """Why nobody can tell which ids something has, also after reading what can be read."""
        if self.pairing and not self.is_looked_up(unpaired):
            self.pairing([unpaired])
        if unpaired.key in self.read_pairs or unpaired.key in self._unshown:
            return None
        return self._unclear.get(unpaired.key) or StateError(
            f"{unpaired.address} was made, and no read has shown yet which ids it has",
            f"`lmssync drift {unpaired.address}` reads and records them",
        )

    def is_looked_up(self, unpaired: UnpairedIds) -> bool:
        """Whether this run has read all that can show which ids something has."""
        key = unpaired.key
        return key in self.read_pairs or key in self._unshown or key in self._unclear

    def keep_unclear(self, unpaired: UnpairedIds, error: LmssyncError) -> None:
        """Remembers, for this run, why nobody can tell which ids something has."""
        self._unclear[unpaired.key] = error

    def keep_unshown(self, pairs: Mapping[PairKey, Ids]) -> None:
        """Remembers, for this run, ids that can be nothing else's, though no read shows what they
        are of. They are not recorded, so the next run reads them again."""
        self._unshown |= pairs

    def keep_pairs(self, pairs: Mapping[PairKey, Ids]) -> None:
        """Remembers, for this run, ids that reads have shown, by batch and mark."""
        self.read_pairs.add_pairs(pairs)

    def unpaired_addresses(self) -> Iterator[Address]:
        """Everything of which no read has shown yet which ids it has, nor has this run."""
        with self._sealed.explain_errors():
            found = list_unpaired(self.db)
            yield from (Address.parse(name) for name, key in found if key not in self.read_pairs)

    def count_unpaired(self) -> int:
        """How many resources `unpaired_addresses` lists."""
        with self._sealed.explain_errors():
            return sum(key not in self.read_pairs for _, key in list_unpaired(self.db))

    def list_batch(self, batch: str) -> list[UnpairedIds]:
        """The members of a batch whose ids no read has shown yet, each with another one of the
        batch's remaining ids."""
        with self._sealed.explain_errors():
            members = list_members(self.db, batch, indexed=self._holds)
        found = {one.marker: self.read_pairs.get(one.key) for one in members}
        left = expect_rest(members, {one: ids for one, ids in found.items() if ids})
        return [one._replace(find=self.find_pair) for one in left]

    def find_ids(self, address: Address) -> Ids | None:
        """The ids of something recorded here, or managed by another slice of the catalog."""
        record = self.find_record(address)
        return record.ids if record else self.others.find_ids(address)

    def list_records(self, *, forgotten: bool = False) -> Iterator[Record]:
        """All records of what is managed, or of what was forgotten, by address."""
        self._sealed.read_heads()
        which = "forgotten" if forgotten else "NOT forgotten"
        rows = self._sealed.read_rows("resource", RECORD, f"WHERE {which} ORDER BY address")
        return map(self._record_of, rows)

    def ids_of(self, kinds: Collection[str], without: Set[str] = frozenset()) -> JoinedIds:
        """Every id that is recorded for some kinds, so that none is given to two resources; one
        that is written later is among them."""
        known = chain(self.known_ids.list_ids(kinds), self.others.list_ids(kinds))
        return JoinedIds(known, without)

    def protected_addresses(self) -> set[Address]:
        """The addresses that the catalog of the last apply protected: some may have left it
        since."""
        rows = self._sealed.read_all_rows("protected", "address")
        return {Address.parse(address) for (address,) in rows}

    def count_moves_away(self) -> dict[Address, int]:
        """Addresses that something has moved away from, and how often that was."""
        return Counter(
            Address.parse(address) for (address,) in self._sealed.read_all_rows("moved", "old")
        )

    def list_moves(self) -> Iterator[tuple[str, str, str]]:
        """Old address, new address and time of each move."""
        return self._sealed.read_all_rows("moved", "old, new, time")

    def open_steps(self, *, include_forgotten: bool = False) -> list[OpenStep]:
        """The manual steps that nobody has confirmed, by address. Those of resources that have left
        the catalog, which are asked for again if these come back, only with `include_forgotten`."""
        steps = list(map(step_of, self._sealed.read_all_rows("step", STEP)))
        aside = self.forgotten_addresses() if steps and not include_forgotten else set()
        return [step for step in steps if step.address not in aside]

    def find_proofs(self, wanted: Collection[Address] | None = None) -> dict[Address, Proof]:
        """The last proofs of some addresses, or of all."""
        rows = (
            self._sealed.read_all_rows("proof", proofs.PROOF)
            if wanted is None
            else self._sealed.read_rows_of("proof", proofs.PROOF, wanted).values()
        )
        return {proof.address: proof for proof in map(proofs.proof_of, rows)}

    def list_findings(self) -> list[DriftFinding]:
        """The findings of drift about managed resources whose record has not changed since."""
        known = proofs.parse_findings(self._sealed.read_metas().get(proofs.FINDINGS, ""))
        recorded = self.fingerprints()
        return [one for one in known if recorded.get(one.address) == one.fingerprint]

    def proof_totals(self, without: Collection[Address] = ()) -> ProofTotals:
        """The sum of the proofs of all that is managed as it is recorded now, `without` some."""
        every = self.fingerprints().items()
        with self._sealed.explain_errors():
            return proofs.sum_proofs(self.db, (one for one in every if one[0] not in without))

    def proof_times(self) -> dict[Address, str]:
        """When each resource was last compared as it is recorded now."""
        recorded = self.fingerprints().items()
        with self._sealed.explain_errors():
            rows = proofs.match_proofs(self.db, recorded)
            return {address: row[2] for address, row in rows if row and row[2]}

    def compared_addresses(self) -> Iterator[Address]:
        """Everything that was compared as it is recorded now, one by one."""
        with self._sealed.explain_errors():
            yield from map(Address.parse, proofs.list_compared(self.db))

    def uncounted_fingerprints(self) -> dict[Address, str]:
        """The fingerprints of all that is managed whose fields were not counted as it is recorded
        now."""
        with self._sealed.explain_errors():
            return {Address.parse(name): print_ for name, print_ in proofs.list_uncounted(self.db)}

    def open_calls(self) -> list[JournaledCall]:
        """Calls that are not settled, oldest first."""
        rows = self._sealed.open_calls(CALL)
        return [call_of(row, self._call_parts(row[0])) for row in rows]

    def unresolved_addresses(self) -> set[Address]:
        """The addresses of calls whose outcome is not known, or not recorded."""
        return {part.address for call in self.open_calls() for part in call.parts}

    def _call_parts(self, op: str) -> tuple[CallPart, ...]:
        rows = self._sealed.read_rows("member", PART, "WHERE op = ? ORDER BY position", op)
        return tuple(map(part_of, rows))

    def list_row(self, key: str) -> ListRow | None:
        """The row of a list with this key, if one was sent."""
        row = self._sealed.read_row("list_row", ROW, ("key", key))
        return row_of(row) if row else None

    def list_rows(self, *, only_open: bool = False) -> Iterator[ListRow]:
        """Every row of every list that was sent, or those without a known end, oldest first."""
        which = OPEN if only_open else "ORDER BY at, key"
        return map(row_of, self._sealed.read_all_rows("list_row", ROW, which))

    @property
    def row_count(self) -> int:
        """How many rows of lists there are; none is ever removed."""
        with self._sealed.explain_errors():
            (count,) = self.db.execute("SELECT count(*) FROM list_row").fetchone()
        return int(count)

    def answered_rows(
        self, operation: str, hashed_with: str, deed: str, since: int
    ) -> list[ListRow]:
        """The rows sent from a time on that the platform itself said are done."""
        about = operation, hashed_with, deed, since
        return list(map(row_of, self._sealed.read_rows("list_row", ROW, ANSWERED, *about)))

    def refuse_written(self) -> None:
        """Raises `StateError` if somebody has written the state since it was opened to be read."""
        refuse_written(self.file, self._before)

    def log_entries(self) -> Iterator[LogEntry]:
        """The whole log, oldest first."""
        backend = self.shared.backend if self.shared else None
        return replica.whole_log(self.db, backend) if backend else log_entries.read_entries(self.db)

    def journal_entries(self) -> Iterator[JournalEntry]:
        """The log as events for people, oldest first."""
        return (
            entry.as_journal_entry
            for entry in self.log_entries()
            if entry.type not in log_entries.QUIET
        )

    def sent_within(self, seconds: float = 3_600.0) -> Iterator[tuple[str, float]]:
        """Routes of the calls that any run has announced since then, and their ages in seconds.

        A new replica knows those since the snapshot that it was made from.
        """
        for age, data in log_entries.read_announced(self.db, seconds):
            # Rows of a list are announced together, many with one entry.
            yield from repeat((data["route"], max(age, 0.0)), data.get("sent", 1))

    def begun_within(self, seconds: float) -> frozenset[Address]:
        """What runs were going to create in resources that they have created since then."""
        each = (data.get("below", ()) for _, data in log_entries.read_announced(self.db, seconds))
        return frozenset(Address.parse(name) for names in each for name in names)

    def dropped_addresses(self) -> frozenset[Address]:
        """The addresses that were taken out of calls which did not make or change them."""
        query = "SELECT data FROM entry WHERE type = 'refused'"
        each = (json.loads(text)["refused"] for (text,) in self.db.execute(query))
        return frozenset(Address.parse(name) for refused in each for name in refused)

    def journal_history(self) -> list[Event]:
        """The journal as events, oldest first."""
        with explain_read_errors(self.file):
            return list(journal_events(self.journal_entries()))
