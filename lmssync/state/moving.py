"""A state with its whole log to another place; the old one only says where it is now."""

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path

from ..errors import StateError, WrongUse
from ..homes import Home
from . import codes, entries, leases, opening, replica
from .acknowledged import kept
from .entries import LEASE, LogEntry
from .files import placed
from .leases import Lease
from .sqlite import Store

_SEGMENT = 4_000_000
"""Bytes of rows after which another segment begins."""
_NOT_MOVED = "the state is still where it was: then run the same command again"


def move_to_home(store: Store, home: Home, url: str) -> int:
    """Copies the log into an empty home, and leaves a note; the state must be locked.

    How many entries there were. A copy that was broken off is gone on with.
    """
    log = list(entries.checked(store.entries()))
    number, there = _compared(home, log)
    if store.shared and there >= max(n for n, one in enumerate(log, 1) if one.type == LEASE):
        raise _here_already(home.place)  # only its own home has got the lease of this run
    for segment in _segments([*log[there:], *_given_back(log)]):
        number += 1
        about = f"{len(segment)} of the {len(log)} entries of a state that is moved here"
        if not kept(home, number, entries.encoded(segment), about, otherwise=_NOT_MOVED):
            raise _taken(home.place)
    store.leave(url)
    return len(log)


def _compared(home: Home, log: list[LogEntry]) -> tuple[int, int]:
    """How many segments and entries of this very log are there already."""
    number = there = 0
    for segment in home.read(0):
        for entry in entries.decoded(segment):
            if there == len(log) or log[there].digest != entry.digest:
                raise _taken(home.place)
            there += 1
        number += 1
    return number, there


def _here_already(place: str) -> WrongUse:
    """What a person reads who moves a state to where it is."""
    return WrongUse(f"the state is in {place} already", "name a place where there is none")


def _taken(place: str) -> WrongUse:
    return WrongUse(f"there is another state in {place}", "name a place where there is none")


def _given_back(log: list[LogEntry]) -> Iterator[LogEntry]:
    """The run that moves a state does not hold it in the new place."""
    last = log[-1]
    lease = Lease(fence=last.fence, run=last.run)
    yield leases.entry(last.seq + 1, lease).after(last.digest)


def _segments(log: list[LogEntry]) -> Iterator[list[LogEntry]]:
    """Parts of the log that are small enough for one append."""
    size, ends = 0, [0]
    for number, entry in enumerate(log):
        size += len(entry.rows) + len(entry.data)
        if size > _SEGMENT or number == len(log) - 1:
            ends.append(number + 1)
            size = 0
    yield from (log[begin:end] for begin, end in pairwise(ends))


def move_to_file(store: Store, file: Path, url: str) -> int:
    """The same into a file, where there is none yet."""
    real = placed(file, None)
    if real == store.file and not store.shared:
        raise _here_already(str(file))
    if real.exists() and real.stat().st_size:
        raise _taken(str(file))
    log = list(entries.checked(store.entries()))
    _fill(real, [*log, *_given_back(log)], store)
    store.leave(url)
    return len(log)


def _fill(real: Path, log: Iterable[LogEntry], store: Store) -> None:
    """All of it or nothing."""
    with closing(opening.to_write(real, None, home=False)) as db, db:
        db.execute("BEGIN IMMEDIATE")
        for entry in log:
            entries.add(db, entry)
            replica.play(db, entry)
        with suppress(StateError):  # a state without people does without the key
            codes.give(db, store.codes.key)
