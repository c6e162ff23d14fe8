"""What runs that begin together do to each other at the limits of one account.

python bench/runs_together.py [--speed N] [--calls N]

Two applies of new licenses, one call each, and a look for drift at as many courses: real commands,
against a served sandbox that counts as the standard account does. All clocks and waits run faster
alike. Each run has a catalog of its own: they share nothing but the machine.
"""

import argparse
import itertools
import os
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import workload
from measure import AS_INSTALLED, LMSSYNC
from served import Sandbox, sandbox

FAST = """\
import datetime, os, threading, time
speed, first = float(os.environ["CLOCK_SPEED"]), float(os.environ["CLOCK_FIRST"])
real, ticks, sleep, wait = time.time, time.monotonic, time.sleep, threading.Condition.wait
begun = ticks() - (real() - first)
time.time = lambda: first + (real() - first) * speed
time.monotonic = lambda: (ticks() - begun) * speed
time.sleep = lambda seconds: sleep(seconds / speed)
threading.Condition.wait = lambda own, timeout=None: wait(own, timeout and timeout / speed)
class Fast(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
datetime.datetime = Fast
"""
"""A module that Python imports before any other: all processes have the same fast clock."""
LICENSE = """\
resource: license
key: {key}
client: acme
name: {key}
courses: []
learningPaths: []
courseTags: [Safety]
seatsLimit: 5
"""
_SEES = 10.0
"""Seconds after which a run has seen that another one has begun."""
_FORECAST = re.compile(r"all that is left takes ([\d.]+) min")


class Ended(NamedTuple):
    """How a run ended; all in seconds of the fast clock."""

    name: str
    code: int
    seconds: float
    lines: Sequence[tuple[float, str]]
    """What it has said, and when."""

    @property
    def known(self) -> float:
        """When it has said for the first time how long it takes: then others know it as well."""
        saying = (at for at, text in self.lines if re.search(r"takes (about )?\d", text))
        return next(saying, self.lines[0][0] if self.lines else self.seconds)

    def find_forecast(self, known: float) -> float | None:
        """When it ends, as it says it once all that runs need is `known`: a run corrects what it
        has said when it sees others, which is every few seconds."""
        said = [
            (at, at + float(m[1]) * 60) for at, text in self.lines if (m := _FORECAST.search(text))
        ]
        early = [end for at, end in said if at <= known + _SEES]
        return early[-1] if early else said[0][1] if said else None


def run_together(speed: float, calls: int) -> tuple[list[Ended], Counter[int]]:
    """The ends of three runs, and how many requests of theirs had which status."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (scratch / "sitecustomize.py").write_text(FAST, "utf-8")
        clock = {"CLOCK_SPEED": f"{speed}", "CLOCK_FIRST": f"{time.time()}"}
        env = clock | {"PYTHONPATH": str(scratch), "XDG_CACHE_HOME": str(scratch / "cache")}
        platform = stack.enter_context(sandbox(scratch / "platform", env=env))
        env |= platform.env
        platform.order("switches", {"jobSeconds": 0})
        for name in ("first", "second", "look"):
            workload.write_project(scratch / name)
        workload.write(scratch / "look", range(calls))
        for name, number in itertools.product(("first", "second"), range(calls)):
            manifest = LICENSE.format(key=f"{name}-{number}")
            (scratch / name / f"{number}.yaml").write_text(manifest, "utf-8")
        _finish("look", _start(scratch / "look", env, "apply", "--yes"), speed, time.monotonic())
        before = platform.requests()
        platform.limit_account("standard")
        commands = {"first": ("apply", "--yes"), "second": ("apply", "--yes"), "look": ("drift",)}
        began = time.monotonic()
        started = {name: _start(scratch / name, env, *one) for name, one in commands.items()}
        with ThreadPoolExecutor() as pool:
            ends = [*pool.map(lambda one: _finish(*one, speed, began), started.items())]
        return ends, Counter(_list_statuses(platform, before))


def _start(root: Path, env: dict[str, str], *arguments: str) -> "subprocess.Popen[str]":
    whole = os.environ | AS_INSTALLED | env
    said, shown = subprocess.PIPE, subprocess.DEVNULL
    command = [*LMSSYNC, *arguments]
    return subprocess.Popen(command, cwd=root, env=whole, stdout=shown, stderr=said, text=True)


def _finish(name: str, process: "subprocess.Popen[str]", speed: float, began: float) -> Ended:
    assert process.stderr
    lines = []
    for line in process.stderr:
        print(f"    {name}: {line.rstrip()}", flush=True)
        lines.append(((time.monotonic() - began) * speed, line))
    code = process.wait()
    return Ended(name, code, (time.monotonic() - began) * speed, lines)


def _list_statuses(platform: Sandbox, before: int) -> Iterator[int]:
    for one in platform.order(f"requests?limit={platform.requests() - before}")["requests"]:
        if one["number"] > before:
            yield one["status"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speed", type=float, default=10.0)
    parser.add_argument("--calls", type=int, default=70)
    options = parser.parse_args()
    ends, statuses = run_together(options.speed, options.calls)
    print("| run | code | s | forecast, s |\n|---|---:|---:|---:|")
    known = max(one.known for one in ends)
    for one in ends:
        forecast = one.find_forecast(known)
        said = "" if forecast is None else f"{forecast:.0f}"
        print(f"| {one.name} | {one.code} | {one.seconds:.0f} | {said} |")
    print(f"requests by status: {dict(statuses)}")


if __name__ == "__main__":
    main()
