"""What git knows of a catalog."""

from pathlib import Path

import pytest

from lmssync.errors import WrongUse
from lmssync.support import git_repository as git
from lmssync.support.git_repository import read_earlier, read_files_at
from tests import making


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog in a folder of a repository, committed."""
    making.git(tmp_path, "init", "-q", "-b", "main")
    making.put(tmp_path, "elsewhere.md", "x")
    making.put(tmp_path, "content/a.yaml", "x")
    making.put(tmp_path, "content/b ü.yaml", "x")
    making.git(tmp_path, "add", "-A")
    making.git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path / "content"


ALL = ("a.yaml", "b ü.yaml", "new.yaml")


def test_nothing_has_changed(root: Path):
    """A clean work tree at the same commit."""
    assert set() == git.changed_files(root, "HEAD", ALL[:2])


def test_changed_new_and_deleted_files(root: Path):
    """Committed or not, staged or not; of the files that are asked for."""
    making.put(root, "a.yaml", "y")
    making.put(root, "new.yaml", "y")
    (root / "b ü.yaml").unlink()
    assert set(ALL) == git.changed_files(root, "HEAD", ALL)
    assert {"a.yaml"} == git.changed_files(root, "HEAD", ["a.yaml"])


def test_since_an_older_commit(root: Path):
    """A branch, a tag, anything that names a commit."""
    making.put(root, "a.yaml", "y")
    making.git(root, "commit", "-qam", "second")
    assert {"a.yaml"} == git.changed_files(root, "HEAD~1", ALL[:2])
    assert set() == git.changed_files(root, "main", ALL[:2])


def test_a_tag_does_not_stand_in_for_a_branch(root: Path):
    """Git itself would take the tag, and whoever may push one is not who may push to the branch."""
    making.put(root, "a.yaml", "y")
    making.git(root, "commit", "-qam", "second")
    making.git(root, "tag", "main", "HEAD~1")
    assert set() == git.changed_files(root, "main", ALL[:2])
    assert {"a.yaml"} == git.changed_files(root, "main~1", ALL[:2])
    assert {"a.yaml"} == git.changed_files(root, "refs/tags/main", ALL[:2])


def test_a_branch_that_was_only_fetched(root: Path):
    """A pipeline has the base of a pull request as the branch of a remote."""
    making.git(root, "update-ref", "refs/remotes/origin/stable", "HEAD")
    making.git(root, "tag", "stable", "HEAD")
    assert git.commit_of(root, "origin/stable") == git.commit_of(root, "stable")


@pytest.mark.parametrize("name", ["refs/heads/stable", "refs/remotes/origin/stable", "FETCH_HEAD"])
def test_a_tag_does_not_stand_in_for_a_full_name(root: Path, name: str):
    """A shallow clone may lack the branch, and git would take a tag whose own name is its path."""
    making.git(root, "update-ref", f"refs/tags/{name}", "HEAD")
    with pytest.raises(WrongUse):
        git.commit_of(root, name)


@pytest.mark.parametrize("revision", ["v1", "v1~1", "v1^{commit}"])
def test_a_tag_has_its_full_name(root: Path, revision: str):
    """A plain name that only a tag has is refused, with the name that means the tag."""
    making.git(root, "tag", "v1")
    with pytest.raises(WrongUse, match="names a tag and no branch") as caught:
        git.commit_of(root, revision)
    assert "refs/tags/v1" in caught.value.hint
    assert git.commit_of(root, "HEAD") == git.commit_of(root, "refs/tags/v1")


def test_line_ends_of_another_system_are_no_change(root: Path):
    """Git may write them so into the work tree."""
    making.put(root, "a.yaml", "one\ntwo\n")
    making.git(root, "commit", "-qam", "second")
    making.put(root, "a.yaml", "one\r\ntwo\r\n")
    assert set() == git.changed_files(root, "HEAD", ["a.yaml"])


def test_a_link_counts_as_changed(root: Path):
    """What it leads to may have changed while it has not."""
    (root / "c.yaml").symlink_to("a.yaml")
    making.git(root, "add", "-A")
    making.git(root, "commit", "-qm", "second")
    assert {"c.yaml"} == git.changed_files(root, "HEAD", ["c.yaml"])


def test_ids_of_the_longer_kind(tmp_path: Path):
    """A repository may name contents by SHA-256."""
    making.git(tmp_path, "init", "-q", "--object-format=sha256")
    making.put(tmp_path, "a.yaml", "x")
    making.git(tmp_path, "add", "-A")
    making.git(tmp_path, "commit", "-qm", "first")
    making.put(tmp_path, "b.yaml", "x")
    assert {"b.yaml"} == git.changed_files(tmp_path, "HEAD", ["a.yaml", "b.yaml"])
    assert 64 == len(git.read_commit(tmp_path))


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "", "HEAD:content"])
def test_a_revision_that_is_none(root: Path, revision: str):
    """It is said to be none, and never taken for an option."""
    with pytest.raises(WrongUse, match="is not a revision to compare with"):
        git.changed_files(root, revision, [])


def test_a_folder_without_git(tmp_path: Path):
    """There is nothing to compare with; a catalog works without git otherwise."""
    with pytest.raises(WrongUse, match="is not a revision"):
        git.changed_files(tmp_path, "HEAD", [])
    assert ("", "") == (git.read_commit(tmp_path), git.folder_in_repository(tmp_path))


def test_the_folder_in_the_repository(root: Path):
    """By which reports name files as the repository does."""
    assert ("content/", "") == (
        git.folder_in_repository(root),
        git.folder_in_repository(root.parent),
    )


def test_former_texts(root: Path):
    """What changed and deleted files held at a revision; others of the repository do not count."""
    making.put(root, "a.yaml", "new")
    making.put(root, "new.yaml", "new")
    (root / "b ü.yaml").unlink()
    making.put(root.parent, "elsewhere.md", "new")
    assert ["x", "x"] == list(read_earlier(root, "HEAD", (".yaml", ".md")))


def test_former_texts_of_what_is_as_it_was(root: Path):
    """A clean work tree has none."""
    assert [] == list(read_earlier(root, "HEAD", (".yaml",)))


def test_the_files_of_a_commit(root: Path):
    """Those of the catalog, byte by byte, whatever the folder holds now; no links."""
    (root / "c.bin").write_bytes(b"\xff\n\x00")
    (root / "link.yaml").symlink_to("a.yaml")
    making.git(root, "add", "-A")
    making.git(root, "commit", "-q", "-m", "second")
    making.put(root, "a.yaml", "y")
    before = {"a.yaml": b"x", "b ü.yaml": b"x"}
    assert before == dict(read_files_at(root, "HEAD~1"))
    assert before | {"c.bin": b"\xff\n\x00"} == dict(read_files_at(root, "HEAD"))
    assert {"a.yaml": b"x"} == dict(read_files_at(root, "HEAD", ["a.yaml", "new.yaml"]))
