"""A shared state that its host cannot read: nothing in it is legible, and keys can be replaced."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from lmssync.state.backends import make_state_key
from tests.served_catalog import COURSE, Workspace

from . import git_server

STATE = "git:origin#lmssync/sandbox"
WRONG_USE, FAILED = 64, 1


@pytest.fixture
def shared(work: Workspace, git_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog whose state is on a branch, and the repository that keeps it."""
    repository = git_server.bare(git_cache.parent / "served.git")
    git_server.git(work.root, "init", "--quiet")
    git_server.git(work.root, "remote", "add", "origin", str(repository))
    monkeypatch.setenv("LMSSYNC_STATE", STATE)
    monkeypatch.setenv("LMSSYNC_STATE_KEY", make_state_key())
    work.write("a.yaml", COURSE.replace("KEY", "a"))
    return repository


def key_in_use() -> str:
    """The key that is set now."""
    return os.environ["LMSSYNC_STATE_KEY"]


def forget_here(work: Workspace) -> None:
    """Like another machine: nothing of the state is left beside the catalog."""
    subprocess.run(["rm", "-rf", work.root / ".lmssync"], check=True)


def kept_bytes(repository: Path) -> bytes:
    """Everything on all branches: contents and messages."""
    git = ["git", "-C", str(repository)]
    objects = subprocess.run(
        [*git, "cat-file", "--batch", "--batch-all-objects"], capture_output=True, check=True
    )
    return objects.stdout


@pytest.mark.usefixtures("platform")
def test_nothing_on_the_branch_can_be_read(work: Workspace, shared: Path) -> None:
    """No address, no title and no id, neither in a file nor in the message of a commit."""
    assert 0 == work.apply().code
    kept = kept_bytes(shared)

    assert b"lmssync" in kept
    assert not re.search(rb"course\.a|Title of a|course\.create", kept)


@pytest.mark.usefixtures("platform", "shared")
def test_another_machine_goes_on_with_the_key(work: Workspace) -> None:
    """It reads the branch anew, and plans nothing."""
    work.apply()
    forget_here(work)

    assert [] == work.plan()["changes"]


@pytest.mark.usefixtures("platform", "shared")
def test_without_the_key_the_state_is_refused(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says which variable has to be set."""
    work.apply()
    forget_here(work)
    monkeypatch.delenv("LMSSYNC_STATE_KEY")
    done = work.run("plan")

    assert FAILED == done.code
    assert "is encrypted, and LMSSYNC_STATE_KEY is not set" in done.err


@pytest.mark.usefixtures("platform", "shared")
def test_a_key_is_replaced(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The new key comes first and writes; the old one, here in a file, still reads."""
    work.apply()
    first = tmp_path / "first.key"
    first.write_text(f"\ufeff{key_in_use()}\n", "utf-8")
    monkeypatch.setenv("LMSSYNC_STATE_KEY", f"{make_state_key()}, {first}")
    work.write("b.yaml", COURSE.replace("KEY", "b"))
    assert 0 == work.apply().code
    forget_here(work)
    assert [] == work.plan()["changes"]

    monkeypatch.setenv("LMSSYNC_STATE_KEY", str(first))
    forget_here(work)
    assert "no key in LMSSYNC_STATE_KEY decrypts the state" in work.run("plan").err


@pytest.mark.usefixtures("platform")
def test_a_log_that_began_without_a_key_goes_on(
    work: Workspace, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written before stays readable; what comes is encrypted."""
    key = key_in_use()
    monkeypatch.delenv("LMSSYNC_STATE_KEY")
    work.apply()
    monkeypatch.setenv("LMSSYNC_STATE_KEY", key)
    work.write("b.yaml", COURSE.replace("KEY", "b"))
    work.apply()
    forget_here(work)

    assert [] == work.plan()["changes"]
    assert b"course.b" not in kept_bytes(shared)


@pytest.mark.usefixtures("platform", "shared")
@pytest.mark.parametrize("key", ["x" * 44, "nowhere.key"])
def test_what_is_no_key_is_refused(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """In words that do not show it."""
    monkeypatch.setenv("LMSSYNC_STATE_KEY", key)
    done = work.run("plan")

    assert WRONG_USE == done.code
    assert "LMSSYNC_STATE_KEY has" in done.err
    assert key not in done.err


@pytest.mark.usefixtures("shared")
def test_a_key_is_written_to_a_new_file(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its owner can read the file, which opens a state; a file that exists is kept."""
    assert 0 == work.run("state", "encryption-key", "state.key").code
    file = work.root / "state.key"
    monkeypatch.setenv("LMSSYNC_STATE_KEY", str(file))

    assert 0o600 == file.stat().st_mode & 0o777
    assert 0 == work.run("state", "list").code
    assert WRONG_USE == work.run("state", "encryption-key", "state.key").code


@pytest.mark.slow
@pytest.mark.usefixtures("platform", "shared")
@pytest.mark.parametrize("key", ["", "another"])
def test_a_machine_that_is_up_to_date_needs_the_key_to_write(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Else it would append what others cannot read, or what everybody can."""
    work.apply()
    monkeypatch.setenv("LMSSYNC_STATE_KEY", key and make_state_key())
    work.write("b.yaml", COURSE.replace("KEY", "b"))
    refused = work.apply()
    assert FAILED == refused.code
    assert "LMSSYNC_STATE_KEY" in refused.err
