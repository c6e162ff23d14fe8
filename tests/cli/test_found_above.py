"""A catalog that is found from a folder below its root, as git finds its repository."""

import os
from pathlib import Path

import pytest

from lmssync.cli.exits import Exit

from .conftest import Run

FOUND = "The catalog is in ..: files in it are named from there.\n"
NONE = "there is no lmssync.yaml in "


@pytest.fixture
def below(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of courses of a new catalog in a git repository; commands are run in it."""
    assert 0 == run("init", tmp_path / "catalog", "--git").code
    folder = tmp_path / "catalog" / "courses"
    monkeypatch.chdir(folder)
    return folder


def test_a_catalog_is_found_above(below: Path, run: Run):
    """The command says where, and names files from there."""
    (below / "bad.yaml").write_text("resource: course\n")
    done = run("validate")
    assert (Exit.INVALID, True) == (done.code, done.err.startswith(FOUND))
    assert "\ncourses/bad.yaml:1:1: error" in f"\n{done.out}{done.err.removeprefix(FOUND)}"


def test_named_files_are_those_of_this_folder(below: Path, run: Run):
    """Files that are read, and files that are written."""
    done = run("new", "course", "extra", "--file", "extra.yaml")
    assert (0, "courses/extra.yaml\n") == (done.code, done.out)
    assert (below / "extra.yaml").is_file()
    assert 0 == run("validate", "extra.yaml").code


def test_a_folder_that_is_named_is_the_only_one(below: Path, run: Run):
    """`-C` means what it says, before the command and behind it."""
    assert NONE in run("validate", "-C", ".").err
    assert NONE in run("-C", ".", "validate").err


def test_nothing_is_looked_for_above_a_repository(below: Path, run: Run):
    """Not above one that is inside another, and not where there is none."""
    (below / ".git").mkdir()
    assert NONE in run("validate").err
    (below / ".git").rmdir()
    (below.parent / ".git").rename(below.parent / "git")
    assert NONE in run("validate").err


def test_nothing_is_looked_for_in_folders_of_others(
    below: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    """Somebody else may have put a project file there."""
    monkeypatch.setattr(os, "getuid", lambda: below.stat().st_uid + 1)
    assert NONE in run("validate").err
