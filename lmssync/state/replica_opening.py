"""Opens a state whose log is in a backend: its replica is brought up to date, or made anew."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import StateError
from ..support.file_writing import write_whole
from . import (
    leases,
    log_entries,
    remembered_serial,
    replica,
    state_files,
    state_tables,
)
from .backends import StateBackend
from .damage import REMEDY, StateDamaged, damaged_mark, explain_write_errors
from .log_entries import LogEntry
from .people_codes import PeopleCodes
from .replica import Diverged, Known, Overtaken
from .shared_log import append_durably, warn_if_slow
from .state_log import Tell
from .state_reader import SharedState
from .state_store import Store


def open_replica(
    file: Path, root: Path, shared: SharedState, tell: Tell, *, read_only: bool
) -> Store:
    """The store of a replica, as it is in its backend now; raises `StateError`.

    Where it is only read, nothing is appended to the backend.
    """
    try:
        real = state_files.resolve_state_file(file, root)
        if not real.exists() and read_only and _is_empty(shared.backend):
            return Store(file, inside=root, read_only=True, shared=shared)
        with _lock_folder(real, root) as ours:
            if ours:
                with warn_if_slow(shared.backend, tell):
                    _bring_up(real, root, shared, tell, begins=not read_only)
            else:  # a run on this machine keeps it up to date
                leases.refuse_unread(real)
        return Store(file, inside=root, read_only=read_only, shared=shared, tell=tell)
    except BaseException:
        shared.backend.close()
        raise


def _is_empty(backend: StateBackend) -> bool:
    return backend.snapshot() is None and next(iter(backend.read(0)), None) is None


@contextmanager
def _lock_folder(file: Path, root: Path) -> Iterator[bool]:
    """Locks the replica, in its private folder."""
    try:
        state_files.make_private(file, root)
    except OSError as error:
        raise StateError(f"{file} cannot be made: {error.strerror}", REMEDY) from error
    with leases.lock_replica(file) as ours:
        yield ours


def _bring_up(file: Path, root: Path, shared: SharedState, tell: Tell, *, begins: bool) -> None:
    """Catches up; a damaged or diverged replica is put aside first, and another one made."""
    marked = damaged_mark(file)
    try:
        if marked.exists():
            raise StateDamaged("rows of it are not as they were written")
        _catch_up(file, root, shared, begins=begins)
    except (Diverged, StateDamaged) as error:
        left, known = _not_handed_in(file)
        aside = replica.put_aside(file)
        marked.unlink(missing_ok=True)
        if isinstance(error, Overtaken):  # else it would be taken for an older state from now on
            remembered_serial.forget_serial(file)
        tell(
            f"{error.message}: the copy on this machine was put aside as {aside.name}, and another "
            f"is made from {shared.backend.place}"
        )
        _catch_up(file, root, shared, begins=begins)
        _give_on(file, root, left, known, tell)
    moved = leases.read_lease_of_file(file).moved if file.exists() else ""
    if moved:
        tell(f"the state has moved to {moved}; this is how it was then")


def _catch_up(file: Path, root: Path, shared: SharedState, *, begins: bool) -> None:
    with (
        explain_write_errors(file),
        closing(state_tables.open_for_writing(file, root, own_log=False)) as db,
    ):
        replica.catch_up(db, shared.backend)
        while begins and not log_entries.last_entry(db).seq:
            _begin_log(db, shared, file)
            replica.catch_up(db, shared.backend)
        is_empty = not log_entries.last_entry(db).seq
    if is_empty:  # a run that was stopped had begun it, and no other has begun the log
        replica.remove_replica(file)


def _begin_log(db: sqlite3.Connection, shared: SharedState, file: Path) -> None:
    """Begins the log, unless another run is first."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        state_tables.begin_lineage(db)
        if news := PeopleCodes(db, file, shared.key).unknown_digest:
            db.execute("INSERT INTO meta VALUES (?, ?)", news)
        log_entries.begin_log(db)
        (first,) = log_entries.read_entries(db)
        about = f"{leases.take_lease(0, '').person}: begin"
        if append_durably(
            shared.backend,
            1,
            log_entries.encode_segment([first]),
            about,
            otherwise="nothing was sent",
        ):
            replica.note_handed_in(db, 1, first)
        else:
            db.rollback()


def _not_handed_in(file: Path) -> tuple[list[LogEntry], Known]:
    """The entries of a replica that its backend never got, as far as they can be read."""
    try:
        with closing(sqlite3.connect(f"{state_tables.sqlite_uri(file)}?mode=ro", uri=True)) as db:
            return replica.waiting_entries(db), replica.known_position(db)
    except sqlite3.Error:
        return [], Known(0, 0, 0, 0)


def _give_on(file: Path, root: Path, left: list[LogEntry], known: Known, tell: Tell) -> None:
    """Takes it into the new replica, or keeps it in a file beside: people may need its ids."""
    if not left:
        return
    with closing(state_tables.open_for_writing(file, root, own_log=False)) as db, db:
        if replica.adopt_waiting_entries(db, left, known):
            return
    lost = [entry for entry in left if entry.type not in log_entries.QUIET]
    if lost:
        _keep_beside(file, lost, tell)


def _keep_beside(file: Path, lost: list[LogEntry], tell: Tell) -> None:
    kept_in = file.with_name(f"{file.stem}.not-handed-in-{lost[0].time.replace(':', '')}.json")
    lines = [entry.as_journal_entry._asdict() for entry in lost]
    write_whole(kept_in, [json.dumps(lines, indent=2).encode()], private=True)
    tell(
        f"{len(lost)} entries of a run that ended were not handed in before another run went on "
        f"with the state; they are in {kept_in}: what they name may be on the platform, so plan "
        "before you apply, and use the ids in it with `lmssync adopt`"
    )
