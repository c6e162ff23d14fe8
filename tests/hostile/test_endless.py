"""Files and folders without an end: every one of them is answered in words, and soon."""

import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

from .. import making
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
    """Nobody writes into it."""
    os.mkfifo(placed(root, name))
    done = run(*command)
    assert done.code in {3, 64}
    assert re.search("it is a pipe|there is no lmssync.yaml", done.said)


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("target", ["/dev/zero", "/dev/stdin", "/proc/kmsg", "/dev/tty"])
def test_a_device_is_not_read(root: Path, run: Stranger, name: str, target: str):
    """It would give bytes for ever, or wait for them."""
    placed(root, name).symlink_to(target)
    done = run("validate")
    assert done.code in {3, 64}
    assert "a link leads out of the catalog" in done.said


def test_a_socket_and_a_folder_are_no_manifests(root: Path, run: Stranger, monkeypatch):
    """They are told as what they are."""
    monkeypatch.chdir(root)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("s.yaml")
        assert "s.yaml:1:1: error[unreadable] the file cannot be read: it is a socket" in (
            run("validate").out
        )


@pytest.mark.parametrize("name", PLACES)
def test_gigabytes_are_not_read(root: Path, run: Stranger, name: str):
    """A sparse file says how large it is."""
    with placed(root, name).open("wb") as file:
        file.truncate(5 * 2**30)
    done = run("validate")
    assert done.code in {3, 64}
    assert "67,108,864" in done.said


def test_a_body_of_gigabytes(root: Path, run: Stranger):
    """Nor is a body, and a second look is as quick."""
    topic = "{id: t, title: T, type: text, bodyFile: b.md}"
    making.put(root, "courses/b.yaml", course("b", topic=topic))
    with (root / "courses/b.md").open("wb") as file:
        file.truncate(5 * 2**30)
    for _ in range(2):
        assert "error[file-size]" in run("validate").out


def test_folders_in_folders(root: Path, run: Stranger):
    """Fifteen hundred of them: the walk goes no deeper than any catalog does."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        for command in COMMANDS:
            done = run(*command)
            assert (64, "") == (done.code, done.out)
            assert "it is more than 100 folders deep" in done.err
    finally:  # pytest, which tidies up by recursion, could not
        subprocess.run(["rm", "-rf", root / "d"], check=True)


def test_a_hundred_folders(root: Path, run: Stranger):
    """So deep may a manifest lie."""
    making.put(root, "d/" * 100 + "b.yaml", course("b"))
    assert "Valid: 2 resources in 2 files.\n" == run("validate").out


def test_a_manifest_of_many_megabytes(root: Path, run: Stranger):
    """Real ones have two dozen; their prose is most of it."""
    prose = "# A line of a lesson that somebody has written down.\n" * 480_000
    making.put(root, "courses/b.yaml", course("b") + prose)
    assert 24_000_000 < (root / "courses/b.yaml").stat().st_size
    assert 0 == run("validate").code
