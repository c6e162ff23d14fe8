"""Progress: a line for calls of a route, written over on a terminal, quiet elsewhere."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import pytest

from lmssync.cli.progress import QUIET, ProgressLines

_END = "\0"
"""What is written after all that a test looks at."""


class Clock:
    """A clock that only moves when it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(NamedTuple):
    """The other end of a terminal."""

    end: int

    @property
    def screen(self) -> list[str]:
        """The lines on the screen, without what was overwritten."""
        sys.stderr.write(_END)
        sys.stderr.flush()
        text = ""
        while not text.endswith(_END):  # a terminal hands over piece by piece
            text += os.read(self.end, 100_000).decode()
        lines = text.removesuffix(_END).split("\r\n")
        return [re.split(r"\r\x1b\[K", line)[-1] for line in lines]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@contextmanager
def terminal() -> Iterator[Terminal]:
    """Replaces stderr by a real terminal; in a fixture that would be too early for pytest."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        yield Terminal(ours)
    os.close(ours)


def some(lines: ProgressLines) -> None:
    """Calls of three routes, several of them of the second."""
    lines.begin(5)
    lines.step(1, "course.create", range(18))
    for number in (2, 3, 4):
        lines.step(number, "path.create", [number])
    lines.step(5, "license.create", ["one"])


def told_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of a log without the time that each of them begins with."""
    lines = capsys.readouterr().err.splitlines()
    assert all(re.match(r"\d\d:\d\d:\d\dZ ", line) for line in lines)
    return [line.partition(" ")[2] for line in lines]


EMPTY = "░" * 16
SOME = [
    "[1/5] course.create: 18 resources",
    "[2-4/5] path.create: 3 resources in 3 calls",
    "[5/5] license.create: 1 resource",
]


def test_calls_of_a_route_are_one_line(capsys: pytest.CaptureFixture[str], clock: Clock):
    """The calls of one route take one line, however many there are."""
    with ProgressLines(clock) as lines:
        some(lines)
    assert SOME == told_lines(capsys)


def test_several_calls_about_one_resource_count_it_once(
    capsys: pytest.CaptureFixture[str], clock: Clock
):
    """A list of people that takes two calls is one assignment."""
    with ProgressLines(clock) as lines:
        lines.begin(2)
        for number in (1, 2):
            lines.step(number, "sublicense.assign", ["assignment.staff"])
    assert ["[1-2/2] sublicense.assign: 1 resource in 2 calls"] == told_lines(capsys)


def test_a_terminal_has_a_bar_that_goes(clock: Clock):
    """A terminal shows one bar while the run lasts, and nothing of it afterwards."""
    with terminal() as shown:
        with ProgressLines(clock) as lines:
            some(lines)
            bar = "█" * 12 + "░" * 4
            assert [f"{bar} 5/5 license.create: 1 resource, under a minute left"] == shown.screen
        assert [""] == shown.screen


def test_long_calls_are_told_of_now_and_then(capsys: pytest.CaptureFixture[str], clock: Clock):
    """Long calls are reported every few seconds, so that the run does not seem to hang."""
    lines = ProgressLines(clock)
    lines.begin(100)
    for number in range(1, 100):
        clock.now = number * QUIET / 4
        lines.step(number, "path.create", [number])
    told = told_lines(capsys)
    assert (24, "[4/100] path.create …, 18 a minute, about 5 min left") == (len(told), told[0])


def test_read_backs_are_told_of_now_and_then(capsys: pytest.CaptureFixture[str], clock: Clock):
    """Reading back one call is reported every few seconds too."""
    lines = ProgressLines(clock)
    lines.step(1, "course.create", range(100))
    for number in range(1, 101):
        clock.now = number / 4
        lines.reading(number, 100)
    assert 2 == len(capsys.readouterr().err.splitlines())


def test_a_note_stands_on_its_own_line(clock: Clock):
    """A note gets a line of its own, and the overwritten line continues below it."""
    with terminal() as shown:
        lines = ProgressLines(clock)
        lines.begin(2)
        lines.step(1, "client.clone", ["one"])
        lines.note("waiting for the job")
        assert ["waiting for the job", f"{EMPTY} 1/2 client.clone: 1 resource"] == shown.screen


def test_what_comes_after_it_stands_on_its_own_line(clock: Clock):
    """Even if an error ends the run, what follows starts on a new line."""
    with terminal() as shown:
        with suppress(RuntimeError), ProgressLines(clock) as lines:
            lines.begin(2)
            lines.step(1, "client.clone", ["one"])
            raise RuntimeError
        assert [""] == shown.screen


def test_a_terminal_shows_the_time_that_is_left(clock: Clock):
    """A terminal shows the time left once some calls have been made."""
    with terminal() as shown:
        lines = ProgressLines(clock)
        lines.begin(33)
        for number in range(1, 5):
            clock.now = (number - 1) * 10.0
            lines.step(number, "path.create", [number])
        told = "path.create: 4 resources in 4 calls, about 5 min left"
        assert [f"{'█'}{'░' * 15}  4/33 {told}"] == shown.screen


def test_the_time_that_is_left_knows_the_limits(capsys: pytest.CaptureFixture[str], clock: Clock):
    """Quick calls do not promise what the limits of the platform cannot keep."""
    lines = ProgressLines(clock)
    lines.begin(300)
    for number in range(1, 6):
        clock.now = number * QUIET
        lines.step(number, "path.create", [number], 7200.0)
    told = told_lines(capsys)
    assert "[5/300] path.create …, 5 a minute, about 2.0 h left" == told[-1]


def test_a_line_fits_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """A line fits the terminal, since the end of a longer one could not be overwritten."""
    monkeypatch.setenv("COLUMNS", "20")
    with terminal() as shown:
        lines = ProgressLines(clock)
        lines.begin(1)
        lines.step(1, "course.create", ["one"])
        assert [f"{EMPTY} 1/"] == shown.screen
