"""Reads many files at once, in processes of their own."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any

from ..cache.codec import Encoded, encode
from ..documents import Scope
from .make import make

ALONE = 200
"""Files that are read faster than a second process starts."""
_SHARE = 50
"""Files that a process gets at a time."""
_MOST = 4
"""More processes than this wait for the one that keeps what they have made."""

_scope: Any = None
"""In a process of ours: the scope that all its files are read in."""


def make_all(scope: Scope, files: Sequence[str]) -> Iterator[Encoded]:
    """What came of each file, in their order."""
    processes = min(_MOST, _processors())
    if len(files) < ALONE or processes < 2:  # noqa: PLR2004 - one is no help
        yield from (encode(make(scope, file)) for file in files)
        return
    done = 0
    try:
        with ProcessPoolExecutor(processes, _context(), _begin, (scope,)) as pool:
            for share in pool.map(_make_share, _shares(files)):
                yield from share
                done += len(share)
    except BrokenProcessPool:  # somebody has killed one of them, as the kernel does for memory
        yield from (encode(make(scope, file)) for file in files[done:])


def _shares(files: Sequence[str]) -> Iterator[Sequence[str]]:
    return (files[start : start + _SHARE] for start in range(0, len(files), _SHARE))


def _begin(scope: Scope) -> None:
    global _scope  # noqa: PLW0603 - the process belongs to this module
    _scope = scope
    # Whoever interrupts the terminal interrupts us too: the one that waits for us ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process once the one that began it has been killed: none other would."""
    parent = multiprocessing.parent_process()
    if parent:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _make_share(files: Sequence[str]) -> list[Encoded]:
    return [encode(make(_scope, file)) for file in files]


def _processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _context() -> multiprocessing.context.BaseContext:
    """Forking is quickest, and safe only while the process has a single thread."""
    tasks = Path("/proc/self/task")
    alone = tasks.is_dir() and len(list(tasks.iterdir())) == 1
    return multiprocessing.get_context("fork" if alone else "spawn")
