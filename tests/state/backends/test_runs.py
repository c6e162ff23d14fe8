"""Whole runs on a state that a team shares: the sandbox, a real backend, several machines."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from lmssync.state import leases
from tests.patience import read_outputs, wait_for_exit
from tests.served_catalog import PROJECT, Platform, Workspace

from . import git_server
from .postgresql_server import Server
from .s3_server import S3

UNKNOWN, LOCKED = 4, 6
AT = [pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql")), "s3"]
pytestmark = pytest.mark.slow
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(params=AT)
def backend(request: pytest.FixtureRequest) -> Server | S3:
    """A server that keeps states."""
    server: Server | S3 = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def shared(backend: Server | S3, work: Workspace, monkeypatch: pytest.MonkeyPatch) -> str:
    """A state with nothing in it, and a course that is to be made."""
    url = backend.url(uuid4().hex) if isinstance(backend, Server) else "s3://bucket/states"
    monkeypatch.setenv("LMSSYNC_STATE", url)
    work.write("lmssync.yaml", PROJECT)
    work.course("a")
    return url


@pytest.fixture
def start(work: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts `lmssync apply --yes` on a machine of its own, with the same catalog."""
    yield from starting(work, tmp_path_factory, "apply", "--yes")


def starting(work: Workspace, folders: pytest.TempPathFactory, *command: str) -> Iterator[Start]:
    """Starts a command on a machine of its own each time; those that are left are killed."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> "subprocess.Popen[bytes]":
        program = [sys.executable, "-m", "lmssync", *command, *arguments]
        root = machine(work, folders)
        started.append(subprocess.Popen(program, cwd=root, stdout=subprocess.DEVNULL))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        wait_for_exit(process)


def machine(work: Workspace, folders: pytest.TempPathFactory) -> Path:
    """A copy of the catalog without what was recorded."""
    root = folders.mktemp("machine") / "catalog"
    shutil.copytree(work.root, root, ignore=shutil.ignore_patterns(".lmssync"))
    return root


def hold(platform: Platform) -> None:
    """The platform makes the next course, and answers once it is let go."""
    platform.hold("course.create", when="after")


def test_another_machine_goes_on(shared: str, work: Workspace, platform: Platform, start: Start):
    """What one has made and recorded, the next one neither makes nor asks for."""
    assert 0 == wait_for_exit(start())
    assert ("", []) == (work.apply().err, work.plan()["changes"])
    assert ["Title of a"] == platform.titles()


def test_three_of_four_are_refused(shared: str, platform: Platform, start: Start):
    """While one holds the state, all others end with 6 and send nothing."""
    hold(platform)
    holder = start()
    platform.wait_for("course.create")
    holder.send_signal(signal.SIGSTOP)
    platform.let_go()  # the answer is there when the holder goes on, however long that takes
    assert [LOCKED] * 3 == [wait_for_exit(other) for other in [start() for _ in range(3)]]
    holder.send_signal(signal.SIGCONT)
    assert (0, ["Title of a"]) == (wait_for_exit(holder), platform.titles())


def test_four_at_once_wait_for_each_other(shared: str, platform: Platform, start: Start):
    """With patience all of them end well, and one of them has made the course."""
    runs = [start("--lock-timeout", "10m") for _ in range(4)]
    assert [0] * 4 == [wait_for_exit(run) for run in runs]
    assert ["Title of a"] == platform.titles()


def test_a_run_that_was_killed_is_taken_over(
    shared: str,
    work: Workspace,
    platform: Platform,
    start: Start,
    monkeypatch: pytest.MonkeyPatch,
):
    """Until its lease is over nobody goes on; then its open call is known, and not sent again."""
    hold(platform)
    holder = start()
    platform.wait_for("course.create")
    holder.send_signal(signal.SIGKILL)
    wait_for_exit(holder)
    refused = work.apply()
    assert (LOCKED, True) == (refused.code, f"process {holder.pid}" in refused.err)
    monkeypatch.setattr(leases.Lease, "lasts", False)
    assert UNKNOWN == work.apply().code
    made = platform.dump("courses")[0]["id"]
    assert 0 == work.run("resolve", "course.a", "--adopt", made).code
    assert ([], ["Title of a"]) == (work.plan()["changes"], platform.titles())


def test_a_backend_that_dies_during_a_call_loses_nothing(
    shared: str, backend: Server | S3, work: Workspace, platform: Platform
):
    """The run shows what it has done, and says who appends it: the next one on this machine."""
    hold(platform)
    run = work.start("apply", "--yes")
    platform.wait_for("course.create")
    try:
        backend.stop()
        platform.let_go()
        out, _ = read_outputs(run)
        assert (1, True) == (run.returncode, b"Applied: 1 created" in out)
        assert b"not yet where the state is kept: the state " in out
        assert b"then run `lmssync apply` here, which appends it" in out
    finally:
        backend.start()
    assert (0, []) == (work.apply().code, work.plan()["changes"])
    assert ["Title of a"] == platform.titles()


def test_a_code_host_that_takes_seconds_for_a_push(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    """What a push announces is sent all the same, once."""
    repository = git_server.bare(work.root.parent / "served.git")
    git_server.hook(repository, "pre-receive", "sleep 1.5")
    git_server.git(work.root, "init", "--quiet", "--initial-branch=main", "--template=")
    git_server.git(work.root, "remote", "add", "origin", str(repository))
    work.course("a")
    monkeypatch.setenv("LMSSYNC_STATE", "git:origin#lmssync/{environment}")
    assert (0, ["Title of a"]) == (work.apply().code, platform.titles())
