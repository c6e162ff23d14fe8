"""Shows the progress of an apply while it runs."""

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

import click

from ..report.value_words import count_noun, spell_minutes
from ..support.invisible_characters import in_json
from .safe_output import print_line

QUIET = 10.0
"""Seconds between lines about calls of one route, where lines cannot be overwritten."""
_BAR = 16
"""Columns of the bar."""
_ENOUGH = 3
"""Calls after which the remaining time can be estimated."""


class _Run(NamedTuple):
    """Calls of one route that follow each other."""

    route: str
    first: int
    last: int
    resources: set[object]
    """What they are about: several calls may be about one."""

    def __str__(self) -> str:
        calls = self.last - self.first + 1
        count = count_noun(len(self.resources), "resource")
        return f"{self.route}: {count}" + (f" in {calls:,} calls" if calls > 1 else "")


class ProgressLines:
    """Progress on stderr: on a terminal a bar, with the calls that are under way and the time that
    is left; it goes when the run ends.

    Elsewhere a line with its time for the calls of a route that follow each other: it appears when
    they are done, and every few seconds if they take long.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, plain: bool = False) -> None:
        """`plain` overwrites nothing, not even on a terminal."""
        self._live = sys.stderr.isatty() and not plain
        self._clock = clock
        self._steps = 0
        self._waits = 0.0
        self._run: _Run | None = None
        self._shown = ""
        """The text of the line that is being overwritten."""
        self._began = self._told = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def begin(self, steps: int) -> None:
        self._steps = steps
        self._began = self._told = self._clock()

    def step(
        self, number: int, route: str, resources: Sequence[object], waits: float = 0.0
    ) -> None:
        """A call about these is about to be sent; `number` counts from one. Limits of the platform
        make the last call wait so many seconds at least."""
        self._waits = waits
        # Calls of a route that follow each other share a line: a large plan would have thousands.
        if self._run and self._run.route == route:
            self._run.resources.update(resources)  # a copy for each call would take the time of all
            self._run = self._run._replace(last=number)
        else:
            self._close()
            self._run = _Run(route, number, number, set(resources))
        if self._live:
            self._over(f"{self._bar(number)} {self._run}{self._left(number - 1)}")
        elif number > self._run.first and self._clock() - self._told >= QUIET:
            self._line(f"[{number:,}/{self._steps:,}] {route} …{self._left(number - 1)}")

    def reading(self, done: int, total: int) -> None:
        if self._live and self._run:
            at = f"{self._bar(self._run.last)} {self._run}"
            self._over(f"{at}, {done:,} of {total:,} read back{self._left(self._run.last - 1)}")
        elif self._clock() - self._told >= QUIET:
            self._line(f"      read back {done:,} of {total:,}")

    def counting(self, done: int, total: int) -> None:
        """How much of something that makes many reads is done."""
        self._steps = total
        text = f"{done:,} of {total:,}{self._left(done)}"
        self.now(text)

    def looking(self, done: int, total: int) -> None:
        """Some of the resources that are looked at have been read."""
        self.now(f"looked at {done:,} of {total:,}")

    def now(self, text: str) -> None:
        """How far something has come that makes many calls and does not know how many."""
        if self._live:
            self._over(text)
        elif self._clock() - self._told >= QUIET:
            self._line(text)

    def note(self, text: str) -> None:
        """A line of its own, above the one that is being overwritten."""
        shown = self._shown
        self._clear()
        print_line(text, err=True)
        if shown:
            self._over(shown)

    def end(self) -> None:
        """Takes the bar away, or shows the last calls."""
        self._close()
        self._clear()

    def _close(self) -> None:
        if self._run and not self._live:
            span = f"{self._run.first:,}-" * (self._run.first < self._run.last)
            self._line(f"[{span}{self._run.last:,}/{self._steps:,}] {self._run}")
        self._run = None

    def done(self, address: object, outcome: str) -> None:
        """What becomes of single resources is in the report."""

    def _left(self, done: int) -> str:
        """`, 24 a minute, about 3 min left`, once that can be estimated.

        It is what the limits of the platform take, or more, if calls are slower than that.
        """
        if done < _ENOUGH:
            return ""
        taken = self._clock() - self._began
        # The limits are known before they are met: the pace so far can be faster than what is left.
        minutes = max(taken / done * (self._steps - done), self._waits) / 60
        rate = f", {done / taken * 60:,.0f} a minute" if taken and not self._live else ""
        return f"{rate}, {'about ' * (minutes >= 1)}{spell_minutes(minutes)} left"

    def _line(self, text: str) -> None:
        self._clear()
        self._told = self._clock()
        click.echo(f"{datetime.now(UTC):%H:%M:%SZ} {text}", err=True)

    def _bar(self, number: int) -> str:
        """`████░░░░░░  4/10`: the calls before this one are done."""
        full = _BAR * (number - 1) // max(self._steps, 1)
        width = len(f"{self._steps:,}")
        return f"{'█' * full}{'░' * (_BAR - full)} {number:>{width},}/{self._steps:,}"

    def _over(self, text: str) -> None:
        # Back to the first column, and the rest of the line deleted: the new text may be shorter.
        # A line that fills the terminal could not be overwritten.
        most = shutil.get_terminal_size().columns - 1
        click.echo(f"\r\x1b[K{text[:most]}", nl=False, err=True)
        self._shown = text

    def _clear(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)
        self._shown = ""


class ProgressWaits:
    """Progress of a run that nobody sits before: it tells of long waits alone."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...
    def begin(self, steps: int) -> None: ...
    def step(self, number: int, route: str, _: Sequence[object], waits: float = 0.0) -> None: ...
    def done(self, address: object, outcome: str) -> None: ...
    def reading(self, done: int, total: int) -> None: ...
    def looking(self, done: int, total: int) -> None: ...
    def note(self, text: str) -> None:
        print_line(text, err=True)


class ProgressEvents:
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
        import orjson

        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        line = orjson.dumps({"event": event, "at": at, **more})
        click.echo(in_json(line.decode()), err=True)
