"""What the type checker knows of Windows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASKS_THE_SYSTEM = re.compile(
    r"^\s*(?:import|from) (?:asyncio|ctypes|fcntl|getpass|grp|locale|mmap|msvcrt|multiprocessing|os"
    r"|pathlib|pty|pwd|resource|select|selectors|shutil|signal|socket|stat|subprocess|sys|syslog"
    r"|tempfile|termios|threading|time|tty)\b",
    re.MULTILINE,
)


@pytest.mark.slow
def test_nothing_is_used_that_windows_lacks(tmp_path: Path):
    """Each name of the standard library that is missing there stands behind a question for it.

    Only modules that use such names are looked at, and each by itself, which takes a fifth of the
    time; what mypy misses then is no matter of Windows.
    """
    files = [file for file in (ROOT / "lmssync").rglob("*.py") if uses_the_system(file)]
    options = ("--platform", "win32", "--follow-imports", "skip", "--cache-dir", tmp_path)
    command = [sys.executable, "-m", "mypy", *options, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"checked {len(files)} source files" in done.stdout, done
    missing = [line for line in done.stdout.splitlines() if "[attr-defined]" in line]
    assert [] == [line for line in missing if "? has no attribute" not in line]  # of a type of ours


def uses_the_system(file: Path) -> bool:
    return bool(ASKS_THE_SYSTEM.search(file.read_text("utf-8")))
