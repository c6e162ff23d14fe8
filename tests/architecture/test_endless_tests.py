"""A test that hangs, or that ends its worker, ends no run of the tests without its name."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

SETTINGS = Path(__file__).parents[2] / "pyproject.toml"
OTHERS = """
    import os, time, pytest

    @pytest.mark.parametrize("number", range(8))
    def test_before(number): pass

    def test_endless(): {}

    @pytest.mark.parametrize("number", range(8))
    def test_after(number): pass
"""


def run_beside(folder: Path, what: str) -> str:
    """What pytest prints, with the settings of this project, of a test that does this."""
    Path(folder, "test_one.py").write_text(dedent(OTHERS).format(what))
    command = [sys.executable, "-m", "pytest", "-c", SETTINGS, "--rootdir", folder, folder]
    command += ["-n", "2", "--timeout", "2", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command, check=False, cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert 1 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_test_that_hangs_fails(tmp_path: Path) -> None:
    """The others go on."""
    told = run_beside(tmp_path, "time.sleep(100)")
    assert "test_one.py::test_endless - Failed: Timeout" in told
    assert "1 failed, 16 passed" in told


@pytest.mark.slow
def test_a_test_that_ends_its_worker_ends_the_run(tmp_path: Path) -> None:
    """A worker in its place might wait for ever."""
    told = run_beside(tmp_path, "os._exit(1)")
    assert "crashed while running 'test_one.py::test_endless'" in told
    assert "1 failed" in told
