"""The state in a SQLite file: WAL, and every commit is on disk before anything depends on it."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..address import Address
from ..errors import StateError
from ..kinds.kind import Manual
from . import lock, memory, moves, opening, steps
from .damage import reading, stamp, unwritten
from .files import placed
from .reader import StateReader
from .records import JournaledCall, Record, Status
from .rows import row_of, row_of_part


class SqliteStore(StateReader):
    """Reads the state; writes it only inside `locked()`."""

    def __init__(self, file: Path, *, inside: Path | None = None, read_only: bool = False) -> None:
        """Opens the file, and makes it with its folder where there is none; raises `StateError`.

        It must lie `inside` of a folder, if one is given. Where it is only read, nothing is made.
        """
        real = placed(file, inside)
        self._fence: int | None = None
        if read_only:
            before = stamp(real)
            super().__init__(opening.to_read(real), real, before)
        else:
            super().__init__(opening.to_write(real, inside), real)

    # Writing

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Holds the state for writing; raises `StateLocked` when another run has it."""
        with lock.held(self._file, self._db) as fence:
            self._fence = fence
            try:
                yield fence
            finally:
                memory.remember(self._file, self)
                self._fence = None

    def check_age(self) -> None:
        """Raises `StateError` if a later state, or another one, was here before."""
        memory.check(self._file, self)

    def claim(self, environment: str, instance: str) -> None:
        """Makes this the state of an environment and of one instance, once and for all."""
        with reading(self._file), self._db:
            self._db.executemany(
                "INSERT OR IGNORE INTO meta VALUES (?, ?)",
                [("environment", environment), ("instance", instance)],
            )

    def rebind(self, instance: str) -> None:
        """Says that the instance has another address now."""

        def write() -> None:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('instance', ?)", (instance,))

        self._append("", "rebind", {"from": self.instance, "to": instance}, write)

    def intend(self, call: JournaledCall) -> None:
        """Writes down a call that is about to be made; on return it is on disk."""

        def write() -> None:
            self._db.execute(
                "INSERT INTO operation VALUES (?, 'intent', ?, ?, ?, ?, ?, ?, NULL, ?)",
                (
                    call.op,
                    call.route,
                    json.dumps(call.params),
                    call.body_hash,
                    call.plan,
                    call.commit,
                    call.attempt,
                    call.started_at,
                ),
            )
            self._db.executemany(
                "INSERT INTO member VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(call.op, n, *row_of_part(p)) for n, p in enumerate(call.parts)],
            )

        data: dict[str, Any] = {
            "route": call.route,
            "addresses": [str(part.address) for part in call.parts],
            "body": call.body_hash,
        }
        data |= {"plan": call.plan, "commit": call.commit, "attempt": call.attempt}
        data |= {"markers": [part.marker for part in call.parts if part.marker]}
        self._append(call.op, "intent", data, write)

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
        """Takes parts out of a call: the platform refused them inside a successful answer."""
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
        before = self.steps(asleep=True)
        news = steps.news(before, asked)
        if news is not None:
            told = {"steps": [" ".join(key) for key in news]}
            self._append(
                "", "asked", told, lambda: steps.replace(self._db, before, news, lock.now())
            )

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
        except (sqlite3.Error, zlib.error) as error:
            raise unwritten(self._file, error) from error
