"""Where runs of one instance keep what they take of its limits: a note in the home of the state.

For a state in a file, and one on a branch of git, where each change would be a commit, it is a file
beside the state, so runs on one machine share it. It may be lost at any time, and nothing is synced
to the disk for it.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from ..errors import StateError, WrongUse
from ..settings import SQLITE
from . import state_files
from .backends import StateBackend, open_backend
from .state_opening import file_beside

_PASSING = (sqlite3.OperationalError, sqlite3.ProgrammingError)
"""What says nothing about the file: it is locked, or may only be read."""
_PATIENCE = 2.0
"""Seconds to wait for others that change the file; none needs more than a moment."""


class LimitsFile:
    """A text in a SQLite file, which is made when there is something to write."""

    def __init__(self, find_file: Callable[[], Path]) -> None:
        """`find_file` raises `StateError` where it would be in a wrong place."""
        self._find_file = find_file
        self._db: sqlite3.Connection | None = None

    def change_text(self, change: Callable[[str], str]) -> None:
        """Replaces the text by what `change` makes of it; raises `StateError`."""
        file = self._find_file()
        try:
            if self._db is None and not file.exists() and not change(""):
                return
            self._change_row(self._db or self._open_file(file), change)
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, _PASSING):
                with suppress(OSError):  # it is damaged, and the next run makes another
                    file.unlink()
            raise StateError(f"{file} cannot be written: {error}") from error

    def _open_file(self, file: Path) -> sqlite3.Connection:
        os.close(state_files.open_private(file))
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


class LimitsNote:
    """A note of a backend, or the file beside the replica where it keeps none."""

    def __init__(self, open_home: Callable[[], StateBackend], name: str, file: LimitsFile) -> None:
        """The backend is opened when the limits are asked for: many runs ask nothing."""
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


def open_limits_shelf(
    url: str,
    root: Path,
    environment: str,
    instance: str,
    *,
    anywhere: bool = False,
    env: Mapping[str, str] = MappingProxyType({}),
) -> LimitsFile | LimitsNote:
    """Where the runs of an instance share its limits, beside the state at `url`; nothing is opened
    or asked yet."""
    name = f"limits-{hashlib.sha256(instance.encode()).hexdigest()[:12]}"

    def find_file() -> Path:
        beside = file_beside(url, root, environment, ".db", anywhere=anywhere)
        inside = None if anywhere and url.startswith(SQLITE) else root
        return state_files.resolve_state_file(beside.with_name(f"{name}.db"), inside)

    file = LimitsFile(find_file)
    if url.startswith(SQLITE):
        return file
    return LimitsNote(lambda: open_backend(url, root, environment, env), name, file)
