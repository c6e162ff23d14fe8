"""Does the same to many files in processes of its own: Python uses one processor at a time."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from ...support.safe_files import are_files_unsaved

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

_File = TypeVar("_File")
_Result = TypeVar("_Result")
ALONE = 200
"""Up to this many files are done faster than a second process starts."""
_SHARE = 50
"""Files that a process gets at a time."""
_MOST = 4
"""With more processes than this, they wait for the one that takes their results."""

_work: Any = None
"""In a process of ours: the function that is called for each file."""


def map_files(work: Callable[[_File], _Result], files: Sequence[_File]) -> Iterator[_Result]:
    """Does `work` for each file and yields the results in their order.

    `work` and all that it takes can be pickled.

    No more than two shares for each process are done before they are wanted: they fill the memory.
    """
    processes = min(_MOST, _count_processors())
    # One process is no help, and another does not see what is not saved yet.
    if len(files) < ALONE or processes < 2 or are_files_unsaved():  # noqa: PLR2004
        yield from map(work, files)
        return
    from concurrent.futures import ProcessPoolExecutor  # most runs have few files
    from concurrent.futures.process import BrokenProcessPool

    # What the first file loads and builds, forked processes then have.
    yield work(files[0])
    done, pool = 1, ProcessPoolExecutor(processes, _process_context(), _begin_worker, (work,))
    try:
        shares = (files[start : start + _SHARE] for start in range(1, len(files), _SHARE))
        begun = deque(pool.submit(_do_files, share) for share in islice(shares, 2 * processes))
        while begun:
            results = begun.popleft().result()
            begun += (pool.submit(_do_files, share) for share in islice(shares, 1))
            yield from results
            done += len(results)
    except BrokenProcessPool:  # somebody has killed one of them, as the kernel does for memory
        yield from map(work, files[done:])
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_worker(work: Callable[[Any], Any]) -> None:
    global _work  # noqa: PLW0603 - the process belongs to this module
    _work = work
    # Whoever interrupts the terminal interrupts us too: the one that waits for us ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process once its parent has been killed: nobody else would end it."""
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _do_files(files: Sequence[Any]) -> list[Any]:
    return list(map(_work, files))


def _count_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _process_context() -> "BaseContext":
    """Forking is quickest, and safe only while the process has a single thread."""
    import multiprocessing

    # A fork copies only the thread that forks: locks that others hold, in a logger or an allocator,
    # would be held for ever in the child.
    tasks = Path("/proc/self/task")
    alone = tasks.is_dir() and len(list(tasks.iterdir())) == 1
    return multiprocessing.get_context("fork" if alone else "spawn")
