"""Who may write a state: one writer at a time.

The state of a file is held by a lock that the system releases, and by a number that only grows.
One whose log others share is held by a lease, which is an entry of the log itself.
"""

import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..errors import Fenced, StateError, StateLocked
from . import log_entries
from .damage import REMEDY, explain_read_errors
from .log_entries import LogEntry, now_utc
from .state_files import open_private, refuse_odd


@contextmanager
def lock_beside(file: Path) -> Iterator[bool]:
    """Locks the file beside `file`, and yields whether no other run has it; raises `StateError`.

    The lock goes with the process, so a killed run leaves nothing to clean up.
    """
    # The lock file is never deleted: a run that opened it before, and one that made it anew, would
    # each lock another file, and both would believe that they write alone.
    with _open_lock(file.with_name(f"{file.name}.lock")) as handle:
        yield _lock_handle(file, handle)


@contextmanager
def hold_state(file: Path, db: sqlite3.Connection) -> Iterator[int]:
    """Locks the state for writing and yields the fencing number; raises `StateLocked`."""
    with lock_beside(file) as ours:
        with explain_read_errors(file):
            # The holder is in the database, not in the lock file: on Windows nobody else can read
            # what is locked.
            if not ours:
                raise _locked_error(db)
            fence = _take_fence(db)
        yield fence


def _lock_handle(file: Path, handle: IO[bytes]) -> bool:
    """Locks the file that we have opened, unless another run has locked it."""
    from filelock import lock_descriptor  # takes 50 ms, so only writers import it

    try:
        return lock_descriptor(handle.fileno(), blocking=False)
    except OSError as error:
        raise StateError(f"{file} cannot be locked: {error.strerror}", REMEDY) from error


def _open_lock(file: Path) -> IO[bytes]:
    try:
        handle = os.fdopen(open_private(file), "r+b", buffering=0)
    except OSError as error:
        raise StateError(f"the lock {file} cannot be opened: {error.strerror}", REMEDY) from error
    try:
        refuse_odd(file, os.fstat(handle.fileno()).st_mode)
    except StateError:
        handle.close()
        raise
    return handle


def _take_fence(db: sqlite3.Connection) -> int:
    with db:
        db.execute(
            # The lock should be enough. On a file system whose locks do nothing, the number still
            # lets only the latest run write (`guard_fence`).
            "UPDATE lock SET fence = fence + 1, holder = ?, host = ?, pid = ?, since = ?",
            (read_user_name(), socket.gethostname(), os.getpid(), now_utc()),
        )
    fence: int = db.execute("SELECT fence FROM lock").fetchone()[0]
    return fence


def read_user_name() -> str:
    """The name of the person who runs this: jobs of a code host say it in a variable, else it is
    the user of the system."""
    for variable in ("GITHUB_ACTOR", "GITLAB_USER_LOGIN"):
        if name := os.environ.get(variable):
            return name
    import getpass  # what only reads a state needs no name

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # a container without a passwd entry, a service
        return str(os.getuid()) if hasattr(os, "getuid") else "somebody"


def _locked_error(db: sqlite3.Connection) -> StateLocked:
    holder, host, pid, since = db.execute("SELECT holder, host, pid, since FROM lock").fetchone()
    return StateLocked(
        f"the state is locked by {holder}@{host} (process {pid}) since {since}",
        "wait until that run ends; the lock of a killed run ends with it",
    )


def guard_fence(db: sqlite3.Connection, fence: int) -> None:
    """Refuses to write for a run that has been overtaken; called inside each transaction."""
    current = db.execute("SELECT fence FROM lock").fetchone()[0]
    if current != fence:
        raise Fenced(
            f"another run has taken over the state (fence {current}, ours is {fence})",
            "check `lmssync state list`, then run again",
        )


LASTS = timedelta(minutes=10)
RENEWED = 180.0
"""Seconds after which a run that goes on renews its lease."""
_MOMENT, _PAUSE = 10.0, 0.1
"""Seconds for which somebody on this machine may be catching up, and between two looks."""
_JOBS = ("CI_JOB_URL", "BUILD_URL")
"""Variables in which a pipeline says where its job is shown."""


class Lease(NamedTuple):
    """The last lease of a log, or that there is none."""

    fence: int = 0
    holder: str = ""
    host: str = ""
    pid: int = 0
    run: str = ""
    job: str = ""
    since: str = ""
    until: str = ""
    """When it is over; empty once it was given back."""
    moved: str = ""
    """Where the state is now, if it has left this place."""
    here: bool = False
    """The lease was taken through this replica: whoever gets the lock of its file knows that the
    run has ended."""

    @property
    def lasts(self) -> bool:
        """True as long as its run may go on, as far as anybody can tell."""
        # Moments of this form sort as text, so no date has to be parsed to compare them.
        gone = self.here and self.host == socket.gethostname()
        return self.until > log_entries.now_utc() and not gone

    @property
    def person(self) -> str:
        """The person who has the lease, and the machine: `ci@runner`."""
        return f"{self.holder}@{self.host}"

    @property
    def describe_holder(self) -> str:
        job = f", {self.job}" if self.job else ""
        run = f", run {self.run}" if self.run else ""
        return f"{self.person} (process {self.pid}{run}{job}) since {self.since[:19]}Z"


def take_lease(fence: int, run: str) -> Lease:
    """A lease for this process."""
    now = log_entries.now_utc()
    job = next((os.environ[name] for name in _JOBS if os.environ.get(name)), "") or _github_person()
    who = read_user_name(), socket.gethostname(), os.getpid(), run, job
    return Lease(fence, *who, now, _end_of_lease())


def renew_lease(lease: Lease) -> Lease:
    return lease._replace(until=_end_of_lease())


def _end_of_lease() -> str:
    return (datetime.now(UTC) + LASTS).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _github_person() -> str:
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (os.environ.get(name, "") for name in names)
    return f"{server}/{repository}/actions/runs/{run}" if server and repository and run else ""


def lease_entry(seq: int, lease: Lease, type_: str = log_entries.LEASE) -> LogEntry:
    data = {name: value for name, value in lease._asdict().items() if name != "here"}
    return LogEntry(seq, "", lease.fence, type_, log_entries.now_utc(), json.dumps(data), lease.run)


def parse_lease(data: Mapping[str, Any]) -> Lease:
    """A lease as an entry has it; raises `ValueError` where a value has another type."""
    # Another run has written it, perhaps a later lmssync: fields that we do not know are left out,
    # those that it does not know have their defaults.
    given = {name: data[name] for name in Lease._fields if name in data}
    # `isinstance` would take `true` for a number.
    if any(type(given[name]) is not type(Lease._field_defaults[name]) for name in given):
        raise ValueError("its lease has a value of another type")
    return Lease(**given)


def current_lease(db: sqlite3.Connection) -> Lease:
    (text,) = db.execute("SELECT lease FROM replica").fetchone()
    return parse_lease(json.loads(text)) if text else Lease()


def read_lease_of_file(file: Path) -> Lease:
    """The last lease in a replica that is not open here."""
    with closing(sqlite3.connect(file)) as db:
        return current_lease(db)


@contextmanager
def lock_replica(file: Path) -> Iterator[bool]:
    """Locks a replica; yields False if a run on this machine has it.

    Who only catches up is waited for.
    """
    end = time.monotonic() + _MOMENT
    while True:
        with lock_beside(file) as ours:
            # The lock alone does not say who has it: a run that writes keeps it for hours, one that
            # only catches up for a moment. The lease in the replica tells the two apart.
            if ours or _is_held(file) or time.monotonic() > end:
                yield ours
                return
        time.sleep(_PAUSE)


def _is_held(file: Path) -> bool:
    """True if a run writes the state through this replica, as far as it can be read."""
    try:
        return read_lease_of_file(file).until > log_entries.now_utc()
    except sqlite3.Error:
        return False


def refuse_unread(file: Path) -> None:
    """Raises `StateError` for a replica that somebody else is still making."""
    if not _is_held(file):
        raise StateError(f"{file} is in use by another process", "run again in a moment")


def lease_of_file_lock(db: sqlite3.Connection) -> Lease:
    """The last holder of a state whose lock is that of its file."""
    fence, *who = db.execute("SELECT fence, holder, host, pid, since FROM lock").fetchone()
    holder, host, pid, since = who
    return Lease(fence, holder, host, pid, since=since)


def keep_lease(db: sqlite3.Connection, lease: Lease) -> None:
    """Remembers the last lease of the log; to be called inside a transaction."""
    db.execute("UPDATE replica SET lease = ?", (json.dumps(lease._asdict()),))
    who = lease.fence, lease.holder, lease.host, lease.pid, lease.since
    change = "UPDATE lock SET fence = ?, holder = ?, host = ?, pid = ?, since = ?"
    # A renewed lease has the same number: the row, and its seal, are written only where it is
    # another.
    if db.execute("SELECT fence FROM lock").fetchone() != (lease.fence,):
        db.execute(change, who)


def refuse_moved(lease: Lease) -> None:
    """Raises `StateError` for a state that has left this place."""
    if lease.moved:
        raise StateError(
            f"the state has moved to {lease.moved}; this copy can only be read",
            f"write `state: {lease.moved}` in lmssync.yaml, or export LMSSYNC_STATE={lease.moved}",
        )


def refuse_held(lease: Lease, place: str) -> None:
    """Raises `StateLocked` while the lease of another run lasts."""
    if lease.lasts:
        raise StateLocked(
            f"the state {place} is locked by {lease.describe_holder} until {lease.until[:19]}Z, "
            "unless that run goes on",
            "wait for that run with `--lock-timeout 15m`; if it is gone: `lmssync state unlock`",
        )
