"""Runs that Ctrl-C or SIGTERM ends while they wait: they exit with 130, and nothing is lost."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.applying import test_jobs_command as test_jobs
from tests.kinds.test_clients_applied import CLIENT
from tests.patience import read_outputs, read_terminal
from tests.served_catalog import EXTENDED, Platform, Workspace, wait_until

INTERRUPTED = 130
job = test_jobs.job
SIGNALS = [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]


def ended(process: "subprocess.Popen[bytes]", number: int) -> tuple[int, str]:
    """The exit code of a run that gets a signal, and what it printed."""
    process.send_signal(number)
    said, _ = read_outputs(process)
    return process.returncode, said.decode()


def polled(platform: Platform) -> Callable[[], bool]:
    return lambda: bool(platform.requests(route="job.read"))


@pytest.mark.parametrize("number", SIGNALS)
def test_an_apply_that_waits_for_a_job(work: Workspace, platform: Platform, number: int) -> None:
    """The next run follows the job, so nobody has to decide anything."""
    platform.order("switches", {"jobSeconds": 3000})
    work.write("client.yaml", CLIENT)
    process = work.start("apply", "--yes")
    wait_until(polled(platform), "a read of the job")
    code, said = ended(process, number)
    assert (INTERRUPTED, True) == (code, "run `lmssync apply` to continue" in said), said
    platform.order("clock", {"advanceSeconds": 6000})
    assert 0 == work.apply().code
    assert 1 == len(platform.requests(route="client.clone"))


@pytest.mark.parametrize("number", SIGNALS)
def test_an_apply_that_follows_the_job_of_an_earlier_one(
    work: Workspace, platform: Platform, job: str, number: int
) -> None:
    """The recovery waits as well, before anything is planned."""
    work.write("client.yaml", CLIENT)
    process = work.start("apply", "--yes")
    wait_until(polled(platform), f"a read of {job}")
    code, said = ended(process, number)
    assert (INTERRUPTED, False) == (code, "Traceback" in said), said


@pytest.mark.parametrize("number", SIGNALS)
def test_a_watch_of_jobs(work: Workspace, platform: Platform, job: str, number: int) -> None:
    """It says that it was interrupted, whichever signal has come."""
    process = work.start("jobs", "watch")
    wait_until(polled(platform), f"a read of {job}")
    code, said = ended(process, number)
    assert INTERRUPTED == code
    assert "interrupted; the journal is intact" in said or "nothing is lost" in said


@pytest.mark.parametrize(
    ("args", "route", "number"),
    [
        (("plan",), "course.read", signal.SIGINT),
        (("drift",), "course.read", signal.SIGTERM),
        (("import", "--all"), "ping", signal.SIGINT),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_a_command_that_reads(
    work: Workspace, platform: Platform, args: tuple[str, ...], route: str, number: int
) -> None:
    """It says so once the read that was under way has ended."""
    work.course("a")
    work.apply()
    work.course("a", edit=("Title of KEY", "From git"))
    work.write("lmssync.yaml", EXTENDED)  # an import from the core ends at once
    platform.hold(route)
    process = work.start(*args)
    platform.wait_for(route, worked=False)
    process.send_signal(number)
    platform.let_go()
    said, _ = read_outputs(process)
    assert (INTERRUPTED, True) == (process.returncode, b"interrupted" in said), said


@pytest.mark.parametrize("number", SIGNALS)
def test_a_question(work: Workspace, platform: Platform, number: int) -> None:
    """Nothing is applied."""
    work.course("a")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lmssync", "apply"],
        cwd=work.root,
        env=os.environ | work.env,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    read_terminal(ours, b"[y/N]")
    code, _ = ended(process, number)
    for end in (ours, theirs):
        os.close(end)
    assert (INTERRUPTED, []) == (code, platform.titles())
