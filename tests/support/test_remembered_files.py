"""What is kept in the cache folder is believed as it was written, and about its subject only."""

from pathlib import Path

import pytest

from lmssync.support import cache_folder, remembered_files
from lmssync.support.remembered_files import recall_content, remember_content


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in a cache folder of this user, not made yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = cache_folder.find_program_file("schemas")
    assert found
    return found


def test_what_was_kept_is_recalled(file: Path):
    """The same subject gets what was kept about it, and another one gets nothing."""
    remember_content(file, b"one", b"found")
    assert (b"found", None) == (recall_content(file, b"one"), recall_content(file, b"two"))


def test_nothing_is_recalled_by_a_changed_program(file: Path, monkeypatch: pytest.MonkeyPatch):
    """What another version of the program has found out does not count."""
    remember_content(file, b"one", b"found")
    monkeypatch.setattr(remembered_files, "program_identity", lambda: "another")
    assert recall_content(file, b"one") is None


@pytest.mark.parametrize("spoil", [b"", b"x" * 16, b"x" * 40])
def test_a_damaged_file_counts_as_missing(file: Path, spoil: bytes):
    """What fails its seal is not read, and the next run may write it anew."""
    remember_content(file, b"one", b"found")
    file.write_bytes(spoil)
    assert recall_content(file, b"one") is None


def test_a_file_that_others_may_write_is_neither_read_nor_written(file: Path):
    """A stranger could have filled it."""
    remember_content(file, b"one", b"found")
    file.chmod(0o666)
    remember_content(file, b"one", b"other")
    assert recall_content(file, b"one") is None
    file.chmod(0o600)
    assert b"found" == recall_content(file, b"one")


def test_without_a_folder_of_the_user_nothing_is_kept():
    """Without a place to keep it, everything is found out anew."""
    remember_content(None, b"one", b"found")
    assert recall_content(None, b"one") is None
