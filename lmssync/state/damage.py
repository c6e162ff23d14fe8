"""A state that is not as lmssync wrote it: reported, never worked around."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import StateError

_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_CLOSED = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_FULL", "SQLITE_PERM")
_BACKUP = (
    "restore it from a backup; with no state, or with what is left of this one, lmssync would "
    "create things a second time that are on the platform already"
)
MADE_ANEW = "run again: this file is a copy of what is kept elsewhere, and is made again"
_WAYS_OUT = (
    ("SQLITE_FULL", "free some disk space"),
    (_BUSY, "end the other program that has this file open, such as a backup or a viewer,"),
)
REMEDY = "check the folder's permissions and space, or set `state` in lmssync.yaml"
_CHECK = "check the folder's permissions and space"


class StateDamaged(StateError):
    """Something in the state was changed by anything but lmssync, or was lost."""


def state_damaged(what: str, file: Path | None = None) -> StateDamaged:
    return StateDamaged(f"the state {file or ''} is damaged: {what}".replace("  ", " "), _BACKUP)


def damaged_mark(file: Path) -> Path:
    """Lies beside a replica in which damage was found."""
    return file.with_name(f"{file.name}.damaged")


Stamp = tuple[int, ...]
"""Time and size of the files of a state: as long as they are the same, nobody has written."""


def file_stamp(file: Path) -> Stamp:
    beside = (file, file.with_name(f"{file.name}-wal"))
    stats = [path.stat() for path in beside if path.exists()]
    return tuple(number for stat in stats for number in (stat.st_size, stat.st_mtime_ns))


@contextmanager
def explain_read_errors(file: Path, before: Stamp | None = None) -> Iterator[None]:
    """Turns every error of reading a damaged file into a message.

    A reader without a lock passes the stamp that the file had `before`: it may have been written
    since.
    """
    try:
        yield
    except StateDamaged as error:
        refuse_written(file, before)
        if "is damaged: " not in error.message:
            raise
        raise state_damaged(error.message.partition("is damaged: ")[2], file) from None
    except (sqlite3.Error, zlib.error, ValueError, LookupError, TypeError) as error:
        refuse_written(file, before)
        raise _read_error(file, error) from error


def refuse_written(file: Path, before: Stamp | None) -> None:
    """Raises `StateError` if the file is not as it was when a reader without a lock opened it."""
    # Readers take no lock. What looks like damage may be a half of an old and a half of a new
    # state: only a file that nobody has touched since can be damaged.
    if before is not None and before != file_stamp(file):
        raise StateError(f"another run wrote the state {file} while it was read", "run again")


def _read_error(file: Path, error: Exception) -> StateError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_BUSY):
        return StateError(f"the state {file} is busy: {error}", "run again")
    if is_of_disk(error):
        return StateError(f"the state {file} cannot be opened: {error}", REMEDY)
    if name == "SQLITE_NOTADB":
        return StateDamaged(f"the state {file} cannot be opened: {error}", _BACKUP)
    return state_damaged(str(error) or type(error).__name__, file)


@contextmanager
def explain_write_errors(file: Path) -> Iterator[None]:
    """Turns a failed write, which leaves nothing behind, into a message."""
    try:
        yield
    except (sqlite3.Error, zlib.error) as error:
        raise _write_error(file, error) from error


def is_of_disk(error: Exception) -> bool:
    """True if it is the disk that fails, and nothing is said of what was read."""
    return getattr(error, "sqlite_errorname", "").startswith(_CLOSED)


def _write_error(file: Path, error: Exception) -> StateError:
    name = getattr(error, "sqlite_errorname", "")
    # The triggers of `sealed_rows` abort a change of a row that is not as it was sealed.
    if name == "SQLITE_CONSTRAINT_TRIGGER":
        return state_damaged(f"{error} is not as it was written", file)
    # Without a name it is an error of zlib, or of the module itself: the packed form of a row is
    # broken.
    if not name or name.startswith("SQLITE_CORRUPT"):
        return state_damaged(str(error), file)
    remedy = next((words for kind, words in _WAYS_OUT if name.startswith(kind)), _CHECK)
    return StateError(
        f"the state {file} cannot be written: {error}",
        f"nothing was sent after this; {remedy} and run again",
    )
