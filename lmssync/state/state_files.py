"""The files of a state: where they may lie, what they may be, and who may read them."""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..errors import StateError, WrongUse
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
    """A short text that states share, in a file that is made when there is something to write.

    It may be lost at any time: nothing is synced to the disk for it.
    """

    def __init__(self, find_file: Callable[[], Path]) -> None:
        """`find_file` raises `StateError` where it would be in a wrong place."""
        self._find_file = find_file
        self._db: sqlite3.Connection | None = None

    def change_text(self, change: Callable[[str], str]) -> None:
        """Replaces the text by what `change` makes of it; raises `StateError`."""
        file = self._find_file()
        try:
            # The change is made a second time with the file open: it depends on the text alone.
            if self._db is None and not file.exists() and not change(""):
                return
            self._change_row(self._db or self._open_file(file), change)
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, _PASSING):
                with suppress(OSError):  # it is damaged, and the next run makes another
                    file.unlink()
            raise StateError(f"{file} cannot be written: {error}") from error

    def _open_file(self, file: Path) -> sqlite3.Connection:
        os.close(open_private(file))
        db = sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        self._db = db
        db.execute("PRAGMA synchronous = OFF")
        db.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, content TEXT)")
        return db

    @staticmethod
    def _change_row(db: sqlite3.Connection, change: Callable[[str], str]) -> None:
        db.execute("BEGIN IMMEDIATE")
        try:
            row = db.execute("SELECT content FROM note WHERE id = 1").fetchone()
            text = str(row[0]) if row else ""
            if (changed := change(text)) != text:
                db.execute("INSERT OR REPLACE INTO note VALUES (1, ?)", (changed,))
        finally:
            db.execute("COMMIT")

    def close_shelf(self) -> None:
        """Closes the file."""
        if self._db is not None:
            self._db.close()


class BackendNote:
    """A note of a backend, or the file beside the replica where it keeps none."""

    def __init__(self, open_home: Callable[[], StateBackend], name: str, file: NoteFile) -> None:
        """The backend is opened when it is asked for: many runs ask nothing."""
        self._open_home, self._name, self._file = open_home, name, file
        self._home: StateBackend | None = None
        self._keeps_notes = True

    def change_text(self, change: Callable[[str], str]) -> None:
        """Replaces the text by what `change` makes of it; raises `StateError`."""
        if self._keeps_notes:
            try:
                self._home = self._home or self._open_home()
            except WrongUse as error:
                raise StateError(error.message, error.hint) from error
            self._keeps_notes = self._home.change_note(self._name, change)
        if not self._keeps_notes:
            self._file.change_text(change)

    def close_shelf(self) -> None:
        """Closes what was opened."""
        if self._home:
            self._home.close()
        self._file.close_shelf()
