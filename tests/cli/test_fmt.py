"""`lmssync fmt`."""

import io
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests import making

from .conftest import Run

LOOSE = "key: a\nresource: course   # what it is\n"
NEAT = "resource: course   # what it is\nkey: a\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A catalog of one file that is in order and one that is not."""
    return making.write(tmp_path, loose=LOOSE, neat=NEAT)


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_catalog_is_put_in_order(root: Path, run: Run):
    """`fmt` prints the files that changed on stdout and the count on stderr."""
    assert (0, "loose.yaml\n", "1 of 3 files formatted\n") == run("fmt", "-C", root)
    assert NEAT == (root / "loose.yaml").read_text()


def test_a_second_time(root: Path, run: Run):
    """A second `fmt` has nothing to do."""
    run("fmt", "-C", root)
    assert (0, "", "0 of 3 files formatted\n") == run("fmt", "-C", root)


def test_files_may_be_named(root: Path, run: Run):
    """If a file is named, no other file is looked at."""
    file = root / "neat.yaml"
    assert (0, "", "0 of 1 file formatted\n") == run("fmt", file)


def test_check_writes_nothing(root: Path, run: Run):
    """`--check` exits with 2, names the files and writes nothing."""
    assert (2, "loose.yaml\n", "1 of 3 files would change\n") == run("fmt", "--check", "-C", root)
    assert LOOSE == (root / "loose.yaml").read_text()


@pytest.fixture
def parsed() -> Iterator[list[str]]:
    """A word for each file that is parsed and put in order."""
    noted: list[str] = []

    def note_call(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name == "format_manifest":
            noted.append(event)

    sys.setprofile(note_call)
    yield noted
    sys.setprofile(None)


def test_a_file_in_order_is_parsed_once(root: Path, run: Run, parsed: list[str]):
    """A second `--check` parses only the file that was not in order."""
    first, second = (run("fmt", "--check", "-C", root) for _ in range(2))
    assert first == second == (2, "loose.yaml\n", "1 of 3 files would change\n")
    assert ["call"] * (3 + 1) == parsed


def test_what_was_put_in_order_is_not_parsed_again(root: Path, run: Run, parsed: list[str]):
    """`--check` after `fmt` parses nothing."""
    (root / "loose.yaml").write_text(LOOSE.replace("key: a", "key: b"))
    run("fmt", "-C", root)
    parsed.clear()
    assert 0 == run("fmt", "--check", "-C", root).code
    assert [] == parsed


def test_check_of_a_catalog_in_order(root: Path, run: Run):
    """`--check` exits with 0 if the catalog is in order."""
    run("fmt", "-C", root)
    assert 0 == run("fmt", "--check", "-C", root).code


def test_a_difference(root: Path, run: Run):
    """`--diff` prints a patch on stdout and writes nothing."""
    code, out, err = run("fmt", "--diff", "-C", root)
    assert (0, "1 of 3 files would change\n") == (code, err)
    assert out.startswith("--- loose.yaml\n+++ loose.yaml\n@@ ")
    assert "\n+resource: course   # what it is\n key: a\n" in out
    assert LOOSE == (root / "loose.yaml").read_text()


def test_check_and_difference(root: Path, run: Run):
    """`--diff` with `--check` prints the patch and exits with 2."""
    code, out, _ = run("fmt", "--diff", "--check", "-C", root)
    assert 2 == code
    assert out.startswith("--- loose.yaml\n")


def test_a_difference_shows_a_missing_end(tmp_path: Path, run: Run):
    """A patch marks a missing newline at the end as other tools do."""
    making.put(tmp_path, "a.yaml", "a: 1")
    out = run("fmt", "--diff", tmp_path / "a.yaml").out
    assert out.endswith("-a: 1\n\\ No newline at end of file\n+a: 1\n")


def test_what_is_no_yaml_is_told(root: Path, run: Run):
    """A file that is not YAML is reported with its place; the others are formatted."""
    making.put(root, "bad.yaml", "a: 1\na: 2\n")
    code, out, err = run("fmt", "-C", root)
    assert (3, "loose.yaml\n") == (code, out)
    assert "bad.yaml:2:1: error[duplicate-key]" in err
    assert "    2 | a: 2\n      | ^\n" in err
    assert "a: 1\na: 2\n" == (root / "bad.yaml").read_text()


@pytest.mark.parametrize("raw", [b"a: \xff\n", b"\ta: 1\n", b"a: [\n", b"a: \x07\n"])
def test_bad_files_stay(raw: bytes, root: Path, run: Run):
    """Bad files are not changed, and are reported in the words of `validate`."""
    making.put(root, "bad.yaml", raw)
    code, _, err = run("fmt", "-C", root)
    line = next(line for line in err.splitlines() if line.startswith("bad.yaml"))
    assert (3, raw) == (code, (root / "bad.yaml").read_bytes())
    assert line in run("validate", "-C", root).out


def test_a_file_that_cannot_be_read(root: Path, run: Run):
    """A dangling link or a pipe exits with 3, and the other files are formatted."""
    (root / "gone.yaml").symlink_to("nowhere")
    os.mkfifo(root / "pipe.yaml")
    code, out, err = run("fmt", "-C", root)
    assert (3, "loose.yaml\n") == (code, out)
    assert "gone.yaml:1:1: error[unreadable] the file cannot be read: No such file" in err
    assert "pipe.yaml:1:1: error[unreadable] the file cannot be read: it is a pipe\n" in err


def test_a_file_that_cannot_be_written(tmp_path: Path):
    """A file that cannot be written keeps its text, and the run exits with 1."""
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
    """Templates are not formatted, since they are not YAML until they are rendered."""
    making.put(root, "a.yaml.j2", LOOSE)
    run("fmt", "-C", root)
    assert LOOSE == (root / "a.yaml.j2").read_text()


def test_no_catalog(tmp_path: Path, run: Run):
    """Outside a catalog `fmt` exits with 64, so that it does not rewrite other files."""
    making.put(tmp_path, "a.yaml", LOOSE)
    code, out, err = run("fmt", "-C", tmp_path)
    assert (64, "") == (code, out)
    assert err.startswith("error: there is no lmssync.yaml in ")


def test_what_cannot_be_proven_stays(root: Path, run: Run):
    """A file whose meaning could change, as after a lone carriage return, only gets a warning."""
    making.put(root, "odd.yaml", "- a\r...\r# c\r...\r")
    code, out, err = run("fmt", "-C", root)
    assert (0, "loose.yaml\n") == (code, out)
    assert err.startswith("warning: odd.yaml is left unchanged")


def test_from_stdin(run: Run, monkeypatch: pytest.MonkeyPatch):
    """`fmt -` formats stdin to stdout, for editors."""
    stdin(monkeypatch, LOOSE)
    assert (0, NEAT, "") == run("fmt", "-")


def test_stdin_is_checked(run: Run, monkeypatch: pytest.MonkeyPatch):
    """`fmt - --check` exits with 2 and does not print the text."""
    stdin(monkeypatch, LOOSE)
    assert (2, "<stdin>\n", "") == run("fmt", "-", "--check")


def test_stdin_that_is_no_yaml(run: Run, monkeypatch: pytest.MonkeyPatch):
    """If stdin is not YAML, `fmt -` exits with 3 and prints nothing on stdout."""
    stdin(monkeypatch, "a: [\n")
    code, out, err = run("fmt", "-")
    assert (3, "") == (code, out)
    assert err.startswith("<stdin>:2:1: error[yaml-syntax]")


def test_stdin_stands_alone(run: Run):
    """`fmt -` with a file exits with 64, since their outputs would be mixed."""
    assert 64 == run("fmt", "-", "a.yaml").code


def test_the_example_catalog_is_in_order(run: Run):
    """The example catalog is in canonical form."""
    assert (0, "") == run("fmt", "--check", "-C", Path("examples/catalog").absolute())[:2]


def test_the_line_of_a_file_elsewhere_is_shown(
    root: Path, tmp_path_factory: pytest.TempPathFactory, run: Run
):
    """A file may be named from anywhere: its line is read where it is."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    making.put(elsewhere, "bad.yaml", "a: 1\na: 2\n")
    err = run("fmt", "-C", root, elsewhere / "bad.yaml").err
    assert f"{elsewhere}/bad.yaml:2:1: error[duplicate-key]" in err
    assert "    2 | a: 2\n      | ^\n" in err
