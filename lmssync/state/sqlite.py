"""The state in a SQLite file: WAL, and every commit is on disk before anything depends on it."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..address import Address
from ..errors import StateError
from ..kinds.kind import Manual
from . import lock, memory, moves, steps
from .codes import Codes
from .records import Entry, Member, Operation, Record, Status, Step
from .rows import OPERATION, RECORD, operation_of, record_of, row_of
from .schema import prepare


class SqliteStore:
    """Reads the state; writes it only inside `locked()`."""

    def __init__(self, file: Path) -> None:
        """Opens the file, and makes it with its folder where there is none; raises `StateError`."""
        self._file = file
        self._fence: int | None = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, timeout=10, isolation_level="IMMEDIATE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            prepare(self._db, file)
        except (OSError, sqlite3.Error) as error:
            raise StateError(
                f"the state {file} cannot be opened: {error}",
                "check the folder's permissions and space, or set `state` in lmssync.yaml",
            ) from error
        self.codes = Codes(self._db, file)
        """What the state calls people."""

    def close(self) -> None:
        self._db.close()

    # Reading

    @property
    def lineage(self) -> str:
        """Set once, when the state is born; states of different lineages never compare."""
        return self._meta("lineage")

    @property
    def serial(self) -> int:
        """Grows by one with each recorded change."""
        return int(self._meta("serial"))

    @property
    def environment(self) -> str | None:
        """The environment whose platform this state is about; none before the first write."""
        return self._meta_or_none("environment")

    @property
    def instance(self) -> str | None:
        """Address of the instance whose ids stand in this state; none before the first write."""
        return self._meta_or_none("instance")

    @property
    def empty(self) -> bool:
        """True if it knows of nothing, and of no call."""
        query = "SELECT EXISTS (SELECT 1 FROM resource) OR EXISTS (SELECT 1 FROM operation)"
        return not self._db.execute(query).fetchone()[0]

    def _meta_or_none(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _meta(self, key: str) -> str:
        value: str = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
        return value

    def fingerprints(self) -> dict[Address, str]:
        """What is recorded, without opening any of it."""
        rows = self._db.execute("SELECT address, fingerprint FROM resource WHERE NOT forgotten")
        return {Address.parse(address): fingerprint for address, fingerprint in rows}

    def forgotten(self) -> set[Address]:
        """What left the catalog and is still on the platform: it may come back."""
        rows = self._db.execute("SELECT address FROM resource WHERE forgotten")
        return {Address.parse(address) for (address,) in rows}

    def record(self, address: Address) -> Record | None:
        row = self._db.execute(
            f"SELECT {RECORD} FROM resource WHERE address = ?", (str(address),)
        ).fetchone()
        return record_of(row) if row else None

    def records(self) -> Iterator[Record]:
        """All records of what is managed, in the order of their addresses."""
        query = f"SELECT {RECORD} FROM resource WHERE NOT forgotten ORDER BY address"
        for row in self._db.execute(query):
            yield record_of(row)

    def ids_of(self, kind: str) -> set[str]:
        """Every id that is recorded for a kind, so that none is given to two resources."""
        rows = self._db.execute("SELECT ids FROM resource WHERE address GLOB ?", (f"{kind}.*",))
        return {id_ for (ids,) in rows for id_ in json.loads(ids)["own"].values()}

    def protected(self) -> set[Address]:
        """What the catalog of the last apply protected: it may have left the catalog since."""
        rows = self._db.execute("SELECT address FROM protected")
        return {Address.parse(address) for (address,) in rows}

    def left(self) -> dict[Address, int]:
        """Addresses that something has moved away from, and how often that was."""
        rows = self._db.execute("SELECT old, count(*) FROM moved GROUP BY old")
        return {Address.parse(address): times for address, times in rows}

    def steps(self, *, asleep: bool = False) -> list[Step]:
        """What only people can do and nobody has confirmed, by address.

        Steps of what has left the catalog are `asleep`: they come back if it does.
        """
        aside = set() if asleep else self.forgotten()
        return [step for step in steps.read(self._db) if step.address not in aside]

    def open_operations(self) -> list[Operation]:
        """Calls that are not settled, oldest first."""
        rows = self._db.execute(
            f"SELECT {OPERATION} FROM operation WHERE status <> 'settled' ORDER BY op"
        ).fetchall()
        return [operation_of(row, self._members(row[0])) for row in rows]

    def waits(self, address: Address) -> bool:
        """True if nobody knows yet what became of a call about it."""
        open_ = self.open_operations()
        return any(member.address == address for op in open_ for member in op.members)

    def _members(self, op: str) -> tuple[Member, ...]:
        rows = self._db.execute(
            "SELECT address, form, marker, adds, repeatable, last FROM member"
            " WHERE op = ? ORDER BY position",
            (op,),
        )
        return tuple(
            Member(Address.parse(a), form, marker, bool(adds), bool(again), bool(last))
            for a, form, marker, adds, again, last in rows
        )

    def journal(self) -> Iterator[Entry]:
        """The whole journal, oldest first."""
        for seq, op, fence, type_, time, data in self._db.execute(
            "SELECT seq, op, fence, type, time, data FROM journal ORDER BY seq"
        ):
            yield Entry(seq, op, fence, type_, time, json.loads(data))

    # Writing

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Holds the state for writing; raises `StateLocked` when another run has it."""
        with lock.held(self._file, self._db) as fence:
            self._fence = fence
            try:
                yield fence
            finally:
                memory.remember(lock.file_of(self._file), self)
                self._fence = None

    def check_age(self) -> None:
        """Raises `StateError` if a later state, or another one, was here before."""
        memory.check(lock.file_of(self._file), self)

    def claim(self, environment: str, instance: str) -> None:
        """Makes this the state of an environment and of one instance, once and for all."""
        with self._db:
            self._db.executemany(
                "INSERT OR IGNORE INTO meta VALUES (?, ?)",
                [("environment", environment), ("instance", instance)],
            )

    def rebind(self, instance: str) -> None:
        """Says that the instance has another address now."""

        def write() -> None:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('instance', ?)", (instance,))

        self._append("", "rebind", {"from": self.instance, "to": instance}, write)

    def intend(self, operation: Operation) -> None:
        """Writes down a call that is about to be made; on return it is on disk."""
        members = [str(member.address) for member in operation.members]

        def write() -> None:
            self._db.execute(
                "INSERT INTO operation VALUES (?, 'intent', ?, ?, ?, ?, ?, ?, NULL, ?)",
                (
                    operation.op,
                    operation.route,
                    json.dumps(operation.params),
                    operation.body_hash,
                    operation.plan,
                    operation.commit,
                    operation.attempt,
                    operation.started_at,
                ),
            )
            self._db.executemany(
                "INSERT INTO member VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        operation.op,
                        n,
                        str(m.address),
                        m.packed,
                        m.marker,
                        m.adds,
                        m.repeatable,
                        m.last,
                    )
                    for n, m in enumerate(operation.members)
                ],
            )

        data: dict[str, Any] = {
            "route": operation.route,
            "addresses": members,
            "body": operation.body_hash,
        }
        data |= {"plan": operation.plan, "commit": operation.commit, "attempt": operation.attempt}
        data |= {"markers": [member.marker for member in operation.members if member.marker]}
        self._append(operation.op, "intent", data, write)

    def outcome(self, op: str, status: Status, data: Mapping[str, Any]) -> None:
        """Writes down how a call ended; on return it is on disk."""

        def write() -> None:
            self._db.execute(
                "UPDATE operation SET status = ?, answer = ? WHERE op = ?",
                (status, json.dumps(data.get("answer")), op),
            )
            self._forget_members(op, status)

        self._append(op, "outcome", {"status": status, **data}, write)

    def settle(
        self,
        op: str,
        records: Iterable[Record] = (),
        *,
        status: Status = Status.SETTLED,
        because: Mapping[str, Any] | None = None,
    ) -> None:
        """Records what a call made; with a status that is open, what is not recorded stays open."""
        rows = list(records)
        names = [str(record.address) for record in rows]

        def write() -> None:
            self._put(rows)
            self._db.execute("UPDATE operation SET status = ? WHERE op = ?", (status, op))
            self._db.executemany(
                "DELETE FROM member WHERE op = ? AND address = ?", [(op, name) for name in names]
            )
            self._forget_members(op, status)

        data = {"status": status, "recorded": names, **(because or {})}
        self._append(op, "settled", data, write)

    def drop(
        self, op: str, addresses: Iterable[Address], *, because: Mapping[Address, str]
    ) -> None:
        """Takes members out of a call: the platform refused them inside a successful answer."""
        names = [str(address) for address in addresses]

        def write() -> None:
            self._db.executemany(
                "DELETE FROM member WHERE op = ? AND address = ?", [(op, name) for name in names]
            )

        data = {"refused": {str(address): why for address, why in because.items()}}
        self._append(op, "refused", data, write)

    def put(self, records: Iterable[Record], *, reason: str) -> None:
        """Records something that no call was needed for."""
        rows = list(records)
        data = {"reason": reason, "addresses": [str(record.address) for record in rows]}
        self._append("", "record", data, lambda: self._put(rows))

    def forget(self, addresses: Iterable[Address], *, reason: str, wholly: bool = False) -> None:
        """Stops managing something; the platform keeps it.

        Its ids are kept, so that what comes back to the catalog is not made a second time;
        `wholly` drops them.
        """
        names = [str(address) for address in addresses]

        def write() -> None:
            self._drop(names, wholly=wholly)
            self._grow()

        data = {"reason": reason, "addresses": names, "wholly": wholly}
        self._append("", "forget", data, write)

    def ask(self, asked: Mapping[Address, Sequence[Manual]]) -> None:
        """Remembers what an apply has found for people to do; the same as before is not written."""
        news = steps.news(self._db, asked)
        if news is not None:
            told = {"steps": [" ".join(key) for key in news]}
            self._append("", "asked", told, lambda: steps.replace(self._db, news, lock.now()))

    def confirm(
        self, addresses: Iterable[Address], *, records: Iterable[Record], gone: Iterable[Address]
    ) -> None:
        """Closes all steps of some addresses; of these, `records` hold now, `gone` are no more."""
        rows, names, dropped = list(records), list(map(str, addresses)), list(map(str, gone))

        def write() -> None:
            steps.close(self._db, names)
            self._put(rows)
            self._drop(dropped, wholly=True)
            self._grow()

        told = {"addresses": names, "recorded": [str(row.address) for row in rows], "gone": dropped}
        self._append("", "done", {"reason": "a person says: done by hand", **told}, write)

    def move(self, pairs: Mapping[Address, Address], *, because: Mapping[str, Any]) -> None:
        """Gives records, old to new, another address; whatever mentions them says the new one."""

        def write() -> None:
            moves.carry_out(self._db, pairs, lock.now())
            self._grow()

        told = {str(old): str(new) for old, new in pairs.items()}
        self._append("", "move", {"moved": told, **because}, write)

    def protect(self, protections: Mapping[Address, bool]) -> None:
        """Remembers what is protected, and what is not any more."""
        on = [str(address) for address, wanted in protections.items() if wanted]
        off = [str(address) for address, wanted in protections.items() if not wanted]

        def write() -> None:
            add = "INSERT OR IGNORE INTO protected VALUES (?)"
            self._db.executemany(add, [(name,) for name in on])
            self._db.executemany(
                "DELETE FROM protected WHERE address = ?", [(name,) for name in off]
            )

        self._append("", "protect", {"protected": on, "released": off}, write)

    def _drop(self, names: Iterable[str], *, wholly: bool) -> None:
        rows = [(name,) for name in names]
        change = "DELETE FROM resource" if wholly else "UPDATE resource SET forgotten = 1"
        self._db.executemany(f"{change} WHERE address = ?", rows)
        self._db.executemany("DELETE FROM protected WHERE address = ?", rows)
        if wholly:
            steps.close(self._db, [name for (name,) in rows])

    def _put(self, records: list[Record]) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
            [row_of(record) for record in records],
        )
        steps.leave(self._db, records, lock.now())
        if records:
            self._grow()

    def _grow(self) -> None:
        self._db.execute("UPDATE meta SET value = value + 1 WHERE key = 'serial'")

    def _forget_members(self, op: str, status: Status) -> None:
        if not status.open:
            self._db.execute("DELETE FROM member WHERE op = ?", (op,))

    def _append(
        self, op: str, type_: str, data: Mapping[str, Any], write: Callable[[], None]
    ) -> None:
        """One journal line and what goes with it, in one durable transaction."""
        if self._fence is None:
            raise StateError("the state may be written only while it is locked")
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                lock.guard(self._db, self._fence)
                self._db.execute(
                    "INSERT INTO journal (op, fence, type, time, data) VALUES (?, ?, ?, ?, ?)",
                    (op, self._fence, type_, lock.now(), json.dumps(data)),
                )
                write()
        except sqlite3.Error as error:
            raise StateError(
                f"the state {self._file} cannot be written: {error}",
                "nothing was sent after this; free the disk and run again",
            ) from error
