"""What the README of a new catalog says, done by somebody who has never seen the tool."""

import os
import pty
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from lmssync.sandbox import running

from ..docs import pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A new catalog, in a home where nothing else is."""
    told = at_a_terminal(tmp_path, ["lmssync", "init", "--git", "content"])
    assert "made a git repository" in told
    return tmp_path / "content"


def at_a_terminal(where: Path, words: list[str], **env: str) -> str:
    """What a command shows to somebody who answers its question with yes; it must end well."""
    mine, its = pty.openpty()
    plain = {"HOME": str(where), "PATH": os.environ["PATH"], "NO_COLOR": "1"}
    command = [sys.executable, "-m", *words]
    with subprocess.Popen(
        command, cwd=where, env=plain | env, stdin=its, stdout=its, stderr=its
    ) as process:
        os.close(its)
        os.write(mine, b"y\n")
        told = b""
        with suppress(OSError):  # so a terminal says that nobody writes to it any more
            while piece := os.read(mine, 4096):
                told += piece
    os.close(mine)
    assert 0 == process.returncode, told.decode()
    return told.decode().replace("\r\n", "\n")


def blocks(folder: Path) -> list[list[list[str]]]:
    """The words of each command of each block of the README."""
    found = [body for kind, body in pages.fences(folder / "README.md") if kind == "sh"]
    return [[shlex.split(line, comments=True) for line in body.splitlines()] for body in found]


def test_the_readme_of_a_new_catalog_is_true(folder: Path):
    """Every command for the author's own machine ends well, in the order of the page."""
    offline, sandbox, production = blocks(folder)
    for words in offline:
        at_a_terminal(folder, words)
    serve, (_, setting), plan, apply = sandbox
    name, key = setting.split("=")
    assert ["lmssync", "sandbox", "serve"] == serve
    with running() as where:
        env = {"LMSSYNC_BASE_URL": where["baseUrl"], name: key}
        assert "to create." in at_a_terminal(folder, plan, **env)
        assert "Applied: " in at_a_terminal(folder, apply, **env)
        assert "No changes: " in at_a_terminal(folder, plan, **env)
    assert ["lmssync", "plan", "-e", "production"] == production[-1]
