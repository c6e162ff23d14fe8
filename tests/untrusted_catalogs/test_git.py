"""Git is asked what has changed, and runs nothing that a stranger's repository names."""

import subprocess
from pathlib import Path

import pytest

from lmssync.support.git_repository import read_commit
from tests import making

from .conftest import COURSE, Pipeline

USAGE, INVALID = 64, 3
PROJECT = "version: 1\nenvironments: {p: {baseUrl: 'http://127.0.0.1:1'}}\n"
WRONG = COURSE.replace("key: a", "key: KEY").replace("kind: courseGroup", "kind: nonsense")


def settings(canary: Path) -> str:
    """Everything by which the settings of a repository have a program run."""
    run = f"touch {canary}; true"
    return f"""
[core]
  repositoryformatversion = 1
  bare = false
  worktree = {canary.parent}
  fsmonitor = "{run} #"
  hooksPath = {canary.parent}/hooks
  pager = "{run}"
  editor = "{run}"
  sshCommand = "{run}"
  askPass = "{run}"
  gitProxy = "{run}"
  alternateRefsCommand = "{run}"
[extensions]
  partialClone = origin
[remote "origin"]
  promisor = true
  url = "ext::sh -c touch% {canary}"
  uploadpack = "{run}; git-upload-pack"
[protocol "ext"]
  allow = always
[pager]
  rev-parse = true
  cat-file = true
[alias]
  rev-parse = "!{run}"
  cat-file = "!{run}"
[diff]
  external = "{run}"
[diff "x"]
  textconv = "{run}"
  command = "{run}"
[filter "x"]
  clean = "{run}"
  smudge = "{run}"
  process = "{run}"
  required = true
[credential]
  helper = "!{run}"
[gpg]
  program = "{run}"
"""


def plant(folder: Path, canary: Path) -> None:
    """The inside of a repository: one commit, of which a part must be fetched, and the settings."""
    work = canary.parent / "source"
    work.mkdir()
    (work / "a.yaml").write_text(COURSE)
    making.commit(work)
    making.git(work, "clone", "-q", "--bare", "--no-hardlinks", str(work), str(folder))
    hooks = canary.parent / "hooks"
    for place in (hooks, folder / "hooks"):
        place.mkdir(exist_ok=True)
        for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
            (place / name).write_text(f"#!/bin/sh\ntouch {canary}\n")
            (place / name).chmod(0o755)
    (folder / "config").write_text(settings(canary))
    tree = subprocess.run(
        ["git", f"--git-dir={work}/.git", "rev-parse", "HEAD^{tree}"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (folder / "objects" / tree[:2] / tree[2:]).unlink(missing_ok=True)


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that is there once something has run."""
    (tmp_path / "trap").mkdir()
    return tmp_path / "trap" / "it-ran"


@pytest.fixture
def clone(pipeline: Pipeline) -> Pipeline:
    """A real clone, whose catalog is a folder of it: one file is as before, one is new."""
    top = pipeline.root
    (top / "a.yaml").unlink()
    pipeline.put("content/lmssync.yaml", PROJECT)
    pipeline.put("content/old.yaml", WRONG.replace("KEY", "old"))
    making.commit(top)
    pipeline.put("content/new.yaml", WRONG.replace("KEY", "new"))
    pipeline.root = top / "content"
    return pipeline


def test_a_folder_like_the_inside_of_a_repository(clone: Pipeline, canary: Path) -> None:
    """A committed folder that looks like a repository is ignored."""
    plant(clone.root / "bare", canary)
    for item in (clone.root / "bare").iterdir():
        item.rename(clone.root / item.name)

    done = clone.run("validate", "--changed-since", "HEAD")

    assert (INVALID, True, False) == (done.code, "new.yaml" in done.out, "old.yaml" in done.out)
    assert not canary.exists()


@pytest.mark.parametrize("form", ["folder", "file"])
@pytest.mark.parametrize(
    "command", [["validate", "--changed-since", "main"], ["validate", "--format", "github"]]
)
def test_the_settings_of_a_repository_are_not_obeyed(
    pipeline: Pipeline, canary: Path, form: str, command: list[str]
) -> None:
    """No setting of a repository makes git run a program."""
    pipeline.put("lmssync.yaml", PROJECT)
    pipeline.put("a.yaml", WRONG)
    pipeline.put(".gitattributes", "* filter=x diff=x\n")
    pipeline.put(".gitmodules", f'[submodule "x"]\npath = x\nurl = "ext::sh -c touch% {canary}"\n')
    plant(pipeline.root / (".git" if form == "folder" else "inside"), canary)
    if form == "file":
        pipeline.put(".git", "gitdir: inside\n")

    done = pipeline.run(*command)

    assert done.code in {INVALID, USAGE}
    assert not canary.exists()


def test_the_commit_is_asked_as_carefully(pipeline: Pipeline, canary: Path) -> None:
    """Reading the commit of a plan runs no program either."""
    plant(pipeline.root / ".git", canary)

    assert (40, False) == (len(read_commit(pipeline.root)), canary.exists())


def test_a_program_in_the_catalog_is_not_git(clone: Pipeline, canary: Path) -> None:
    """A `git` in the catalog is not run through a relative folder in PATH."""
    clone.put("git", f"#!/bin/sh\ntouch {canary}\n").chmod(0o755)

    done = clone.run("validate", "--changed-since", "HEAD", PATH=f".::bin:{clone.env['PATH']}")

    assert (INVALID, False) == (done.code, canary.exists())


def test_git_gets_no_secret_and_no_other_repository(clone: Pipeline, tmp_path: Path) -> None:
    """Git gets only the variables that it needs."""
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\nenv > {tmp_path}/told\n")
    fake.chmod(0o755)

    clone.run("validate", "--changed-since", "HEAD", PATH=f"{fake.parent}:/bin", GIT_DIR="/x")

    told = (tmp_path / "told").read_text()
    assert ("GIT_TERMINAL_PROMPT=0" in told, "the-key" in told, "GIT_DIR" in told) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    "revision", ["--output=it", "-h", "--all", "HEAD\nHEAD", ":/first", "@{-9}"]
)
def test_a_revision_is_never_an_option(clone: Pipeline, revision: str) -> None:
    """A revision that looks like an option is refused and writes nothing."""
    done = clone.run("validate", f"--changed-since={revision}")

    assert (USAGE, False) == (done.code, (clone.root / "it").exists())


def test_a_git_that_never_ends_is_ended(clone: Pipeline, tmp_path: Path) -> None:
    """Endless output of git is cut off."""
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec yes\n")
    fake.chmod(0o755)

    done = clone.run("validate", "--changed-since", "HEAD", PATH=f"{fake.parent}:/usr/bin:/bin")

    assert (USAGE, True) == (done.code, "it printed more than can be read" in done.err)
