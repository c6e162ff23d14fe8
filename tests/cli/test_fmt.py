"""`lmssync fmt`."""

import io
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from .. import making
from .conftest import Run

LOOSE = "key: a\nresource: course   # what it is\n"
NEAT = "resource: course   # what it is\nkey: a\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog of a file that is in order and one that is not."""
    return making.write(tmp_path, loose=LOOSE, neat=NEAT)


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_catalog_is_put_in_order(root: Path, run: Run):
    """The files that changed on stdout, the count on stderr."""
    assert (0, "loose.yaml\n", "1 of 3 files formatted\n") == run("fmt", "-C", root)
    assert NEAT == (root / "loose.yaml").read_text()


def test_a_second_time(root: Path, run: Run):
    """Nothing is left to do."""
    run("fmt", "-C", root)
    assert (0, "", "0 of 3 files formatted\n") == run("fmt", "-C", root)


def test_files_may_be_named(root: Path, run: Run):
    """The others are not looked at."""
    file = root / "neat.yaml"
    assert (0, "", "0 of 1 file formatted\n") == run("fmt", file)


def test_check_writes_nothing(root: Path, run: Run):
    """Exit 2, and the names."""
    assert (2, "loose.yaml\n", "1 of 3 files would change\n") == run("fmt", "--check", "-C", root)
    assert LOOSE == (root / "loose.yaml").read_text()


def test_check_of_a_catalog_in_order(root: Path, run: Run):
    """Exit 0."""
    run("fmt", "-C", root)
    assert 0 == run("fmt", "--check", "-C", root).code


def test_a_difference(root: Path, run: Run):
    """As a patch on stdout; nothing is written."""
    code, out, err = run("fmt", "--diff", "-C", root)
    assert (0, "1 of 3 files would change\n") == (code, err)
    assert out.startswith("--- loose.yaml\n+++ loose.yaml\n@@ ")
    assert "\n+resource: course   # what it is\n key: a\n" in out
    assert LOOSE == (root / "loose.yaml").read_text()


def test_check_and_difference(root: Path, run: Run):
    """Both: the patch, and exit 2."""
    code, out, _ = run("fmt", "--diff", "--check", "-C", root)
    assert 2 == code
    assert out.startswith("--- loose.yaml\n")


def test_a_difference_shows_a_missing_end(tmp_path: Path, run: Run):
    """As other tools do."""
    making.put(tmp_path, "a.yaml", "a: 1")
    out = run("fmt", "--diff", tmp_path / "a.yaml").out
    assert out.endswith("-a: 1\n\\ No newline at end of file\n+a: 1\n")


def test_what_is_no_yaml_is_told(root: Path, run: Run):
    """Exit 3, with the place; it stays as it is, and the others are put in order."""
    making.put(root, "bad.yaml", "a: 1\na: 2\n")
    code, out, err = run("fmt", "-C", root)
    assert (3, "loose.yaml\n") == (code, out)
    assert "bad.yaml:2:1: error[duplicate-key]" in err
    assert "a: 1\na: 2\n" == (root / "bad.yaml").read_text()


@pytest.mark.parametrize("raw", [b"a: \xff\n", b"\ta: 1\n", b"a: [\n", b"a: \x07\n"])
def test_bad_files_stay(raw: bytes, root: Path, run: Run):
    """Whatever is wrong with them; validating has the same words."""
    making.put(root, "bad.yaml", raw)
    code, _, err = run("fmt", "-C", root)
    line = next(line for line in err.splitlines() if line.startswith("bad.yaml"))
    assert (3, raw) == (code, (root / "bad.yaml").read_bytes())
    assert line in run("validate", "-C", root).out


def test_a_file_that_cannot_be_read(root: Path, run: Run):
    """A link that leads nowhere, a pipe: exit 3, and the others are put in order."""
    (root / "gone.yaml").symlink_to("nowhere")
    os.mkfifo(root / "pipe.yaml")
    code, out, err = run("fmt", "-C", root)
    assert (3, "loose.yaml\n") == (code, out)
    assert "gone.yaml:1:1: error[unreadable] the file cannot be read: No such file" in err
    assert "pipe.yaml:1:1: error[unreadable] the file cannot be read: it is a pipe\n" in err


def test_a_file_that_cannot_be_written(tmp_path: Path):
    """Exit 1, in words; it is as it was."""
    making.put(tmp_path, "a.yaml", LOOSE)
    done = subprocess.run(
        [sys.executable, "-m", "lmssync", "fmt", "a.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)),
    )
    told = "error: a.yaml cannot be written: File too large\n0 of 1 file formatted\n"
    assert (1, "", told) == (done.returncode, done.stdout, done.stderr)
    assert LOOSE == (tmp_path / "a.yaml").read_text()


def test_templates_stay(root: Path, run: Run):
    """They are no YAML before they are rendered."""
    making.put(root, "a.yaml.j2", LOOSE)
    run("fmt", "-C", root)
    assert LOOSE == (root / "a.yaml.j2").read_text()


def test_no_catalog(tmp_path: Path, run: Run):
    """Exit 64: it would rewrite what is not ours."""
    making.put(tmp_path, "a.yaml", LOOSE)
    code, out, err = run("fmt", "-C", tmp_path)
    assert (64, "") == (code, out)
    assert err.startswith("error: there is no lmssync.yaml in ")


def test_what_cannot_be_proven_stays(root: Path, run: Run):
    """A warning names the file: after a lone carriage return, a `...` is read as a comment."""
    making.put(root, "odd.yaml", "- a\r...\r# c\r...\r")
    code, out, err = run("fmt", "-C", root)
    assert (0, "loose.yaml\n") == (code, out)
    assert err.startswith("warning: odd.yaml is left unchanged")


def test_from_stdin(run: Run, monkeypatch: pytest.MonkeyPatch):
    """To stdout, for editors."""
    stdin(monkeypatch, LOOSE)
    assert (0, NEAT, "") == run("fmt", "-")


def test_stdin_is_checked(run: Run, monkeypatch: pytest.MonkeyPatch):
    """Exit 2, without the text."""
    stdin(monkeypatch, LOOSE)
    assert (2, "<stdin>\n", "") == run("fmt", "-", "--check")


def test_stdin_that_is_no_yaml(run: Run, monkeypatch: pytest.MonkeyPatch):
    """Exit 3, and nothing on stdout that an editor could take for the text."""
    stdin(monkeypatch, "a: [\n")
    code, out, err = run("fmt", "-")
    assert (3, "") == (code, out)
    assert err.startswith("<stdin>:2:1: error[yaml-syntax]")


def test_stdin_stands_alone(run: Run):
    """Exit 64: a file beside it would be mixed with it."""
    assert 64 == run("fmt", "-", "a.yaml").code


def test_the_example_catalog_is_in_order(run: Run):
    """It shows how manifests look."""
    assert (0, "") == run("fmt", "--check", "-C", Path("examples/catalog").absolute())[:2]
