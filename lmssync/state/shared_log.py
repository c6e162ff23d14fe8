"""Writes the log of a state that is kept in a backend, by way of a replica."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, Timer

from ..errors import Fenced, NotHandedIn, StateError, StateLocked
from . import journal_history, leases, log_entries, replica
from .backends import StateBackend
from .damage import StateDamaged, explain_write_errors
from .leases import Lease
from .log_entries import Head, LogEntry
from .state_log import Log, Tell

_QUIET = 10.0
"""Seconds after which somebody wants to know what a run is doing."""


@contextmanager
def warn_if_slow(backend: StateBackend, tell: Tell) -> Iterator[None]:
    """Around whatever waits for the backend."""
    timer = Timer(_QUIET, tell, (f"waiting for an answer of {backend.place}",))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


_PAUSES = (0.0, 0.5, 2.0)
"""Seconds before each attempt."""
_ENOUGH = 60.0
"""Seconds after which a backend that gives no answer is not asked once more."""


def append_durably(
    backend: StateBackend, number: int, segment: bytes, about: str, *, otherwise: str
) -> bool:
    """True once the backend keeps the segment, False if it keeps another one under that number.

    Raises `StateError` if neither can be found out; `otherwise` says what that means for the run.
    """
    began, error = time.monotonic(), StateError("")
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            return (
                # A refused append is not yet a loss: the segment under this number may be our own,
                # written by an attempt whose answer never came. So it is read and compared.
                backend.append(number, segment, about)
                or read_segment_at(backend, number) == segment
            )
        except StateError as refused:
            error = refused
        if time.monotonic() - began > _ENOUGH:
            break
        try:
            # The append may have worked although it raised. Only what can be read there decides.
            there = read_segment_at(backend, number)
        except StateError:
            continue
        if there is not None:
            return there == segment
    raise StateError(error.message, f"{error.hint}; {otherwise}") from error


def read_segment_at(backend: StateBackend, number: int) -> bytes | None:
    """The segment of a number, if the backend has one."""
    return next(iter(backend.read(number - 1)), None)


WAITS = 1.5
"""Seconds after which an entry is handed in although no call follows."""
_TICK, _LATER = 0.25, 15.0
_GOES_ON = (
    "nothing was sent after this, and what was done before is recorded on this machine: then run"
    " the same command here again"
)
_ONLY_HERE = "what was done is recorded on this machine, and not yet where the state is kept"
_HANDS_IN = (
    "then run `lmssync apply` here, which appends it, and keep the folder .lmssync until then;"
    " others can go on at {}Z"
)


class SharedLog(Log):
    """The log of a state whose backend is elsewhere.

    What announces a call is in the backend before the call is sent. What does not, waits in the
    replica for the next such entry, a pause of the run, or its end.
    """

    def __init__(
        self, db: sqlite3.Connection, file: Path, backend: StateBackend, tell: Tell
    ) -> None:
        super().__init__(db, file, tell)
        self._backend = backend
        self._lease = Lease()
        self._renew_at = self._hand_in_at = float("inf")
        self._overtaken = False
        self._taken_at = time.monotonic()
        self._otherwise = "nothing was sent"
        """The consequence for the run if the backend cannot be written, for messages."""

    @property
    def held_for(self) -> float | None:
        return time.monotonic() - self._taken_at

    @contextmanager
    def _take_hold(self) -> Iterator[int]:
        with leases.lock_replica(self._file) as ours:
            if not ours:
                raise _running_here(self._db)
            with explain_write_errors(self._file), warn_if_slow(self._backend, self._tell):
                fence = self._take_lease()
            try:
                with _call_every_moment(self._keep_lease):
                    yield fence
            except BaseException:
                with suppress(StateError):  # what stopped the run is said, not what follows from it
                    self._release_lease()
                raise
            self._release_lease()

    def _take_lease(self) -> int:
        """Appends a lease to the log, unless another run has one."""
        while True:  # another run may append first: then its lease is read, and refuses this one
            replica.catch_up(self._db, self._backend)
            before = leases.current_lease(self._db)
            leases.refuse_moved(before)
            leases.refuse_held(before, self._backend.place)
            lease = leases.take_lease(before.fence + 1, self._run)
            with suppress(_Another), self._giving_back():
                self._tell_lease(self._db, lease, taking=True)
                self._taken_at, self._otherwise = time.monotonic(), _GOES_ON
                return lease.fence

    def _tell_lease(self, db: sqlite3.Connection, lease: Lease, *, taking: bool = False) -> None:
        with self._mutex, db:
            db.execute("BEGIN IMMEDIATE")
            if not taking:
                leases.guard_fence(db, lease.fence)
            last = log_entries.last_entry(db)
            log_entries.insert_entry(
                db, leases.lease_entry(last.seq + 1, lease).follow_entry(last.digest)
            )
            # Entry, lease and hand-in are one transaction: if the backend refuses the segment, the
            # replica has no lease that the backend does not know.
            leases.keep_lease(db, lease._replace(here=bool(lease.until)))
            self._push_entries(db)
        self._lease, self._overtaken = lease, False
        self._renew_at = time.monotonic() + leases.RENEWED

    def _push_entries(self, db: sqlite3.Connection) -> None:
        """Appends what waits; raises `_Another` if another run was first."""
        waiting = replica.waiting_entries(db)
        if waiting:
            number = replica.known_position(db).segment + 1
            segment = log_entries.encode_segment(waiting)
            about = _describe_entries(db, waiting)
            if not append_durably(self._backend, number, segment, about, otherwise=self._otherwise):
                # From now on the thread of the lease tries no more. The transaction that is under
                # way is undone by the exception, so the replica does not keep an entry under a
                # number that another run's entry has.
                self._overtaken = True
                raise _Another(*self._by_whom(number))
            replica.note_handed_in(db, number, waiting[-1])
        self._hand_in_at = float("inf")

    def _by_whom(self, number: int) -> tuple[str, str]:
        first = log_entries.decode_segment(next(iter(self._backend.read(number - 1))))[0]
        # Our own run under this number with other bytes: an earlier segment of ours arrived
        # although its answer was lost, and since then more entries were waiting.
        if first.run == self._run:
            return (
                f"an answer of {self._backend.place} was lost, so this run cannot go on",
                (
                    "nothing was sent after this; run again: the next run looks for the calls that "
                    "are open"
                ),
            )
        return (
            f"run {first.run} has taken over the state {self._backend.place}, at {first.time}",
            (
                "nothing was sent after this; run again: the next run looks for the last calls of "
                "this one"
            ),
        )

    def _finish_entry(self, db: sqlite3.Connection, *, announces: bool) -> None:
        if announces:
            # Inside the transaction: if the backend does not take it, the entry is rolled back and
            # the call is never sent. A call that nobody else knows of could be made twice.
            with warn_if_slow(self._backend, self._tell):
                self._push_entries(db)
        else:
            self._hand_in_at = min(self._hand_in_at, time.monotonic() + WAITS)

    def leave_for(self, url: str) -> None:
        """The note stays when the lease is given back."""
        super().leave_for(url)
        self._lease = self._lease._replace(moved=url)

    @property
    def holder(self) -> Lease | None:
        """The lease of the run that writes the state; None if there is none."""
        lease = leases.current_lease(self._db)
        return lease if lease.until > log_entries.now_utc() else None

    def break_lease(self, held: Lease) -> None:
        """Takes the state from a run: whatever that appends from now on is refused."""
        with explain_write_errors(self._file):
            self._break_lease(held)

    def _break_lease(self, held: Lease) -> None:
        replica.catch_up(self._db, self._backend)
        now = leases.current_lease(self._db)
        if (now.fence, now.run) != (held.fence, held.run):
            raise StateError("another run has locked the state since", "run again to see which")
        mine = leases.take_lease(held.fence + 1, self._run)
        self._tell_lease(self._db, mine._replace(until=""), taking=True)

    def _keep_lease(self) -> None:
        """Hands in what waits, and renews the lease."""
        # Called every moment, on a thread of its own.
        renews = time.monotonic() > self._renew_at
        if self._overtaken or not (renews or time.monotonic() > self._hand_in_at):
            return
        if renews:  # set before the attempt: one that fails is not made again every moment
            self._renew_at = time.monotonic() + _LATER
        try:
            # This connection has no triggers: a renewed lease changes no row that is sealed, or
            # that entries have.
            with closing(_connect_file(self._file)) as db:
                if renews:
                    self._tell_lease(db, leases.renew_lease(self._lease))
                else:
                    with self._mutex, db:
                        db.execute("BEGIN IMMEDIATE")
                        self._push_entries(db)
        except (StateError, sqlite3.Error):  # tried again; the next call of the run says it
            self._hand_in_at = max(self._hand_in_at, time.monotonic() + _LATER)

    def _release_lease(self) -> None:
        """Hands in the rest and gives the lease back."""
        with (
            explain_write_errors(self._file),
            warn_if_slow(self._backend, self._tell),
            self._giving_back(),
        ):
            self._otherwise = _HANDS_IN.format(self._lease.until[:19])
            try:
                self._tell_lease(self._db, self._lease._replace(until=""))
            except (Fenced, StateDamaged):
                raise
            except StateError as error:
                raise NotHandedIn(f"{_ONLY_HERE}: {error.message}", error.hint) from error
        made = replica.due_snapshot(self._db, self._run)
        if made:
            with suppress(StateError):  # the log is whole without it
                self._backend.keep_snapshot(made)
                with self._db:
                    self._db.execute("UPDATE replica SET snapshot = ?", (made.number,))

    @contextmanager
    def _giving_back(self) -> Iterator[None]:
        """Gives the lease back although nothing can be written on this machine."""
        try:
            yield
        except sqlite3.Error:
            # Nobody else should have to wait for a lease that this run cannot use.
            with suppress(StateError, sqlite3.Error):
                self._give_back()
            raise

    def _give_back(self) -> None:
        """The next run here reads what the backend has by then, like what others have written."""
        after = replica.known_position(self._db).segment
        there = list(self._backend.read(after))
        told = log_entries.decode_segment(there[-1]) if there else replica.waiting_entries(self._db)
        last = told[-1] if told else None
        is_lease = last is not None and last.type == log_entries.LEASE
        lease = leases.parse_lease(json.loads(last.data)) if last and is_lease else self._lease
        if not lease.until or (last and last.run != self._run):
            return
        head = Head(last.seq, last.digest) if last else log_entries.last_entry(self._db)
        back = leases.lease_entry(head.seq + 1, lease._replace(until="")).follow_entry(head.digest)
        segment = log_entries.encode_segment([back] if there else [*told, back])
        self._backend.append(after + len(there) + 1, segment, _describe_entries(self._db, [back]))


def _describe_entries(db: sqlite3.Connection, waiting: list[LogEntry]) -> str:
    """Who has written entries, their environment, and the calls that they are about."""
    named = db.execute("SELECT value FROM meta WHERE key = 'environment'").fetchone()
    by = " by ".join([*(named or ()), leases.current_lease(db).person])
    return f"{by}: {journal_history.describe_segment(waiting)}"


class _Another(Fenced):
    """Another run was first under a number."""


def _running_here(db: sqlite3.Connection) -> StateLocked:
    return StateLocked(
        f"the state is locked by {leases.current_lease(db).describe_holder}, on this machine",
        "wait until that run ends, or with `--lock-timeout 15m`",
    )


def _connect_file(file: Path) -> sqlite3.Connection:
    # A connection of SQLite belongs to the thread that has made it.
    db = sqlite3.connect(file, timeout=10, isolation_level="IMMEDIATE")
    db.execute("PRAGMA synchronous = FULL")
    return db


@contextmanager
def _call_every_moment(work: Callable[[], None]) -> Iterator[None]:
    over = Event()

    def go_on() -> None:
        while not over.wait(_TICK):
            work()

    thread = Thread(target=go_on, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
