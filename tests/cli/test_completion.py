"""What a shell completes, asked by the shell itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lmssync.cli.completion_command import SHELLS
from lmssync.cli.main import main
from tests import making

COURSE = (
    "resource: course\nkey: KEY\nkind: video\ntitle: A\nvideoUrl: https://media.example.com/a.mp4\n"
)
ARCHIVED = ["archived=false", "archived=true"]
ASKED_BY_BASH = """
eval "$(lmssync completion bash)"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_lmssync_completion lmssync
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalog that was validated, and an `lmssync` for the path of a shell."""
    folder = tmp_path_factory.mktemp("catalog")
    making.put(folder, "lmssync.yaml", making.PROJECT)
    for key in ("safety-101", "safety-102", "tidy-desk"):
        making.put(folder, f"{key}.yaml", COURSE.replace("KEY", key))
    making.put(folder, "bin/lmssync", f'#!/bin/sh\nexec {sys.executable} -m lmssync "$@"\n')
    (folder / "bin" / "lmssync").chmod(0o755)
    with pytest.raises(SystemExit):
        main(["validate", "-C", str(folder)])
    return folder


def asked(root: Path, *command: str) -> list[str]:
    """What a program prints in the catalog, with `lmssync` on its path."""
    path = f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "HOME": str(root), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=True)
    return sorted(line.partition("\t")[0] for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("outline course.sa", ["course.safety-101", "course.safety-102"]),
        ("plan --target course.t", ["course.tidy-desk"]),
        ("val", ["validate"]),
        ("get paths course.t", ["course.tidy-desk"]),
        pytest.param("get courseGroups --filter a", ARCHIVED, marks=pytest.mark.slow),
        pytest.param("get tags --columns id,l", ["id,label"], marks=pytest.mark.slow),
        pytest.param("-e ", ["sandbox"], marks=pytest.mark.slow),
        pytest.param("new lic", ["license", "licenseAssignment"], marks=pytest.mark.slow),
        pytest.param("explain percent-r", ["percent-range"], marks=pytest.mark.slow),
    ],
)
def test_bash_completes(root, words, completed):
    """Commands, addresses, environments, kinds and rules."""
    shown = asked(root, "bash", "-c", ASKED_BY_BASH, "bash", "lmssync", *words.split(" "))
    assert completed == shown


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish")
def test_fish_completes(root):
    """The same addresses."""
    script = 'lmssync completion fish | source; complete -C "lmssync outline course.sa"'
    assert ["course.safety-101", "course.safety-102"] == asked(root, "fish", "-c", script)


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh")
def test_zsh_can_load_it(root):
    """It defines the function and binds it to the command."""
    script = 'autoload -U compinit; compinit -u; eval "$(lmssync completion zsh)"; '
    assert ["_lmssync_completion"] == asked(root, "zsh", "-c", script + "echo $_comps[lmssync]")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_starts_no_shell(shell, capsys, monkeypatch):
    """It is printed without looking for the shell, which may be elsewhere."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit):
        main(["completion", shell])
    assert "_LMSSYNC_COMPLETE" in capsys.readouterr().out


def test_without_a_catalog(root, tmp_path):
    """There is nothing to complete with, and no message among the words."""
    making.put(tmp_path, "bin/lmssync", (root / "bin/lmssync").read_text("utf-8"))
    (tmp_path / "bin" / "lmssync").chmod(0o755)
    words = ["bash", "-c", ASKED_BY_BASH, "bash", "lmssync", "outline", "c"]
    assert [""] == asked(tmp_path, *words)
