"""Opens the state that the project file names."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from ..errors import StateError, WrongUse
from ..settings import SQLITE
from ..support.file_writing import lay_below
from . import (
    leases,
    log_entries,
    replica,
    replica_opening,
    state_tables,
)
from .backends import StateBackend, open_backend
from .leases import Lease
from .log_entries import LEASE, LogEntry
from .people_codes import give_people_key, given_key
from .shared_log import append_durably
from .state_files import FOLDER, resolve_state_file
from .state_log import Tell
from .state_reader import SharedState
from .state_store import Store

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
    store.leave_for(url)
    return len(log)


def _count_kept(backend: StateBackend, log: list[LogEntry]) -> tuple[int, int]:
    """How many segments and entries of this very log are there already."""
    number = there = 0
    for segment in backend.read(0):
        for entry in log_entries.decode_segment(segment):
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
    store.leave_for(url)
    return len(log)


def _fill_replica(real: Path, log: Iterable[LogEntry], store: Store) -> None:
    """All of it or nothing."""
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
        store = replica_opening.open_replica(
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
