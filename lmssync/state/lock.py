"""One writer at a time: a lock that the system releases, and a number that grows each time."""

import getpass
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from ..errors import Fenced, StateError, StateLocked
from .damage import REMEDY, explain_read_errors
from .files import open_private, refuse_odd


def now_utc() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def lock_file_of(state: Path) -> Path:
    """The file that is locked instead of the state itself."""
    return state.with_name(f"{state.name}.lock")


@contextmanager
def lock_beside(file: Path) -> Iterator[bool]:
    """Locks the file beside `file`, and yields whether no other run has it; raises `StateError`.

    The lock goes with the process, so a killed run leaves nothing to clean up.
    """
    with _open_lock(lock_file_of(file)) as handle:
        yield _lock_handle(file, handle)


@contextmanager
def hold_state(file: Path, db: sqlite3.Connection) -> Iterator[int]:
    """Holds the state for writing and yields the fencing number; raises `StateLocked`."""
    with lock_beside(file) as ours:
        with explain_read_errors(file):
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
            "UPDATE lock SET fence = fence + 1, holder = ?, host = ?, pid = ?, since = ?",
            (read_user_name(), socket.gethostname(), os.getpid(), now_utc()),
        )
    fence: int = db.execute("SELECT fence FROM lock").fetchone()[0]
    return fence


def read_user_name() -> str:
    """Who runs this: a job of a code host names who started it, else the system names its user."""
    for variable in ("GITHUB_ACTOR", "GITLAB_USER_LOGIN"):
        if name := os.environ.get(variable):
            return name
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # a container without a passwd entry, a service
        return str(os.getuid()) if hasattr(os, "getuid") else "somebody"


def _locked_error(db: sqlite3.Connection) -> StateLocked:
    holder, host, pid, since = db.execute("SELECT holder, host, pid, since FROM lock").fetchone()
    return StateLocked(
        f"the state is held by {holder}@{host} (process {pid}) since {since}",
        "wait until that run ends; a run that was killed no longer holds the state",
    )


def guard_fence(db: sqlite3.Connection, fence: int) -> None:
    """Refuses to write for a run that has been overtaken; called inside each transaction."""
    current = db.execute("SELECT fence FROM lock").fetchone()[0]
    if current != fence:
        raise Fenced(
            f"another run has taken the state over (fence {current}, ours is {fence})",
            "check `lmssync state list`, then run again",
        )
