"""Files that are whole, or as they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.support.file_writing import write_below, write_whole
from lmssync.support.safe_files import Outside


def test_a_file_is_written_over(tmp_path: Path):
    """What was there is gone, and nothing is left beside it."""
    file = tmp_path / "plan.json"
    file.write_bytes(b"old and longer")

    write_whole(file, [b"n", b"ew"])

    assert {"plan.json": b"new"} == {f.name: f.read_bytes() for f in tmp_path.iterdir()}


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ValueError])
def test_what_breaks_on_the_way_leaves_all_as_it_was(tmp_path: Path, error: type[BaseException]):
    """An interrupt, a full disk, a value that cannot be told."""
    file = tmp_path / "plan.json"
    file.write_bytes(b"old")

    with pytest.raises(error):
        write_whole(file, _broken(error()))

    assert {"plan.json": b"old"} == {f.name: f.read_bytes() for f in tmp_path.iterdir()}


def _broken(error: BaseException) -> Iterator[bytes]:
    yield b"half"
    raise error


def test_the_longest_name_is_no_trouble(tmp_path: Path):
    """The name of what is written beside it does not grow with it."""
    file = tmp_path / ("n" * 255)

    write_whole(file, [b"text"])

    assert b"text" == file.read_bytes()


def test_a_folder_that_is_not_there(tmp_path: Path):
    """The system's own error: who calls knows how to word it."""
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "plan.json", [b"text"])


def test_a_link_leads_out_of_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nor to its neighbour, where both are below the folder where we are."""
    for name in ("catalog", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "catalog/courses").symlink_to("../elsewhere")
    monkeypatch.chdir(tmp_path)

    for root in (Path("catalog"), tmp_path / "catalog"):
        with pytest.raises(Outside):
            write_below(root, "courses/a.yaml", [b"text"])

    assert [] == list((tmp_path / "elsewhere").iterdir())
