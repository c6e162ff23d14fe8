"""A file is replaced wholly or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from lmssync.catalog.manifests.catalog_files import replace_file

FULL = """\
import resource, sys, pathlib
from lmssync.catalog.manifests.catalog_files import replace_file
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    replace_file(pathlib.Path(sys.argv[1]).parent, "a.yaml", b"old", b"x" * 10_000)
except OSError as error:
    print(error.strerror)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that holds `old`."""
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    return file


def alone(file: Path) -> bool:
    """True if nothing was left beside the file."""
    return [file.name] == [other.name for other in file.parent.iterdir()]


def test_the_new_text_takes_the_place(file: Path):
    """And nothing else is left."""
    replace_file(file.parent, file.name, b"old", b"new")
    assert (b"new", True) == (file.read_bytes(), alone(file))


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_the_mode_is_kept(mode: int, file: Path):
    """Whoever could read it still can, and nobody else."""
    file.chmod(mode)
    replace_file(file.parent, file.name, b"old", b"new")
    assert mode == file.stat().st_mode & 0o777


def test_a_link_stays_a_link(file: Path, tmp_path: Path):
    """The file that it leads to is replaced."""
    link = tmp_path / "b.yaml"
    link.symlink_to(file)
    replace_file(tmp_path, link.name, b"old", b"new")
    assert (True, b"new") == (link.is_symlink(), file.read_bytes())


def test_a_change_meanwhile_is_kept(file: Path):
    """Somebody saved the file after it was read: theirs stays."""
    with pytest.raises(OSError, match="changed in the meantime"):
        replace_file(file.parent, file.name, b"older", b"new")
    assert (b"old", True) == (file.read_bytes(), alone(file))


def test_two_that_write_the_same(file: Path):
    """Whoever comes second has nothing to complain of."""
    replace_file(file.parent, file.name, b"old", b"new")
    replace_file(file.parent, file.name, b"old", b"new")
    assert (b"new", True) == (file.read_bytes(), alone(file))


def test_a_disk_that_is_full(file: Path):
    """The file is as it was, and nothing is left beside it."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(file)], capture_output=True, text=True, check=True
    )
    assert ("File too large\n", b"old", True) == (done.stdout, file.read_bytes(), alone(file))


def test_a_file_that_is_gone(file: Path):
    """It is not made again."""
    file.unlink()
    with pytest.raises(OSError, match=r"write-protected|No such file"):
        replace_file(file.parent, file.name, b"old", b"new")
    assert not file.exists()
