"""The files of a state: where they may lie, what they may be, and who may read them."""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from ..errors import StateError, WrongUse
from ..support.cache_folder import make_cache_file
from ..support.operating_system import PLAIN, is_ours, others_may_open
from .backends import StateBackend
from .damage import REMEDY

FOLDER = ".lmssync"
"""Of a catalog: what is in it belongs to one machine, and git leaves it alone."""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "pipe",
    stat.S_IFLNK: "link",
    stat.S_IFSOCK: "socket",
}
PEOPLE = "people"
"""The folder beside a state with its register of people."""
_BESIDE = ("-wal", "-shm", "-journal", ".lock", ".serial")
"""Endings of the files beside the state: a link in place of one of them could lead anywhere, as one
in place of the state could."""


def resolve_state_file(file: Path, inside: Path | None) -> Path:
    """The file itself, behind links; raises `StateError` if it cannot be a state.

    If the catalog names it, it must be `inside` the catalog, links resolved.
    """
    try:
        real = file.resolve()
        if inside and not real.is_relative_to(inside.resolve()):
            raise _outside_error(file)
        for ending in ("", *_BESIDE):
            _refuse_odd(f"{real}{ending}", "file")
        _refuse_odd(f"{real.parent}/{PEOPLE}", "folder")
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links, a name too long
        reason = getattr(error, "strerror", None) or error
        raise StateError(f"the state {file} cannot be opened: {reason}", REMEDY) from None
    return real


def _outside_error(file: Path) -> StateError:
    if file.is_symlink():
        return StateError(
            f"{file} is a link, and what it leads to is outside the catalog",
            "delete the link; only LMSSYNC_STATE may name a state elsewhere",
        )
    return StateError(
        f"the state {file} is outside the catalog, and lmssync.yaml may only name one inside it",
        f"to keep it there, set it in the environment: export LMSSYNC_STATE=sqlite:///{file}",
    )


def _refuse_odd(path: str, wanted: str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    refuse_odd(Path(path), mode, wanted)


def refuse_odd(path: Path, mode: int, wanted: str = "file") -> None:
    """Raises `StateError` for something else where a file or a folder of the state belongs."""
    kind = _KINDS.get(stat.S_IFMT(mode), "device")
    if kind != wanted:
        message = f"{path} is a {kind}, but the state needs a {wanted} there"
        raise StateError(message, "move it away")


def make_private(file: Path, inside: Path | None) -> None:
    """Makes the file and its folders for their owner alone; raises `OSError`.

    A file in the catalog is closed to others if it is open, and so is a folder that is ours. Files
    elsewhere keep their permissions.
    """
    for folder in reversed([folder for folder in file.parents if not folder.exists()]):
        folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
    os.close(open_private(file))
    if inside:
        _close_to_others(file, PRIVATE_FILE)
        if file.parent.name == FOLDER:
            _close_to_others(file.parent, PRIVATE_FOLDER)


def open_private(file: Path) -> int:
    """A new or old file to write to, as a number; raises `OSError`."""
    # The mode counts only for a file that is made here, and before anything is in it: a chmod
    # afterwards would leave a moment in which others could open it.
    return os.open(file, os.O_RDWR | os.O_CREAT | PLAIN, PRIVATE_FILE)


def _close_to_others(path: Path, mode: int) -> None:
    status = path.stat()
    if others_may_open(status) and is_ours(status):
        path.chmod(mode)


_PASSING = (sqlite3.OperationalError, sqlite3.ProgrammingError)
"""What says nothing about the file: it is locked, or may only be read."""
_PATIENCE = 2.0
"""Seconds to wait for others that change the file; none needs more than a moment."""


class NoteFile:
    """A short text that the runs of this user share on one machine.

    It may be lost at any time: nothing is synced to the disk for it.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def change_text(self, change: Callable[[str], str]) -> None:
        """Replaces the text by what `change` makes of it; raises `StateError`."""
        try:
            # The change is made a second time with the file open: it depends on the text alone.
            if self._file.exists() or change(""):
                self._change_row(change)
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, _PASSING):
                with suppress(OSError):  # it is damaged, and the next run makes another
                    self._file.unlink()
            raise StateError(f"{self._file} cannot be written: {error}") from error

    def _change_row(self, change: Callable[[str], str]) -> None:
        make_cache_file(self._file)
        with closing(sqlite3.connect(self._file, timeout=_PATIENCE, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute("BEGIN IMMEDIATE")
            db.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, content TEXT)")
            row = db.execute("SELECT content FROM note WHERE id = 1").fetchone()
            text = str(row[0]) if row else ""
            if (changed := change(text)) != text:
                db.execute("INSERT OR REPLACE INTO note VALUES (1, ?)", (changed,))
            db.execute("COMMIT")  # closing the file takes back what was not

    def close_shelf(self) -> None:
        """Nothing is open between two changes."""


class BackendNote:
    """A note of a backend."""

    def __init__(self, open_home: Callable[[], StateBackend], name: str) -> None:
        """The backend is opened when it is asked for: many runs ask nothing."""
        self._open_home, self._name = open_home, name
        self._home: StateBackend | None = None

    def change_text(self, change: Callable[[str], str]) -> None:
        """Replaces the text by what `change` makes of it; raises `StateError`."""
        try:
            self._home = self._home or self._open_home()
        except WrongUse as error:
            raise StateError(error.message, error.hint) from error
        self._home.change_note(self._name, change)

    def close_shelf(self) -> None:
        """Closes what was opened."""
        if self._home:
            self._home.close()
