"""Folders in folders, deeper than any recursion goes."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Stranger, checkout


@pytest.fixture
def root() -> Iterator[Path]:
    """A checkout outside pytest's temporary folder.

    Pytest cleans up by recursion, which fails on folders as deep as these. A run that was killed
    would leave them for the clean-up of a later run.
    """
    folder = Path(tempfile.mkdtemp(prefix="lmssync-depths-"))
    try:
        yield checkout(folder)
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)


@pytest.mark.parametrize("command", [("validate",), ("plan",), ("fmt", "--check")], ids="-".join)
def test_folders_in_folders(root: Path, run: Stranger, command: tuple[str, ...]):
    """A catalog with 1,500 nested folders is refused with a clear message."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    done = run(*command)
    assert (64, "") == (done.code, done.out)
    assert "it is more than 100 folders deep" in done.err


@pytest.mark.slow
def test_init_in_nested_folders(run: Stranger):
    """`init` takes or refuses a path of 1,100 nested folders without a crash."""
    done = run("init", "abcd/" * 1_100)
    assert done.code in {0, 1}
    assert "bug" not in done.err
