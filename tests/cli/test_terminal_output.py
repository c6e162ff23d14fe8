"""Questions at a terminal."""

import io
import os
import subprocess
import sys

import click
import pytest

from lmssync.cli.terminal_output import ask_yes_or_no, terminal_width


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), (" no \n", False)],
)
def test_yes_or_no(typed: str, answer: bool, monkeypatch: pytest.MonkeyPatch):
    """Yes and no are understood, and an empty answer means no."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert answer is ask_yes_or_no("Apply this plan?")


def test_another_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """After another answer the question is repeated on stderr, and stdout stays empty."""
    monkeypatch.setattr("sys.stdin", io.StringIO("perhaps\ny\n"))
    assert ask_yes_or_no("Apply this plan?")
    out, err = capsys.readouterr()
    assert "" == out
    assert 2 == err.count("Apply this plan? [y/N]")
    assert "answer y or n\n" in err


def test_somebody_who_goes_away_has_not_agreed(monkeypatch: pytest.MonkeyPatch):
    """If stdin ends without an answer, the run ends as if it was interrupted."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(click.Abort):
        ask_yes_or_no("Apply this plan?")


ASKED_AND_INTERRUPTED = """
import os, pty, signal
from lmssync.cli.exits import end_with_code
from lmssync.cli.interrupts import heed_sigterm
from lmssync.cli.terminal_output import ask_yes_or_no

for number in [signal.SIGINT, signal.SIGTERM] * 40:
    child, terminal = pty.fork()
    if not child:
        with end_with_code(), heed_sigterm():
            ask_yes_or_no("Apply this plan?")
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(terminal, 4096)
    os.kill(child, number)
    signal.alarm(60)  # the end of this program, if the child waits on
    assert 130 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudoterminals")
def test_a_signal_just_after_the_question_ends_it():
    """The run ends, even if the signal comes before it has begun to wait for the answer."""
    command = [sys.executable, "-c", ASKED_AND_INTERRUPTED]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True, timeout=120)
    assert 0 == done.returncode, done.stderr


DROPPED = """
import signal, weakref
from lmssync.cli.exits import end_with_code
from lmssync.cli.interrupts import heed_sigterm
from lmssync.cli.terminal_output import ask_yes_or_no

class Passing:
    pass

with end_with_code(), heed_sigterm():
    passing = Passing()
    watcher = weakref.ref(passing, lambda _: signal.raise_signal(signal.SIGTERM))
    del passing
    ask_yes_or_no("Apply this plan?")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudoterminals")
def test_a_signal_in_a_callback_of_python_ends_the_question():
    """The run ends, even if Python has dropped the exception that the signal raised."""
    ours, terminal = os.openpty()
    command = [sys.executable, "-c", DROPPED]
    done = subprocess.run(command, check=False, stdin=terminal, timeout=60)
    os.close(ours)
    os.close(terminal)
    assert 130 == done.returncode


def test_a_file_has_no_width():
    """Output to a file or a pipe has no width and is not wrapped."""
    assert terminal_width(io.StringIO()) is terminal_width(None) is None
