"""The progress of an apply for programs: a line of JSON on stderr for each thing that happens.

Stdout stays for the one document of `--json`, so that whoever reads that needs nothing new.
"""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Self

import click
import orjson

from ..support.visible import in_json


class Events:
    """Writes `{"event": "step", "at": ..., ...}`, each on a line of its own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps = 0
        self._began = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("end", seconds=round(self._clock() - self._began, 1))

    def begin(self, steps: int) -> None:
        self._steps, self._began = steps, self._clock()
        self._write("begin", steps=steps)

    def step(
        self, number: int, route: str, resources: Sequence[object], waits: float = 0.0
    ) -> None:
        done = number - 1
        each = (self._clock() - self._began) / done if done else 0.0
        left = round(max(each * (self._steps - done), waits), 1)
        at = {"number": number, "steps": self._steps, "route": route}
        self._write("step", **at, resources=len(resources), secondsLeft=left)

    def done(self, address: object, outcome: str) -> None:
        self._write("resource", address=str(address), outcome=outcome)

    def reading(self, done: int, total: int) -> None:
        self._write("reading", done=done, total=total)

    def note(self, text: str) -> None:
        self._write("note", message=text)

    def _write(self, event: str, **more: Any) -> None:
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        line = orjson.dumps({"event": event, "at": at, **more})
        click.echo(in_json(line.decode()), err=True)
