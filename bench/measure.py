"""Runs a command in a process of its own and says what it cost.

The peak of memory is the kernel's figure for the largest single process of the command. It is
never less than this program's own size (the kernel carries it over), so nothing large is
imported or kept here.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

LMSSYNC = (sys.executable, "-P", "-m", "lmssync")
"""The installed program, or that of PYTHONPATH: never that of the folder we happen to be in."""
AS_INSTALLED = {"PYTHONDONTWRITEBYTECODE": ""}
"""An installed program is compiled, also where the machine forbids it to keep what it compiles."""
_KIB_PER_MB = 1_000_000 / 1024


class Failed(Exception):
    """A command that was measured did not do what it was asked."""


class Cost(NamedTuple):
    """What one run took; `output` is its stdout."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of all its processes."""
    peak: float
    """MB of its largest process."""
    output: bytes = b""


class Figure(NamedTuple):
    """Medians of several runs."""

    wall: float
    cpu: float
    peak: float
    runs: int


def run(command: Sequence[str], *, env: Mapping[str, str], limit: float) -> Cost:
    """Runs a command once; raises `Failed` if it fails or takes more than `limit` seconds."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        around = os.environ | AS_INSTALLED | env
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=around
        )
        timer = threading.Timer(limit, process.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # an interrupted bench leaves nothing running
            process.kill()
            process.wait()
            raise
        finally:
            timer.cancel()
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise Failed(_why(process.returncode, _tail(err) or _tail(out), wall, limit))
        out.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Cost(wall, cpu, usage.ru_maxrss / _KIB_PER_MB, out.read())


def _tail(file: IO[bytes]) -> str:
    file.seek(0)
    lines = file.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _why(code: int, said: str, wall: float, limit: float) -> str:
    if wall >= limit:
        return f"stopped after {limit:g} s"
    return f"exit {code}: {said}"[:160]


def median(costs: Sequence[Cost]) -> Figure:
    return Figure(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        statistics.median(cost.peak for cost in costs),
        len(costs),
    )


def machine() -> str:
    """The machine in neutral words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = ".".join(map(str, sys.version_info[:3]))
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores (shared), {memory:.0f} GiB, {sys.platform}, Python {python}"
