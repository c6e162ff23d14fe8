"""The steps in the README of a new catalog, followed by somebody who is new to the tool."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lmssync.sandbox import run_sandbox
from tests.docs import pages
from tests.patience import kill_if_failed, read_terminal

pty = pytest.importorskip("pty")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A new catalog, in a home folder that holds nothing else."""
    told = at_a_terminal(tmp_path, ["lmssync", "init", "--git", "content"])
    assert "made a git repository" in told
    return tmp_path / "content"


def at_a_terminal(where: Path, words: list[str], **env: str) -> str:
    """The output of a command whose question is answered with yes; the command must succeed."""
    mine, its = pty.openpty()
    plain = {"HOME": str(where), "PATH": os.environ["PATH"], "NO_COLOR": "1"}
    command = [sys.executable, "-m", *words]
    with subprocess.Popen(
        command, cwd=where, env=plain | env, stdin=its, stdout=its, stderr=its
    ) as process:
        os.close(its)
        os.write(mine, b"y\n")
        with kill_if_failed(process):
            told = read_terminal(mine)
    os.close(mine)
    assert 0 == process.returncode, told.decode()
    return told.decode().replace("\r\n", "\n")


@pytest.mark.slow
def test_a_plan_fits_a_terminal(folder: Path):
    """At 80 columns, items side by side in a plan are wrapped between values."""
    words = "tags: [Wellbeing, Safety]\nmetaTitle: What is in our catalog, and how\nribbon: new\n"
    course = folder / "courses/first-steps.yaml"
    course.write_text(
        course.read_text("utf-8").replace("sections:\n", f"{words}sections:\n"), "utf-8"
    )
    with run_sandbox() as where:
        env = {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        told = at_a_terminal(folder, ["lmssync", "plan"], COLUMNS="80", **env)
    lines = told.partition("create")[2].partition("Plan:")[0].splitlines()[1:]
    assert 80 >= max(map(len, lines))


def test_a_sandbox_says_what_to_do_with_it(tmp_path: Path):
    """At a terminal, `sandbox serve` explains itself beside the one line for programs."""
    mine, its = pty.openpty()
    command = [sys.executable, "-m", "lmssync", "sandbox", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=its, stderr=its, stdin=its, cwd=tmp_path) as process:
        os.close(its)
        with kill_if_failed(process):
            told = read_terminal(mine, b"Ctrl-C ends it.")
        process.terminate()
    os.close(mine)
    first, *others = told.decode().splitlines()
    where = json.loads(first)
    assert f"Its catalog, in a browser: {where['baseUrl']}" == others[0]
    assert others[1].endswith(f"export LMSSYNC_API_KEY={where['apiKey']}")


def blocks(folder: Path) -> list[list[list[str]]]:
    """The words of each command in the code blocks of the README."""
    found = [body for kind, body in pages.fences(folder / "README.md") if kind == "sh"]
    return [[shlex.split(line, comments=True) for line in body.splitlines()] for body in found]


@pytest.mark.slow
def test_the_readme_of_a_new_catalog_is_true(folder: Path):
    """Every command for the author's own machine succeeds, in the order of the page."""
    offline, sandbox, production = blocks(folder)
    for words in offline:
        at_a_terminal(folder, words)
    serve, (_, setting), plan, apply = sandbox
    name, key = setting.split("=")
    assert ["lmssync", "sandbox", "serve"] == serve
    with run_sandbox() as where:
        env = {"LMSSYNC_BASE_URL": where["baseUrl"], name: key}
        assert "to create." in at_a_terminal(folder, plan, **env)
        assert "Applied: " in at_a_terminal(folder, apply, **env)
        assert "No changes: " in at_a_terminal(folder, plan, **env)
    assert ["lmssync", "plan", "-e", "production"] == production[-1]
