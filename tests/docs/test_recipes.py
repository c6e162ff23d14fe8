"""The recipes for pipelines do what they say."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from lmssync.planning import approvals
from lmssync.sandbox import run_sandbox
from tests import making

from . import pages
from .test_pages import is_known

PAGE = "docs/pipelines.md"
COURSE = (
    "resource: course\nkey: a\nkind: video\ntitle: A\nvideoUrl: https://media.example.com/a.mp4\n"
)


def recipe(name: str) -> str:
    found = re.search(rf"<!-- recipe: {name} -->\n\n```sh\n(.*?)```", pages.text(PAGE), re.DOTALL)
    assert found
    return found[1]


def ran(root: Path, script: str, **env: str) -> tuple[int, str]:
    """Exit code and output of a script, with the `lmssync` of this checkout on the path."""
    tool = root / "bin" / "lmssync"
    making.put(root, "bin/lmssync", f'#!/bin/sh\nexec {sys.executable} -m lmssync "$@"\n')
    tool.chmod(0o755)
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=root,
        env=os.environ | env | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    making.put(tmp_path, "a.yaml", COURSE)
    return tmp_path


@pytest.mark.slow
def test_a_release_and_a_look(root: Path):
    """The release applies the plan; before it the look finds a difference, and none after."""
    with run_sandbox() as where:
        env = {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        scripts = (recipe("look"), recipe("release"), recipe("look"))
        codes = [ran(root, script, **env)[0] for script in scripts]
    assert [2, 0, 0] == codes


@pytest.mark.slow
def test_a_release_without_a_platform_fails(root: Path):
    """Whatever code has no line of its own is that of the job."""
    env = {"LMSSYNC_BASE_URL": "http://127.0.0.1:1", "LMSSYNC_API_KEY": "key"}
    assert 8 == ran(root, recipe("release"), **env)[0]


def test_commands_in_workflows_exist():
    """Each is known to the command line, with all its options."""
    blocks = re.findall(r"```yaml\n(.*?)```", pages.text(PAGE), re.DOTALL)
    assert all(YAML(typ="safe").load(block) for block in blocks)
    lines = re.findall(r"command: ([^}\n]+)", "\n".join(blocks))
    assert lines
    assert [] == [line for line in lines if not is_known(shlex.split(line))]


def test_the_example_of_approvers():
    """Each line of it is a rule."""
    (block,) = re.findall(r"```text\n(# EFFECT.*?)```", pages.text(PAGE), re.DOTALL)
    assert 3 == len(approvals.parse_approval_rules(block))
