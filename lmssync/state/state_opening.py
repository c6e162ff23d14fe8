"""Opens the state that the project file names.

A state whose log is in a backend has a replica here: it is brought up to date, or made anew.
"""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from ..errors import StateError, WrongUse
from ..settings import SQLITE
from ..support.cache_folder import find_program_file
from ..support.file_writing import lay_below, write_whole
from . import leases, log_entries, remembered_serial, replica, state_files, state_tables
from .backends import SharedState, StateBackend, open_backend
from .damage import REMEDY, StateDamaged, damaged_mark, explain_write_errors
from .leases import Lease
from .log_entries import LEASE, LogEntry
from .people_codes import PeopleCodes, give_people_key, given_key
from .replica import Diverged, Known, Overtaken
from .shared_log import append_durably, warn_if_slow
from .state_files import FOLDER, BackendNote, NoteFile, resolve_state_file
from .state_log import Tell
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
            raise StateDamaged("some of its rows are not as they were written")
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
        tell(f"the state has moved to {moved}; here it is shown as it was before the move")


def _catch_up(file: Path, root: Path, shared: SharedState, *, begins: bool) -> None:
    with (
        explain_write_errors(file),
        closing(state_tables.open_for_writing(file, root, own_log=False)) as db,
    ):
        replica.catch_up(db, shared.backend)
        # Another run may begin the log at the same moment: then ours is undone, and the loop reads
        # theirs.
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
        f"{len(lost)} entries of a run that ended were not appended before another run went on "
        f"with the state; they are in {kept_in}. The platform may have what they name: plan before "
        "you apply, and give the ids of that file to `lmssync adopt`"
    )


_SEGMENT = 4_000_000
"""Bytes of rows after which another segment begins."""
_NOT_MOVED = "the state is still where it was: then run the same command again"


def move_to_backend(store: Store, backend: StateBackend, url: str) -> int:
    """Copies the log into an empty backend, and leaves a note; the state must be locked.

    How many entries there were. A copy that was broken off is gone on with.
    """
    log = list(log_entries.check_chain(store.log_entries()))
    number, there = _count_kept(backend, log)
    if store.shared and there >= max(n for n, one in enumerate(log, 1) if one.type == LEASE):
        raise _here_already(backend.place)  # only its own backend has got the lease of this run
    for segment in _split_log([*log[there:], *_given_back(log)]):
        number += 1
        about = f"{len(segment)} of the {len(log)} entries of a state that is moved here"
        if not append_durably(
            backend, number, log_entries.encode_segment(segment), about, otherwise=_NOT_MOVED
        ):
            raise _taken_error(backend.place)
    store.log.leave_for(url)
    return len(log)


def _count_kept(backend: StateBackend, log: list[LogEntry]) -> tuple[int, int]:
    """How many segments and entries of this very log are there already."""
    number = there = 0
    for segment in backend.read(0):
        for entry in log_entries.decode_segment(segment):
            # An earlier copy was broken off after this segment. It was split elsewhere perhaps, so
            # entries are compared, not segments.
            if there == len(log) or log[there].digest != entry.digest:
                raise _taken_error(backend.place)
            there += 1
        number += 1
    return number, there


def _here_already(place: str) -> WrongUse:
    """The error for moving a state to the place where it is."""
    return WrongUse(f"the state is in {place} already", "name a place where there is none")


def _taken_error(place: str) -> WrongUse:
    return WrongUse(f"there is another state in {place}", "name a place where there is none")


def _given_back(log: list[LogEntry]) -> Iterator[LogEntry]:
    """The entry that ends the lease: no run has the state in its new place."""
    last = log[-1]
    lease = Lease(fence=last.fence, run=last.run)
    yield leases.lease_entry(last.seq + 1, lease).follow_entry(last.digest)


def _split_log(log: list[LogEntry]) -> Iterator[list[LogEntry]]:
    """Parts of the log that are small enough for one append."""
    size, ends = 0, [0]
    for number, entry in enumerate(log):
        size += len(entry.rows) + len(entry.data)
        if size > _SEGMENT or number == len(log) - 1:
            ends.append(number + 1)
            size = 0
    yield from (log[begin:end] for begin, end in pairwise(ends))


def move_to_file(store: Store, file: Path, url: str) -> int:
    """Copies the log into a new file, and leaves a note; returns the number of entries."""
    real = resolve_state_file(file, None)
    if real == store.file and not store.shared:
        raise _here_already(str(file))
    if real.exists() and real.stat().st_size:
        raise _taken_error(str(file))
    log = list(log_entries.check_chain(store.log_entries()))
    _fill_replica(real, [*log, *_given_back(log)], store)
    store.log.leave_for(url)
    return len(log)


def _fill_replica(real: Path, log: Iterable[LogEntry], store: Store) -> None:
    """Writes the whole log into a new replica, or nothing of it."""
    with closing(state_tables.open_for_writing(real, None, own_log=False)) as db, db:
        db.execute("BEGIN IMMEDIATE")
        for entry in log:
            log_entries.insert_entry(db, entry)
            replica.play_entry(db, entry)
        with suppress(StateError):  # a state without people does without the key
            give_people_key(db, store.codes.key)


_BACKEND = re.compile(r"(?!sqlite:)[a-z][a-z0-9+.-]+:")


def open_store(
    url: str,
    root: Path,
    environment: str,
    *,
    read_only: bool = False,
    anywhere: bool = False,
    env: Mapping[str, str] = MappingProxyType({}),
    tell: Tell = lambda _text: None,
) -> Store:
    """The store at `url`; a relative path counts from the root of the catalog.

    It lies in the catalog, unless the user allows it `anywhere`. Raises
    `StateError` for the state of another environment: ids of one platform mean nothing on another.
    """
    url = url.replace("{environment}", environment)
    file = _state_file(url, root, environment)
    inside = None if anywhere and url.startswith(SQLITE) else root
    if url.startswith(SQLITE):
        if not read_only:
            keep_out_of_git(file, root)
        store = Store(file, inside=inside, read_only=read_only, tell=tell)
    else:
        backend = open_backend(url, root, environment, env)
        keep_out_of_git(file, root)
        store = open_replica(
            file, root, SharedState(backend, given_key(env)), tell, read_only=read_only
        )
    try:
        _refuse_others(store, url, environment)
    except StateError:
        store.close()
        raise
    return store


def move_state(
    store: Store,
    url: str,
    root: Path,
    environment: str,
    env: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Moves a state, which must be locked, with its log to another place: how many entries it has.

    The old place keeps a note, and refuses to be written. Raises `WrongUse` if there is a state.
    """
    url = url.replace("{environment}", environment)
    if url.startswith(SQLITE):
        file = _state_file(url, root, environment)
        keep_out_of_git(file, root)
        return move_to_file(store, file, url)
    with closing(open_backend(url, root, environment, env)) as backend:
        return move_to_backend(store, backend, url)


def file_beside(
    url: str, root: Path, environment: str, ending: str, *, anywhere: bool = False
) -> Path:
    """A file beside the state at `url`, named like it but for its ending; raises `StateError`."""
    url = url.replace("{environment}", environment)
    file = _state_file(url, root, environment)
    inside = None if anywhere and url.startswith(SQLITE) else root
    return resolve_state_file(resolve_state_file(file, inside).with_suffix(ending), inside)


def open_note(
    name: str, url: str, root: Path, environment: str, env: Mapping[str, str]
) -> NoteFile | BackendNote | None:
    """A note of that name which all runs with states in one home share; nothing is opened yet.

    For states in files and branches it is in the user's cache folder, if there is one: all
    catalogs on this machine share it.
    """
    # A branch of git keeps no notes: each change would be a commit.
    if url.startswith((SQLITE, "git:")):
        file = find_program_file(f"{name}.db")
        return NoteFile(file) if file else None
    return BackendNote(lambda: open_backend(url, root, environment, env), name)


def _refuse_others(store: Store, url: str, environment: str) -> None:
    owner = store.environment
    if owner not in {None, environment}:
        raise StateError(
            f"the state {url} belongs to the environment `{owner}`, "
            f"but this run is for `{environment}`",
            f"give each its own: `state: {SQLITE}.lmssync/{{environment}}.db`",
        )


def check_instance(store: Store, base_url: str) -> None:
    """Raises `StateError` if the ids of this state are those of another instance."""
    if store.instance not in {None, instance_of(base_url)}:
        raise StateError(
            f"the state belongs to the instance at {store.instance}, "
            f"but this run is for {base_url}",
            "give each instance a state of its own; if the instance has only moved to another "
            f"address: `lmssync state rebind {base_url}`",
        )


def instance_of(base_url: str) -> str:
    """The address of an instance in the one spelling in which addresses are compared."""
    try:
        parts = urlsplit(base_url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:  # no address at all: nothing will be reached there
        return base_url
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{(parts.hostname or '').rstrip('.')}:{port}{path}"


def _state_file(url: str, root: Path, environment: str) -> Path:
    """The file of a state: itself, or the replica of one whose log has another backend."""
    if url.startswith(SQLITE):
        return root / url.removeprefix(SQLITE)
    if not _BACKEND.match(url):
        raise WrongUse(
            f"`state: {url}` is not a state that this lmssync can keep",
            f"write `state: {SQLITE}.lmssync/state.db`, or, for one that a team shares, "
            f"`state: git:origin#lmssync/{environment}`",
        )
    place = hashlib.sha256(url.encode()).hexdigest()[:8]
    return root / FOLDER / f"replica-{re.sub('[^A-Za-z0-9_-]', '-', environment)}-{place}.db"


def keep_out_of_git(file: Path, root: Path) -> None:
    """Has git leave the folder of states alone, if the file is in it."""
    if file.is_relative_to(root / FOLDER):
        with suppress(OSError):  # who cannot write this cannot write the state: that is reported
            lay_below(root.absolute(), f"{FOLDER}/.gitignore", b"*\n")
