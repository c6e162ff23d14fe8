"""A catalog, and the command line where POSIX is missing; on Windows, simply the command line."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.forking import Ran
from tests.served_catalog import Platform

WITHOUT = Path(__file__).with_name("without_posix.py")
KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR", "PYTHONPATH", "LD_LIBRARY_PATH")
PROJECT = "version: 1\nenvironments:\n  sandbox: {baseUrl: 'http://127.0.0.1:1'}\n"
COURSE = """\
resource: course
key: safety
kind: courseGroup
title: Safety → 安全
sections:
  - id: start
    title: Start
    lessons:
      - id: one
        title: One
        openType: open
        topics:
          - {id: hello, title: Hello, type: text, bodyFile: hello.md}
"""


@dataclass
class Elsewhere:
    """A catalog on a machine that is not POSIX."""

    root: Path
    env: dict[str, str]

    def put(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def run(self, *args: str, **env: str) -> Ran:
        """`lmssync ARGS` in the catalog, in a process of its own.

        Whatever the system writes by itself, we write UTF-8.
        """
        program = ["-m", "lmssync"] if os.name == "nt" else [str(WITHOUT)]
        command = [sys.executable, *program, *args]
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=600,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    """A catalog of one course, and the folders of a user of Windows."""
    env = {name: os.environ[name] for name in KEPT if name in os.environ}
    env |= {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252", "USERNAME": "ann"}
    env |= {name: str(tmp_path / name.lower()) for name in ("APPDATA", "LOCALAPPDATA")}
    found = Elsewhere(tmp_path / "catalog", env)
    found.put("lmssync.yaml", PROJECT)
    found.put("courses/safety.yaml", COURSE)
    found.put("courses/hello.md", "Good morning\n\nand **welcome**\n")
    return found


@pytest.fixture
def served(elsewhere: Elsewhere, platform: Platform) -> Elsewhere:
    """The same, whose environment is the sandbox."""
    elsewhere.env |= {"LMSSYNC_BASE_URL": platform.base_url, "LMSSYNC_API_KEY": platform.key}
    return elsewhere
