"""Files and folders without an end: every one of them is answered in words, and soon."""

import os
import re
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import making

from .conftest import Stranger, course

PLACES = ("lmssync.yaml", "courses/b.yaml", "overlays/sandbox/b.yaml", "policies/b.yaml")
COMMANDS = (("validate",), ("plan",), ("fmt", "--check"))


def placed(root: Path, name: str) -> Path:
    """Where such a file shall stand; the folder is there, and the file is not."""
    making.put(root, name, "")
    (root / name).unlink()
    return root / name


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
@pytest.mark.parametrize("name", PLACES)
def test_a_pipe_is_not_waited_for(root: Path, run: Stranger, name: str, command: tuple[str, ...]):
    """A pipe that nobody writes to is reported and not read."""
    os.mkfifo(placed(root, name))
    done = run(*command)
    assert done.code in {3, 64}
    assert re.search("it is a pipe|there is no lmssync.yaml", done.said)


@pytest.mark.parametrize("names", [PLACES[:1], PLACES[1:]], ids=["project", "manifests"])
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/stdin", "/proc/kmsg", "/dev/tty"])
def test_a_device_is_not_read(root: Path, run: Stranger, names: Sequence[str], target: str):
    """A link to a device is reported and not read."""
    for name in names:
        placed(root, name).symlink_to(target)
    done = run("validate")
    assert done.code in {3, 64}
    assert len(names) == done.said.count("a link leads out of the catalog")


def test_a_socket_and_a_folder_are_no_manifests(root: Path, run: Stranger, monkeypatch):
    """A socket with the name of a manifest is reported as a socket."""
    monkeypatch.chdir(root)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("s.yaml")
        assert "s.yaml:1:1: error[unreadable] the file cannot be read: it is a socket" in (
            run("validate").out
        )


@pytest.mark.parametrize("name", PLACES)
def test_gigabytes_are_not_read(root: Path, run: Stranger, name: str):
    """A sparse file of gigabytes is refused because of its size."""
    with placed(root, name).open("wb") as file:
        file.truncate(5 * 2**30)
    done = run("validate")
    assert done.code in {3, 64}
    assert "67,108,864" in done.said


def test_a_body_of_gigabytes(root: Path, run: Stranger):
    """A body of gigabytes is refused, with and without a cache."""
    topic = "{id: t, title: T, type: text, bodyFile: b.md}"
    making.put(root, "courses/b.yaml", course("b", topic=topic))
    with (root / "courses/b.md").open("wb") as file:
        file.truncate(5 * 2**30)
    for _ in range(2):
        assert "error[file-size]" in run("validate").out


def test_a_hundred_folders(root: Path, run: Stranger):
    """A manifest may be 100 folders deep."""
    making.put(root, "d/" * 100 + "b.yaml", course("b"))
    assert "Valid: 2 resources in 2 files.\n" == run("validate").out


@pytest.mark.slow
def test_a_manifest_of_many_megabytes(root: Path, run: Stranger):
    """A manifest of 24 MB, most of it comments, is read."""
    prose = "# A line of a lesson that somebody has written down.\n" * 480_000
    making.put(root, "courses/b.yaml", course("b") + prose)
    assert 24_000_000 < (root / "courses/b.yaml").stat().st_size
    assert 0 == run("validate").code
