"""Where runs on one machine share the limits of an instance."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lmssync.errors import StateError
from lmssync.state import open_note
from lmssync.state.state_files import BackendNote, NoteFile
from lmssync.support.cache_folder import find_program_file


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder of its own for each test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def shelf(root: Path, url: str = "sqlite:///state.db") -> NoteFile:
    """That of a run in a catalog."""
    note = open_note("limits-x", url, root, "production", {})
    assert isinstance(note, NoteFile)
    return note


def read(root: Path, url: str = "sqlite:///state.db") -> list[str]:
    """What the next run finds."""
    found: list[str] = []
    shelf(root, url).change_text(lambda text: found.append(text) or text)
    return found[-1:]


def note_file() -> Path:
    """Where the note is."""
    file = find_program_file("limits-x.db")
    assert file
    return file


def test_a_look_makes_no_file(tmp_path: Path):
    """Nobody has taken anything yet."""
    assert ([""], []) == (read(tmp_path), [*tmp_path.iterdir()])


def test_no_change_is_lost(tmp_path: Path):
    """Ten runs at once."""

    def count(_: int) -> None:
        shelf(tmp_path).change_text(lambda text: f"{int(text or 0) + 1}")

    with ThreadPoolExecutor(10) as pool:
        [*pool.map(count, range(10))]
    assert ["10"] == read(tmp_path)


@pytest.mark.parametrize("url", ["sqlite:///other.db", "git:origin#lmssync/x"])
def test_catalogs_and_states_on_one_machine_share_the_limits(tmp_path: Path, url: str):
    """They are those of the instance, wherever the states are."""
    shelf(tmp_path / "one").change_text(lambda _: "taken")
    assert ["taken"] == read(tmp_path / "other", url)


def test_a_shared_home_keeps_the_note_itself(tmp_path: Path):
    """Runs on other machines share the limits as well; nothing is opened before it is needed."""
    url = "postgresql://nowhere.invalid/db"
    assert isinstance(open_note("limits-x", url, tmp_path, "production", {}), BackendNote)


def test_without_a_cache_folder_nothing_is_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What answers say is left is known all the same."""
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "")
    assert open_note("limits-x", "sqlite:///state.db", tmp_path, "production", {}) is None


def test_a_damaged_file_is_made_anew(tmp_path: Path):
    """By the next run; what was in it is known from answers."""
    shelf(tmp_path).change_text(lambda _: "taken")
    note_file().write_bytes(b"not a database" * 100)
    with pytest.raises(StateError):
        shelf(tmp_path).change_text(lambda _: "again")
    shelf(tmp_path).change_text(lambda _: "again")
    assert ["again"] == read(tmp_path)


def test_a_file_that_is_locked_for_long_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The run goes on without it, and the file stays."""
    monkeypatch.setattr("lmssync.state.state_files._PATIENCE", 0.01)
    shelf(tmp_path).change_text(lambda _: "taken")
    other = sqlite3.connect(note_file(), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StateError):
        shelf(tmp_path).change_text(lambda _: "again")
    other.close()
    assert ["taken"] == read(tmp_path)


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path):
    """The error is one that runs go on after."""
    (tmp_path / "cache").write_text("a file where the folder would be")
    with pytest.raises(StateError):
        shelf(tmp_path).change_text(lambda _: "taken")


def test_a_link_that_leads_elsewhere_is_not_followed(tmp_path: Path):
    """As in the place of a state."""
    shelf(tmp_path).change_text(lambda _: "taken")
    note_file().unlink()
    note_file().symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError):
        shelf(tmp_path).change_text(lambda _: "taken")
    assert not (tmp_path / "elsewhere").exists()
