"""Writes the log of a state that is kept in its own file: backend and replica in one."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Any

from ..errors import StateError, StateLocked
from . import leases, log_entries
from .damage import explain_write_errors
from .leases import Lease
from .log_entries import LogEntry
from .row_changes import Changes

Tell = Callable[[str], None]
_PAUSE = 1.0
"""Seconds between two attempts to lock a state that another run has locked."""


class Log:
    """The log of one state; `fence` is the number of the run that may write, if there is one."""

    def __init__(self, db: sqlite3.Connection, file: Path, tell: Tell) -> None:
        self._db, self._file, self._tell = db, file, tell
        self.changes = Changes(db)
        self._mutex = RLock()
        self._run = token_hex(4)  # a name by which the entries of this run are found in the log
        self.fence: int | None = None

    @contextmanager
    def hold_log(self, patience: float) -> Iterator[int]:
        """Locks the state for writing; raises `StateLocked` if another run has it for longer."""
        with ExitStack() as stack:
            self.fence = self._wait_for_hold(stack, patience)
            try:
                yield self.fence
            finally:
                self.fence = None

    def _wait_for_hold(self, stack: ExitStack, patience: float) -> int:
        end, told = time.monotonic() + patience, False
        while True:
            try:
                return stack.enter_context(self._take_hold())
            except StateLocked as error:
                if (left := end - time.monotonic()) <= 0:
                    raise
                if not told:
                    self._tell(f"waiting up to {patience:,.0f} s: {error.message}")
                    told = True
                time.sleep(min(left, _PAUSE))

    @property
    def held_for(self) -> float | None:
        """Seconds since this run took the lease; None for a file, which only one machine writes."""
        return None

    @contextmanager
    def _take_hold(self) -> Iterator[int]:
        with leases.hold_state(self._file, self._db) as fence:
            leases.refuse_moved(leases.current_lease(self._db))
            yield fence

    @contextmanager
    def write_entry(
        self, type_: str, data: Mapping[str, Any], op: str = "", *, announces: bool = False
    ) -> Iterator[sqlite3.Connection]:
        """One durable transaction, and the entry that tells of it with every row that it changes.

        What `announces` a call is where everybody finds it before this returns.
        """
        with self._fenced_transaction() as (db, fence):
            # A transaction that failed may have left rows behind; they must not go into this entry.
            self.changes.forget_rows()
            yield db
            # The rows are packed before the entry is inserted, inside the transaction that writes
            # them: the log and the tables are on disk together or not at all.
            packed = self.changes.pack_rows(db)
            last = log_entries.last_entry(db)
            about = fence, type_, log_entries.now_utc(), json.dumps(data), self._run, packed
            log_entries.insert_entry(
                db, LogEntry(last.seq + 1, op, *about).follow_entry(last.digest)
            )
            self._finish_entry(db, announces=announces)

    def leave_for(self, url: str) -> None:
        """Says that the state is somewhere else from now on."""
        lease = leases.current_lease(self._db)._replace(
            fence=self.fence or 0, run=self._run, moved=url
        )
        data = {name: value for name, value in lease._asdict().items() if name != "here"}
        with self.write_entry(log_entries.FORWARD, data, announces=True) as db:
            leases.keep_lease(db, lease)

    @property
    def holder(self) -> Lease | None:
        """The last holder of the file's lock, as far as the file can say it; None if nobody has
        it."""
        with leases.lock_beside(self._file) as ours:
            return None if ours else leases.lease_of_file_lock(self._db)

    def break_lease(self, held: Lease) -> None:
        """The lock of a file ends with its process, and in no other way."""
        raise StateLocked(
            f"{held.describe_holder} has locked the state on this machine",
            "end that process: its lock ends with it",
        )

    def _finish_entry(self, db: sqlite3.Connection, *, announces: bool) -> None:
        """Called inside each transaction. Here, what is committed is with everybody."""

    @contextmanager
    def _fenced_transaction(self) -> Iterator[tuple[sqlite3.Connection, int]]:
        """A transaction of the run that has the lock."""
        if self.fence is None:
            raise StateError("the state may be written only while it is locked")
        with explain_write_errors(self._file), self._mutex, self._db as db:
            # IMMEDIATE takes the write lock now. A transaction that begins by reading could find,
            # when it wants to write, that another connection has written since, and SQLite would
            # fail it at once, whatever the timeout is.
            db.execute("BEGIN IMMEDIATE")
            leases.guard_fence(db, self.fence)
            yield db, self.fence
