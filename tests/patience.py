"""How long tests wait for an answer or a process, and a clock for those that should not wait."""

import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest

PATIENCE = 60
"""Seconds that an answer may take on however slow a machine."""

PROCESS_PATIENCE = 120
"""Seconds that a process may take to end, or to write what a test waits for."""


def wait_for_exit(process: "subprocess.Popen[Any]") -> int:
    """The exit code of a process; one that does not end is killed, and the test fails."""
    try:
        return process.wait(PROCESS_PATIENCE)
    except subprocess.TimeoutExpired:
        _fail_without_end(process)


def read_outputs(process: "subprocess.Popen[Any]") -> tuple[Any, Any]:
    """What a process writes until it ends; one that does not end is killed, and the test fails.

    It has not ended either while something that it has started keeps its outputs open.
    """
    try:
        return process.communicate(timeout=PROCESS_PATIENCE)
    except subprocess.TimeoutExpired:
        _fail_without_end(process)


def _fail_without_end(process: "subprocess.Popen[Any]") -> NoReturn:
    state = "still runs" if process.poll() is None else "left its outputs open"
    process.kill()
    pytest.fail(f"after {PROCESS_PATIENCE} s the process {state}: {process.args!r}")


@contextmanager
def kill_if_failed(process: "subprocess.Popen[Any]") -> Iterator[None]:
    """Kills a process if the block fails: `with Popen` would wait for it without an end."""
    try:
        yield
    except BaseException:
        process.kill()
        raise


def read_terminal(ours: int, until: bytes | None = None) -> bytes:
    """What is written to a pseudoterminal until these words; to the end without any."""
    shown = b""
    while until is None or until not in shown:
        if not select.select([ours], [], [], PROCESS_PATIENCE)[0]:
            pytest.fail(f"for {PROCESS_PATIENCE} s nothing more was written after {shown!r}")
        try:
            piece = os.read(ours, 4096)
        except OSError:  # so Linux says that nobody can write to it any more
            piece = b""
        if not piece:
            assert until is None, f"{until!r} was not written: {shown!r}"
            return shown
        shown += piece
    return shown


class PausedTime:
    """A clock that a pause puts forward."""

    time = staticmethod(time.time)

    def __init__(self) -> None:
        self._ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def sleep(self, seconds: float) -> None:
        self._ahead += seconds
