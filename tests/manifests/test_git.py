"""What git knows of a catalog."""

import subprocess
from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.manifests import git

from .. import making


def run(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog in a folder of a repository, committed."""
    run(tmp_path, "init", "-q", "-b", "main")
    making.put(tmp_path, "elsewhere.md", "x")
    making.put(tmp_path, "content/a.yaml", "x")
    making.put(tmp_path, "content/b ü.yaml", "x")
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path / "content"


def test_nothing_has_changed(root: Path):
    """A clean work tree at the same commit."""
    assert set() == git.changed(root, "HEAD")


def test_changed_new_and_deleted_files(root: Path):
    """Committed or not, staged or not; what lies outside the catalog does not count."""
    making.put(root, "a.yaml", "y")
    making.put(root, "new.yaml", "y")
    making.put(root, "../elsewhere.md", "y")
    (root / "b ü.yaml").unlink()
    assert {"a.yaml", "b ü.yaml", "new.yaml"} == git.changed(root, "HEAD")


def test_since_an_older_commit(root: Path):
    """A branch, a tag, anything that names a commit."""
    making.put(root, "a.yaml", "y")
    run(root, "commit", "-qam", "second")
    assert {"a.yaml"} == git.changed(root, "HEAD~1")
    assert set() == git.changed(root, "main")


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "", "HEAD:content"])
def test_a_revision_that_is_none(root: Path, revision: str):
    """It is said to be none, and never taken for an option."""
    with pytest.raises(WrongUse, match="is no revision to compare with"):
        git.changed(root, revision)


def test_a_folder_without_git(tmp_path: Path):
    """There is nothing to compare with; a catalog works without git otherwise."""
    with pytest.raises(WrongUse, match="is no revision"):
        git.changed(tmp_path, "HEAD")
    assert ("", "") == (git.commit(tmp_path), git.prefix(tmp_path))


def test_the_folder_in_the_repository(root: Path):
    """By which reports name files as the repository does."""
    assert ("content/", "") == (git.prefix(root), git.prefix(root.parent))
