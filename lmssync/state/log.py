"""Writes the log of a state that is kept in its own file: home and replica in one."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from ..errors import StateError, StateLocked
from . import entries, leases, lock
from .changes import Changes
from .damage import writing
from .entries import LogEntry
from .leases import Lease

Tell = Callable[[str], None]
_PAUSE = 1.0
"""Seconds between two attempts to get a state that another run holds."""


class Log:
    """The log of one state; `fence` is the number of the run that may write, if there is one."""

    def __init__(self, db: sqlite3.Connection, file: Path, tell: Tell) -> None:
        self._db, self._file, self._tell = db, file, tell
        self._changes = Changes(db)
        self._mutex = RLock()
        self._run = leases.new_run()
        self.fence: int | None = None

    @contextmanager
    def held(self, patience: float) -> Iterator[int]:
        """Holds the state for writing; raises `StateLocked` if another run has it for longer."""
        with ExitStack() as stack:
            self.fence = self._got(stack, patience)
            try:
                yield self.fence
            finally:
                self.fence = None

    def _got(self, stack: ExitStack, patience: float) -> int:
        end, told = time.monotonic() + patience, False
        while True:
            try:
                return stack.enter_context(self._taken())
            except StateLocked as error:
                if (left := end - time.monotonic()) <= 0:
                    raise
                if not told:
                    self._tell(f"waiting up to {patience:,.0f} s: {error.message}")
                    told = True
                time.sleep(min(left, _PAUSE))

    @property
    def held_for(self) -> float | None:
        """Seconds for which this run has held a state that other machines write as well."""
        return None

    @contextmanager
    def _taken(self) -> Iterator[int]:
        with lock.held(self._file, self._db) as fence:
            leases.refuse_moved(leases.current(self._db))
            yield fence

    @contextmanager
    def entry(
        self, type_: str, data: Mapping[str, Any], op: str = "", *, announces: bool = False
    ) -> Iterator[sqlite3.Connection]:
        """One durable transaction, and the entry that tells of it with every row that it changes.

        What `announces` a call is where everybody finds it before this returns.
        """
        with self._transaction() as (db, fence):
            self._changes.clear()
            yield db
            packed = self._changes.packed(db)
            last = entries.head(db)
            about = fence, type_, lock.now(), json.dumps(data), self._run, packed
            entries.add(db, LogEntry(last.seq + 1, op, *about).after(last.digest))
            self._added(db, announces=announces)

    def leave(self, url: str) -> None:
        """Says that the state is somewhere else from now on."""
        lease = leases.current(self._db)._replace(fence=self.fence or 0, run=self._run, moved=url)
        data = {name: value for name, value in lease._asdict().items() if name != "here"}
        with self.entry(entries.FORWARD, data, announces=True) as db:
            leases.keep(db, lease)

    @property
    def holder(self) -> Lease | None:
        """Who holds the state, as far as a file can say it; None if nobody does."""
        with lock.alone(self._file) as ours:
            return None if ours else leases.of_file(self._db)

    def break_lease(self, held: Lease) -> None:
        """The lock of a file ends with its process, and in no other way."""
        raise StateLocked(
            f"the state is held by {held.words}, by a lock of this machine",
            "end that process: the lock goes with it",
        )

    def _added(self, db: sqlite3.Connection, *, announces: bool) -> None:
        """Called inside each transaction. Here, what is committed is with everybody."""

    @contextmanager
    def _transaction(self) -> Iterator[tuple[sqlite3.Connection, int]]:
        """A transaction of the run that holds the lock."""
        if self.fence is None:
            raise StateError("the state may be written only while it is locked")
        with writing(self._file), self._mutex, self._db as db:
            db.execute("BEGIN IMMEDIATE")
            lock.guard(db, self.fence)
            yield db, self.fence
