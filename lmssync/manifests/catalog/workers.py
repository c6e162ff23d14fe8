"""Reads and checks the files of a catalog; if there are many, in processes of their own."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from ... import graph
from ...address import Address
from ...kinds import KINDS
from ...problems import Problem, graded
from ..cache import CacheEntry, Encoded, encode
from ..check import Context, Result, addresses, check
from ..documents import ManifestFile, Scope, located_in, read
from ..files import TEMPLATE, CatalogFiles, settled, stamp_of

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

ALONE = 200
"""Up to this many files are read faster than a second process starts."""
_SHARE = 50
"""Files that a process gets at a time."""
_MOST = 4
"""With more processes than this, they wait for the one that stores their results."""

_scope: Any = None
"""In a process of ours: the scope that all its files are read in."""


def make(scope: Scope, file: str) -> CacheEntry:
    """Reads and checks one file; it is parsed here and dropped here."""
    now = time.time_ns()
    stamp = stamp_of(scope.root / file)
    text = read(scope, file)
    context = Context(scope, CatalogFiles(scope.root))
    given = [Address(kind, key) for key in text.keys for kind in KINDS]
    result = Result([], list(text.problems), [])
    for document in text.documents:
        given += addresses(document)
        result.add(check(context, document))
    resources, wrong = graph.inside(result.resources)
    problems = result.problems + graded(wrong, scope.project.rules)
    return CacheEntry(
        file,
        scope.variant(template=file.endswith(TEMPLATE), addresses=given),
        settled(stamp, now),
        text.digest,
        context.files.seen,
        tuple(given),
        resources,
        _located(scope, file, text, problems),
        result.refused,
    )


def _located(scope: Scope, file: str, text: ManifestFile, problems: list[Problem]) -> list[Problem]:
    """Keeps only places in this file: lines of an overlay or of the project file may move."""
    ours = [problem for problem in problems if problem.origin.file == file]
    return located_in(scope, text, ours) + [
        problem for problem in problems if problem.origin.file != file
    ]


def make_all(scope: Scope, files: Sequence[str]) -> Iterator[Encoded]:
    """The result of each file, in their order."""
    processes = min(_MOST, _processors())
    if len(files) < ALONE or processes < 2:  # noqa: PLR2004 - one is no help
        yield from (encode(make(scope, file)) for file in files)
        return
    from concurrent.futures import ProcessPoolExecutor  # most runs have few files to read
    from concurrent.futures.process import BrokenProcessPool

    # The first file builds the validators of the models, which forked processes then have.
    yield encode(make(scope, files[0]))
    done = 1
    try:
        with ProcessPoolExecutor(processes, _context(), _begin, (scope,)) as pool:
            shares = (files[start : start + _SHARE] for start in range(1, len(files), _SHARE))
            for share in pool.map(_make_share, shares):
                yield from share
                done += len(share)
    except BrokenProcessPool:  # somebody has killed one of them, as the kernel does for memory
        yield from (encode(make(scope, file)) for file in files[done:])


def _begin(scope: Scope) -> None:
    global _scope  # noqa: PLW0603 - the process belongs to this module
    _scope = scope
    # Whoever interrupts the terminal interrupts us too: the one that waits for us ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process once its parent has been killed: nobody else would end it."""
    import multiprocessing
    from multiprocessing.connection import wait

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


def _context() -> "BaseContext":
    """Forking is quickest, and safe only while the process has a single thread."""
    import multiprocessing

    tasks = Path("/proc/self/task")
    alone = tasks.is_dir() and len(list(tasks.iterdir())) == 1
    return multiprocessing.get_context("fork" if alone else "spawn")
