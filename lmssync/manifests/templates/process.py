"""The process that renders templates, seen from the process that uses it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from multiprocessing.util import Finalize
from pathlib import Path
from threading import Timer
from typing import NamedTuple

from ...errors import LmssyncError
from .wire import ANSWER, OUTPUT_LIMIT, READY

_BEGIN = (
    "import sys; sys.path += sys.argv[3:]; "
    f"from {__package__}.child import run_child; run_child(int(sys.argv[1]), int(sys.argv[2]))"
)
_LIBRARIES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
"""All that it gets of our environment: where this Python, or Windows, may have its libraries."""
_PACKAGES = ("lmssync", "jinja2", "markupsafe")
_ANSWER_LIMIT = 4 * (OUTPUT_LIMIT + 1)
_PART = 1024 * 1024
_FAREWELL = 5.0
"""Seconds until a process that no longer answers is ended."""


class ProcessLimits(NamedTuple):
    """What one template may use."""

    seconds: int = 5
    """Of a processor's time."""
    memory: int = 512 * 1024 * 1024
    """Bytes of all that the process is, where the system keeps to that (macOS does not)."""
    patience: float = 60.0
    """Seconds on the clock: many more, for a machine that has other things to do."""


class Silent(Exception):
    """It gave no answer; the message says why."""


class Process:
    """A process that renders one template after another. Raises LmssyncError if it cannot start."""

    def __init__(self, limits: ProcessLimits) -> None:
        self._limits, self._late = limits, False
        try:
            self._child = _begin_process(limits)
        except OSError as error:
            raise _cannot_start(error.strerror or str(error)) from None
        self.end = Finalize(self, _end_process, (self._child,), exitpriority=10)
        try:
            with self._end_when_late():
                self._read_exactly(len(READY))
        except Silent as silent:
            raise _cannot_start(str(silent)) from None

    def is_gone(self) -> bool:
        """Whether somebody else has ended it."""
        return self._child.poll() is not None

    def ask_process(self, request: bytes) -> tuple[int, bytes]:
        """What kind of answer it is, and the answer; raises Silent, and then it has ended."""
        with self._end_when_late():
            self._write_request(request)
            kind, size = ANSWER.unpack(self._read_exactly(ANSWER.size))
            if size > _ANSWER_LIMIT:
                self.end()
                raise Silent("its process returned no valid answer")
            return kind, self._read_exactly(size)

    @contextmanager
    def _end_when_late(self) -> Iterator[None]:
        """Ends the process when its time is over; a reader of its output sees that end.

        Nothing else waits for a pipe on every system.
        """
        timer = Timer(self._limits.patience, self._give_up)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _give_up(self) -> None:
        self._late = True
        self._child.kill()

    def _write_request(self, request: bytes) -> None:
        assert self._child.stdin
        try:
            self._child.stdin.write(request)
            self._child.stdin.flush()
        except OSError:  # a broken pipe, which has another number on Windows
            raise Silent(self._describe_end()) from None

    def _read_exactly(self, size: int) -> bytes:
        assert self._child.stdout
        source = self._child.stdout.fileno()
        answer = bytearray()
        while len(answer) < size:
            part = os.read(source, min(size - len(answer), _PART))
            if not part:
                raise Silent(self._describe_end())
            answer += part
        return bytes(answer)

    def _describe_end(self) -> str:
        """Why it has ended; after a failed start its last words are about that."""
        try:
            status = self._child.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._child.kill()
            status = self._child.wait()
        assert self._child.stderr
        words = self._child.stderr.read().decode("utf-8", "replace").splitlines()
        self.end()
        if self._late:
            return f"it takes longer than {self._limits.patience:g} seconds"
        if hasattr(signal, "SIGXCPU") and status == -signal.SIGXCPU:
            return f"it takes longer than {self._limits.seconds} seconds"
        end = f"signal {-status}" if status < 0 else f"status {status}"
        return f"its process crashed ({words[-1] if words else end})"


def _begin_process(limits: ProcessLimits) -> "subprocess.Popen[bytes]":
    """Neither the variables of our environment nor our open files go along: they may be secret."""
    code = [sys.executable, "-I", "-S", "-c", _BEGIN, str(limits.seconds), str(limits.memory)]
    return subprocess.Popen(
        [*code, *_package_folders()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env={name: os.environ[name] for name in _LIBRARIES if name in os.environ},
    )


def _package_folders() -> list[str]:
    """Where the packages are that it imports: `-S` leaves it the standard library alone."""
    specs = (find_spec(name) for name in _PACKAGES)
    return list({str(Path(spec.origin).parents[1]): None for spec in specs if spec and spec.origin})


def _cannot_start(reason: str) -> LmssyncError:
    return LmssyncError(
        f"templates cannot be rendered: no process can be started for them ({reason})",
        "a template may come from a stranger, so it is rendered in a process that has limits;"
        " allow lmssync to start one",
    )


def _end_process(child: "subprocess.Popen[bytes]") -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            with suppress(OSError):  # over what it had not read yet
                pipe.close()
