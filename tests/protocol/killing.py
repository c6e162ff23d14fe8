"""Runs lmssync in a process of its own that ends by SIGKILL at a step of its choice.

A step is what somebody else can see or what outlives the process: a commit of the state, a segment
for its backend, a file that gets its name, a command of git that writes, bytes of a write to the
platform, its answer. Between two steps nothing happens that a kill could change, so before each of
them, and in the middle of those that have one, are all the moments there are.
"""

import os
import select
import signal
import socket
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakSet

from tests.forking import FORKS, begin
from tests.patience import PROCESS_PATIENCE

_WRITES = (b"POST ", b"PUT ", b"PATCH ", b"DELETE ")
_OF_FILES = frozenset({"os.rename", "os.link", "os.remove"})
_GIT_READS = {"cat-file", "config", "ls-remote", "ls-tree", "rev-parse", "symbolic-ref"}
SENDING = "before a part of a request is sent"


class Killed(NamedTuple):
    """How such a process ended, and the steps that it came to, the last of which it did not do."""

    code: int
    steps: Sequence[str]

    @property
    def whole(self) -> bool:
        """It was not killed."""
        return self.code != -signal.SIGKILL


def run(root: Path, at: int | str, *arguments: str) -> Killed:
    """`lmssync ARGUMENTS` in a folder, killed at the step of this number, or the first so named."""
    told = root.parent / f"{root.name}.steps"
    env = dict(os.environ)
    process = FORKS.Process(target=_run, args=(root, env, at, told, arguments))
    process.start()
    process.join(PROCESS_PATIENCE)
    code = process.exitcode
    if code is None:
        process.kill()
    assert code is not None, f"after {PROCESS_PATIENCE} s the process still runs: {arguments}"
    process.close()
    return Killed(code, told.read_text().splitlines())


def _run(
    root: Path, env: Mapping[str, str], at: int | str, told: Path, arguments: Sequence[str]
) -> None:
    begin(root, env, *[root.parent / f"{root.name}.{stream}" for stream in ("out", "err")])
    from lmssync.cli.main import main

    from .small import small

    small(setattr, dict.__setitem__)
    _watch(_Steps(at, os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)))
    main([*arguments])


class _Steps:
    """Counts the steps, over all threads, and ends the process at one of them."""

    def __init__(self, at: int | str, told: int) -> None:
        self._at, self._told, self._lock = at, told, Lock()
        self._number = 0

    def __call__(self, what: str, then: Callable[[], object] = lambda: None) -> None:
        """`then` is how far the step still gets."""
        with self._lock:
            self._number += 1
            os.write(self._told, f"{what}\n".encode())
            if self._at in {self._number, what}:
                then()
                os.kill(os.getpid(), signal.SIGKILL)


def _watch(step: _Steps) -> None:
    _watch_files(step)
    _watch_wire(step)
    _watch_backend(step)


def _watch_files(step: _Steps) -> None:
    def statement(sql: str) -> None:
        if sql == "COMMIT":
            step("commit")

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened = connects(*arguments, **options)
        opened.set_trace_callback(statement)
        return opened

    def event(name: str, arguments: Sequence[Any]) -> None:
        if name in _OF_FILES:
            step(name)
        elif name == "subprocess.Popen" and _GIT_READS.isdisjoint(arguments[1]):
            step("start of a program that writes")

    connects, sqlite3.connect = sqlite3.connect, connect
    sys.addaudithook(event)


def _watch_backend(step: _Steps) -> None:
    from lmssync.state import shared_log

    kept = shared_log.append_durably

    def watched(*segment: Any, **more: Any) -> bool:
        step("segment for the backend")
        return kept(*segment, **more)

    shared_log.append_durably = watched


def _watch_wire(step: _Steps) -> None:
    """Reads change nothing, so only writes have steps."""
    writing: WeakSet[socket.socket] = WeakSet()
    sends, receives = socket.socket.send, socket.socket.recv

    def send(self: socket.socket, data: bytes, *flags: int) -> int:
        if data.startswith(_WRITES):
            writing.add(self)
        if self in writing:
            step(SENDING)
            step("in the middle of that part", lambda: sends(self, data[: len(data) // 2]))
        return sends(self, data, *flags)

    def recv(self: socket.socket, size: int, *flags: int) -> bytes:
        if self in writing:
            writing.discard(self)
            step("request sent, answer there", lambda: select.select([self], [], []))
            step("in the middle of the answer", lambda: receives(self, 20))
        return receives(self, size, *flags)

    socket.socket.send, socket.socket.recv = send, recv  # type: ignore[method-assign, assignment]
