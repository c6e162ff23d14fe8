"""Where runs on one machine share the limits of an instance."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.state import open_note
from lmssync.state.state_files import BackendNote, NoteFile


def shelf(root: Path, url: str = "sqlite:///state.db") -> NoteFile | BackendNote:
    """That of a run in a catalog."""
    return open_note("limits-x", url, root, "production")


def read(root: Path, url: str = "sqlite:///state.db") -> list[str]:
    """What the next run finds."""
    found: list[str] = []
    shelf(root, url).change_text(lambda text: found.append(text) or text)
    return found[-1:]


def test_a_look_makes_no_file(tmp_path: Path):
    """Nobody has taken anything yet."""
    assert ([""], []) == (read(tmp_path), [*tmp_path.iterdir()])


def test_runs_share_a_file_beside_the_state(tmp_path: Path):
    """No change of one of them is lost."""

    def count(_: int) -> None:
        shelf(tmp_path).change_text(lambda text: f"{int(text or 0) + 1}")

    with ThreadPoolExecutor(4) as pool:
        [*pool.map(count, range(8))]
    assert ["8"] == read(tmp_path)


def test_two_states_in_one_folder_share_the_limits(tmp_path: Path):
    """They are those of the instance, which has several states perhaps."""
    shelf(tmp_path, "sqlite:///one.db").change_text(lambda _: "taken")
    assert ["taken"] == read(tmp_path, "sqlite:///other.db")


def test_a_folder_that_is_missing_is_not_made(tmp_path: Path):
    """A plan before the first apply leaves no trace."""
    with pytest.raises(StateError):
        shelf(tmp_path, "sqlite:///.lmssync/state.db").change_text(lambda _: "taken")
    assert [] == [*tmp_path.iterdir()]


def test_a_damaged_file_is_made_anew(tmp_path: Path):
    """By the next run; what was in it is known from answers."""
    shelf(tmp_path).change_text(lambda _: "taken")
    (file,) = tmp_path.glob("limits-*")
    file.write_bytes(b"not a database" * 100)
    with pytest.raises(StateError):
        shelf(tmp_path).change_text(lambda _: "again")
    shelf(tmp_path).change_text(lambda _: "again")
    assert ["again"] == read(tmp_path)


def test_a_file_that_is_locked_for_long_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The run goes on without it, and the file stays."""
    monkeypatch.setattr("lmssync.state.state_files._PATIENCE", 0.01)
    shelf(tmp_path).change_text(lambda _: "taken")
    (file,) = tmp_path.glob("limits-*")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StateError):
        shelf(tmp_path).change_text(lambda _: "again")
    other.close()
    assert ["taken"] == read(tmp_path)


def test_a_link_that_leads_elsewhere_is_not_followed(tmp_path: Path):
    """As in the place of the state itself."""
    root = tmp_path / "catalog"
    root.mkdir()
    shelf(root).change_text(lambda _: "taken")
    (file,) = root.glob("limits-*")
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError):
        shelf(root).change_text(lambda _: "taken")
    assert not (tmp_path / "elsewhere").exists()


def test_a_branch_of_git_is_not_opened_for_a_note(tmp_path: Path):
    """Each change would be a commit: the note is beside the replica."""
    assert isinstance(shelf(tmp_path, "git:origin#lmssync/production"), NoteFile)
