"""How the backend on a git ref reaches its repository: whose address, whose credentials."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.state.backends.git_backend import open_git_backend

from . import git_server as served
from .git_server import TOKEN, git

URL = "git:origin#lmssync/test"
HEADER = f"Authorization: Basic {base64.b64encode(f'x-access-token:{TOKEN}'.encode()).decode()}"


pytestmark = pytest.mark.usefixtures("git_cache")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """An address where anybody reads, and who writes needs the token."""
    served.bare(tmp_path / "served" / "catalog.git")
    with served.http(tmp_path / "served", writers_only=True) as address:
        yield address


@pytest.fixture
def root(tmp_path: Path, server: str) -> Path:
    return served.catalog(tmp_path / "catalog", f"{server}/catalog.git")


def written(root: Path, url: str = URL, **env: str) -> list[bytes]:
    """What is read after one append by a job with these variables."""
    backend = open_git_backend(url, root, env)
    assert backend.append(1, b"1")
    segments = list(backend.read())
    backend.close()
    return segments


def test_a_fork_reads_without_a_secret(root: Path):
    """The branch of a public repository; an append says what is missing."""
    backend = open_git_backend(URL, root, {})
    assert [] == list(backend.read())
    with pytest.raises(StateError, match="there are no credentials that it accepts") as raised:
        backend.append(1, b"1")
    assert "permissions: contents: write" in raised.value.hint
    backend.close()


def test_the_token_of_a_job(root: Path, server: str):
    """It is sent to the code host that the job runs at."""
    assert [b"1"] == written(root, GITHUB_SERVER_URL=server, GITHUB_TOKEN=TOKEN)


def test_the_token_of_a_job_goes_nowhere_else(root: Path):
    """To no remote on another host."""
    env = {"GITHUB_SERVER_URL": "https://code.example.com", "GITHUB_TOKEN": TOKEN}
    with pytest.raises(StateError, match="could not read Username"):
        written(root, **env)


def test_the_header_that_a_checkout_has_left(root: Path, server: str):
    """In the settings of the catalog's repository, for this address alone."""
    git(root, "config", f"http.{server}/.extraheader", HEADER)
    assert [b"1"] == written(root, GITHUB_SERVER_URL=server, GITHUB_TOKEN="another")


def test_a_password_in_the_address(root: Path, server: str):
    """As some pipelines leave it in the remote; nothing shows it."""
    address = server.replace("://", f"://x-access-token:{TOKEN}@")
    git(root, "remote", "set-url", "origin", f"{address}/catalog.git")
    assert [b"1"] == written(root)


def test_a_wrong_password_is_told_nobody(root: Path, server: str):
    """The message names the address without it."""
    address = server.replace("://", "://x-access-token:of-another-job@")
    url = f"git:{address}/catalog.git#state"
    backend = open_git_backend(url, root, {"LMSSYNC_STATE": url})
    with pytest.raises(StateError) as raised:
        backend.append(1, b"1")
    assert "of-another-job" not in f"{raised.value.message} {raised.value.hint} {backend.place}"
    assert f"{server.removeprefix('http://')}/catalog.git#state" in backend.place


def test_an_own_credential_helper(root: Path, tmp_path: Path):
    """Of the person's own settings, as in any git command."""
    helper = f"!f() {{ echo username=x-access-token; echo password={TOKEN}; }}; f"
    git(root, "config", "--file", str(tmp_path / "gitconfig"), "credential.helper", helper)
    assert [b"1"] == written(root)


@pytest.mark.parametrize("setting", ["credential.helper", "core.sshCommand", "core.fsmonitor"])
def test_no_program_of_the_repository_is_run(root: Path, tmp_path: Path, setting: str):
    """A stranger may have written its settings."""
    mark = tmp_path / "mark"
    git(root, "config", setting, f"!touch {mark}; true")
    if setting == "core.sshCommand":
        git(root, "remote", "set-url", "origin", "ssh://127.0.0.1:1/x")
    with pytest.raises(StateError):
        written(root)
    assert not mark.exists()


def test_no_transport_runs_a_program(root: Path, tmp_path: Path):
    """`ext::` would run what stands behind it."""
    mark = tmp_path / "mark"
    git(root, "remote", "set-url", "origin", f"ext::touch {mark}")
    with pytest.raises(StateError, match="not allowed"):
        written(root)
    assert not mark.exists()


def test_a_project_file_names_no_address(root: Path):
    """It may come from a pull request. What the environment names is the person's own."""
    url = "git:https://elsewhere.example.com/x.git#state"
    with pytest.raises(StateError, match="may only name a remote"):
        open_git_backend(url, root, {"LMSSYNC_STATE": "git:https://example.com/x.git#state"})
    open_git_backend(url, root, {"LMSSYNC_STATE": url}).close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("git:origin", "does not name a branch"),
        ("git:#main", "does not name a branch"),
        ("git:origin#a..b", "git allows no ref `a..b`"),
        ("git:origin#-f", "git allows no ref `-f`"),
        ("git:origin#refs/tags/main", "names no branch"),
        ("git:origin#refs/pull/7/head", "names no branch"),
        ("git:--upload-pack=x#main", "does not name a branch"),
        ("git:elsewhere#main", "does not have"),
    ],
)
def test_a_name_that_cannot_be(root: Path, url: str, message: str):
    """The message shows it."""
    with pytest.raises(StateError, match=message):
        open_git_backend(url, root, {})


def test_a_machine_without_git(root: Path, monkeypatch: pytest.MonkeyPatch):
    """It is not the remote that is missing."""
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(StateError, match="git is not installed") as raised:
        open_git_backend(URL, root, {})
    assert "install git" in raised.value.hint


def test_a_catalog_without_git(tmp_path: Path):
    """There is no remote that could be meant."""
    with pytest.raises(StateError, match="the catalog is in none"):
        open_git_backend(URL, tmp_path, {})


def test_a_ref_of_another_shape(root: Path, server: str, tmp_path: Path):
    """Where a code host allows it."""
    env = {"GITHUB_SERVER_URL": server, "GITHUB_TOKEN": TOKEN}
    assert [b"1"] == written(root, "git:origin#refs/lmssync/test", **env)
    refs = git(tmp_path / "served" / "catalog.git", "for-each-ref", "--format=%(refname)")
    assert "refs/lmssync/test\n" == refs
