"""Lists that two machines send at once: the served sandbox, a real backend, each row once."""

import signal
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from lmssync.state import leases
from tests.learners.test_operations import (
    DONE,
    LANDED,
    LOCKED,
    PATH_RECORD,
    demo,
    outcomes,
    record,
    recorded,
    row,
    sent,
    write,
)
from tests.patience import wait_for_exit
from tests.served_catalog import PROJECT, Platform, Workspace

from . import git_server
from .postgresql_server import Server
from .test_runs import AT, Start, starting

pytestmark = pytest.mark.slow
PEOPLE = range(408, 448)


@pytest.fixture(params=[*AT, "git"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where the state is kept."""
    if request.param == "git":
        request.getfixturevalue("git_cache")
        repository = git_server.bare(tmp_path / "served" / "state.git")
        with git_server.daemon(repository.parent) as address:
            yield f"git:{address}/{repository.name}#lmssync/sandbox"
    else:
        backend = request.getfixturevalue(request.param)
        yield backend.url(uuid4().hex) if isinstance(backend, Server) else "s3://bucket/states"


@pytest.fixture
def start(
    url: str,
    work: Workspace,
    platform: Platform,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Start]:
    """Starts to send a list on a machine of its own."""
    users = [{"id": demo(number), "email": f"u{number}@x.example"} for number in PEOPLE]
    paths = [{"id": demo(102), "title": "Line manager"}]
    platform.order("reset", {"seed": {"users": users, "learningPaths": paths}})
    monkeypatch.setenv("LMSSYNC_STATE", url)
    monkeypatch.setenv("LMSSYNC_PEOPLE_KEY", "5e" * 32)
    work.write("lmssync.yaml", PROJECT)
    write(work, *(row(number, demo(102), "started") for number in PEOPLE))
    yield from starting(work, tmp_path_factory, *PATH_RECORD, "day.csv", "--yes")


def everybody_once(platform: Platform) -> bool:
    return dict.fromkeys(map(demo, PEOPLE), 1) == recorded(platform)


def test_two_machines_wait_for_each_other(start: Start, platform: Platform) -> None:
    """Both end well, and one of them has sent the list."""
    runs = [start("--lock-timeout", "10m") for _ in range(2)]
    assert [DONE] * 2 == [wait_for_exit(run) for run in runs]
    assert (True, len(PEOPLE)) == (everybody_once(platform), sent(platform))


def test_a_machine_goes_on_where_another_was_killed(
    start: Start, work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """kill -9 amid rows that were announced together: none is sent twice, and none is lost."""
    platform.hold("activity.learningPath", nth=20, when="after")
    killed = start()
    platform.wait_for("activity.learningPath")
    assert LOCKED == record(work).code
    killed.send_signal(signal.SIGKILL)
    wait_for_exit(killed)
    assert LOCKED == record(work).code
    monkeypatch.setattr(leases.Lease, "lasts", False)
    platform.order("clock", LANDED)

    assert DONE == record(work, "--out", "receipt.csv").code

    assert (True, {"unchanged", "done"}) == (everybody_once(platform), set(outcomes(work)))
    assert DONE == work.run("state", "verify").code
