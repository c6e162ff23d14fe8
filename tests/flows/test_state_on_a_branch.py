"""A team that shares its state by a branch of the catalog's repository."""

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import read_outputs
from tests.served_catalog import PROJECT, Platform, Workspace
from tests.state.backends import git_server as served
from tests.state.backends.git_server import git

SHARED = PROJECT + "state: git:origin#lmssync/{environment}\n"
REF = "lmssync/sandbox"


@pytest.fixture
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare repository in a folder that git's own daemon serves."""
    return served.bare(tmp_path_factory.mktemp("served") / "catalog.git")


@pytest.fixture
def team(
    work: Workspace,
    repository: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[tuple[Workspace, Workspace]]:
    """Two clones of one catalog, each with a cache of its own; `-C` chooses between them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(work.root / "gitconfig"))
    with served.daemon(repository.parent) as address:
        clones = []
        for name in ("one", "other"):
            root = served.catalog(work.root / name, f"{address}/{repository.name}")
            clones.append(Workspace(root, work.env, work.capture))
            clones[-1].write("lmssync.yaml", SHARED)
            clones[-1].course("safety")
        yield clones[0], clones[1]


def test_what_one_applies_the_other_need_not(team: tuple[Workspace, Workspace]) -> None:
    """The plan of a clone that has applied nothing is empty."""
    one, other = team
    assert 0 == one.run("apply", "--yes", "-C", str(one.root)).code
    done = other.run("plan", "--detailed-exitcode", "-C", str(other.root))
    assert (0, True) == (done.code, "as last applied" in done.out)


def test_entries_say_who_made_them_and_what_they_hold(
    team: tuple[Workspace, Workspace], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the messages of the commits, as far as `git log` shows them."""
    monkeypatch.setenv("LOGNAME", "ci")
    assert 0 == team[0].run("apply", "--yes", "-C", str(team[0].root)).code
    messages = git(repository, "log", "--reverse", "--format=%s", REF).splitlines()
    host = socket.gethostname()
    assert f"Entry 1: ci@{host}: begin" == messages[0]
    assert any(f"sandbox by ci@{host}: course.create 1 resource" in line for line in messages)
    assert messages[-1].endswith("lease released")


def test_doctor_says_where_the_log_is(team: tuple[Workspace, Workspace]) -> None:
    """The branch is named, as it stands in the project file."""
    one, _ = team
    one.run("apply", "--yes", "-C", str(one.root))
    done = one.run("doctor", "-C", str(one.root))
    assert "the log of the state is kept in git:origin#" in done.out


def test_a_reader_begins_no_state(team: tuple[Workspace, Workspace], repository: Path) -> None:
    """A plan needs no permission to push."""
    served.hook(repository, "pre-receive", "exit 1")
    assert 0 == team[0].run("plan", "-C", str(team[0].root)).code
    assert "" == git(repository, "for-each-ref")


@pytest.mark.slow
def test_nothing_is_sent_that_is_not_on_the_branch(
    team: tuple[Workspace, Workspace], repository: Path, platform: Platform
) -> None:
    """A repository that refuses stops the run before its first call."""
    before = platform.titles()
    served.hook(repository, "pre-receive", "exit 1")
    done = team[0].run("apply", "--yes", "-C", str(team[0].root))
    assert (1, True) == (done.code, "refuses the push" in done.err)
    assert before == platform.titles()


@pytest.mark.slow
def test_a_clone_without_a_cache_goes_on(team: tuple[Workspace, Workspace]) -> None:
    """As a runner that was just made: it has neither a copy of the branch nor a replica."""
    one, _ = team
    assert 0 == one.run("apply", "--yes", "-C", str(one.root)).code
    shutil.rmtree(one.root / ".lmssync")
    one.course("more")
    assert 0 == one.run("apply", "--yes", "-C", str(one.root)).code
    listed = one.run("state", "list", "-C", str(one.root)).out
    assert [True, True] == [f"course.{key} " in listed for key in ("more", "safety")]


@pytest.mark.slow
def test_of_two_runs_one_waits(team: tuple[Workspace, Workspace], platform: Platform) -> None:
    """The second says who holds the state and ends with 6; nothing is made twice."""
    one, other = team
    platform.hold("course.create")
    first = one.start("apply", "--yes", "-C", str(one.root))
    platform.wait_for("course.create", worked=False)
    second = other.run("apply", "--yes", "-C", str(other.root))
    platform.let_go()
    out, _ = read_outputs(first)
    assert (6, 0) == (second.code, first.returncode), out
    assert "is locked by" in second.err
    assert 1 == platform.titles().count("Title of safety")
