"""Runs that are killed, with a state in a file and in each backend."""

from itertools import count
from pathlib import Path
from uuid import uuid4

import pytest

from tests.served_catalog import EXTENDED, PROJECT, Platform
from tests.state.backends import git_server
from tests.state.backends.conftest import postgresql, s3
from tests.state.backends.postgresql_server import Server
from tests.state.backends.s3_server import S3

from .crashing import Crashes, Lay
from .small import small

__all__ = ["postgresql", "s3"]  # fixtures


@pytest.fixture
def crashes(
    platform: Platform,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Crashes:
    """Runs with the state in its usual file."""
    monkeypatch.chdir(tmp_path)  # so that it is gone back to
    small(monkeypatch.setattr, monkeypatch.setitem)
    _reach(platform, monkeypatch)
    (tmp_path / "runs").mkdir()
    return Crashes(
        platform, tmp_path / "runs", PROJECT, capsys, monkeypatch, lay=_made, shared=False
    )


@pytest.fixture
def on_an_instance(crashes: Crashes, _extended: Platform) -> Crashes:
    """The same on an instance with more routes."""
    _reach(_extended, crashes.set)
    crashes.platform, crashes.project = _extended, EXTENDED
    return crashes


@pytest.fixture
def shared(request: pytest.FixtureRequest, crashes: Crashes) -> Crashes:
    """Runs with a shared state, in a backend of the kind of the parameter."""
    crashes.set.setenv("LMSSYNC_PEOPLE_KEY", "0f" * 32)
    crashes.lay, crashes.shared = request.getfixturevalue(f"at_{request.param}"), True
    return crashes


@pytest.fixture
def at_s3(s3: S3) -> Lay:
    """A bucket with a prefix for each state."""
    return lambda root: _made(root) or f"s3://bucket/{root.name}"


@pytest.fixture
def at_postgresql(postgresql: Server) -> Lay:
    """A database with a name for each state."""
    return lambda root: _made(root) or postgresql.url(uuid4().hex)


@pytest.fixture
def at_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lay:
    """A repository in a folder, with a branch for each state: the way there is not what is cut."""
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    repository = git_server.bare(tmp_path / "served" / "catalog.git")
    branches = count()

    def lay(root: Path) -> str:
        git_server.catalog(root, str(repository))
        return f"git:origin#lmssync/{next(branches)}"

    return lay


def _made(root: Path) -> str:
    root.mkdir()
    return ""


def _reach(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMSSYNC_BASE_URL", platform.base_url)
    monkeypatch.setenv("LMSSYNC_API_KEY", platform.key)
