"""`lmssync validate`."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lmssync import report
from lmssync.cli.validate import FORMATS

from .. import making
from ..architecture.test_startup import loaded
from .conftest import Run

GOOD = (
    "resource: course\nkey: a\nkind: video\ntitle: A\nvideoUrl: https://media.example.com/a.mp4\n"
)
BAD = GOOD.replace("title: A", "titel: A")
WARNED = GOOD.replace("kind: video", "kind: courseGroup").replace(
    "videoUrl: https://media.example.com/a.mp4\n", ""
)
PATH = """\
resource: purchasePath
key: gone.shop
course: gone
label: Buy
target: {url: https://shop.example.com, title: Shop}
"""


def test_a_valid_catalog(tmp_path: Path, run: Run):
    """Exit 0, one line on stdout."""
    root = making.write(tmp_path, a=GOOD)
    assert (0, "Valid: 1 resource in 1 file.\n", "") == run("validate", "-C", root)


def test_an_invalid_catalog(tmp_path: Path, run: Run):
    """Exit 3, a line for each problem and its remedy below."""
    code, out, err = run("validate", "-C", making.write(tmp_path, a=BAD))
    assert (3, "") == (code, err)
    assert "a.yaml:4:1: error[unknown-field] course.a: there is no field `titel` here\n" in out
    assert "    did you mean `title`?\n" in out
    assert out.endswith("\n2 errors.\n")


def test_warnings_do_not_fail(tmp_path: Path, run: Run):
    """Exit 0; they are shown, and the catalog is called valid."""
    code, out, _ = run("validate", "-C", making.write(tmp_path, a=WARNED))
    assert 0 == code
    assert "warning[no-content]" in out
    assert out.endswith("1 warning.\nValid: 1 resource in 1 file.\n")


def test_json(tmp_path: Path, run: Run):
    """One document on stdout, with the same exit code."""
    code, out, err = run("validate", "--json", "-C", making.write(tmp_path, a=BAD))
    document = json.loads(out)
    assert (3, "", "lmssync.problems/1") == (code, err, document["format"])
    assert {
        "code": "unknown-field",
        "severity": "error",
        "address": "course.a",
        "path": "titel",
        "file": "a.yaml",
        "line": 4,
        "column": 1,
        "message": "there is no field `titel` here",
        "hint": "did you mean `title`?",
    } in document["problems"]


def test_json_of_a_valid_catalog(tmp_path: Path, run: Run):
    """Programs get a document also when nothing is wrong."""
    code, out, _ = run("validate", "--json", "-C", making.write(tmp_path, a=GOOD))
    assert (0, []) == (code, json.loads(out)["problems"])


def test_no_project_file(tmp_path: Path, run: Run):
    """Exit 64: the wrong folder is wrong use."""
    code, out, err = run("validate", "-C", tmp_path)
    assert (64, "") == (code, out)
    assert err.startswith("error: there is no lmssync.yaml in ")


def test_a_bad_project_file(tmp_path: Path, run: Run):
    """Exit 3, with the place."""
    making.put(tmp_path, "lmssync.yaml", "version: 1\nenviroments: {}\n")
    code, out, _ = run("validate", "-C", tmp_path)
    assert 3 == code
    assert out.startswith("lmssync.yaml:2:1: error[unknown-field]")


def test_no_folder(tmp_path: Path, run: Run):
    """A catalog that is not there is wrong use as well."""
    assert 64 == run("validate", "-C", tmp_path / "nowhere").code


def test_nothing_is_written_in_the_catalog(tmp_path: Path, run: Run):
    """What is remembered of it lies in the user's cache folder."""
    run("validate", "-C", making.write(tmp_path, a=GOOD))
    assert ["a.yaml", "lmssync.yaml"] == sorted(file.name for file in tmp_path.iterdir())
    assert making.cache(tmp_path).is_file()


def test_formats_are_those_of_the_reports():
    """Every form that there is can be asked for."""
    assert FORMATS == tuple(report.FORMATS)


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_a_bad_project_file_in_every_form(tmp_path: Path, run: Run, form: str):
    """A program that reads the answer finds the mistake in it."""
    making.put(tmp_path, "lmssync.yaml", "version: 1\nenviroments: {}\n")
    code, out, err = run("validate", "-C", tmp_path, "--format", form)
    assert (3, "") == (code, err)
    assert "unknown-field" in out


def test_one_environment(tmp_path: Path, run: Run):
    """A mistake of another environment's overlay is not told."""
    making.write(tmp_path, a=GOOD, overlays__sandbox__a="resource: course\nkey: a\ntitle: 5\n")
    project = making.PROJECT + "  live: {baseUrl: 'http://127.0.0.1:2'}\n"
    making.put(tmp_path, "lmssync.yaml", project)
    codes = [run("-e", name, "validate", "-C", tmp_path).code for name in ("live", "sandbox")]
    assert [0, 3] == codes
    assert 3 == run("validate", "-C", tmp_path).code


def test_an_unknown_environment(tmp_path: Path, run: Run):
    """Wrong use, with a guess."""
    code, _, err = run("validate", "-C", making.write(tmp_path, a=GOOD), "-e", "sandbx")
    assert 64 == code
    assert "did you mean `sandbox`?" in err


def test_changed_since(tmp_path: Path, run: Run):
    """Mistakes of files that did not change are left out; those between files are not."""
    making.write(tmp_path, old=GOOD.replace("key: a", "key: old").replace("kind:", "kin:"))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "x")
    making.put(tmp_path, "new.yaml", GOOD.replace("title:", "titel:"))
    making.put(tmp_path, "path.yaml", PATH)
    found = json.loads(run("validate", "-C", tmp_path, "--changed-since", "HEAD", "--json").out)
    assert {"new.yaml", "path.yaml"} == {problem["file"] for problem in found["problems"]}


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog with a mistake in one course and one between it and another file."""
    root = making.write(tmp_path, courses__a=BAD, courses__b=WARNED.replace("key: a", "key: b"))
    making.put(root, "paths/path.yaml", PATH)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    ("named", "files"),
    [
        (["courses/b.yaml"], {"courses/b.yaml"}),
        (["courses"], {"courses/a.yaml", "courses/b.yaml"}),
        (["./paths/../paths/path.yaml", "courses/b.yaml"], {"courses/b.yaml", "paths/path.yaml"}),
        (["."], {"courses/a.yaml", "courses/b.yaml", "paths/path.yaml"}),
    ],
)
def test_named_files(two: Path, run: Run, named: list[str], files: set[str]):
    """Only their problems are shown, those between files among them."""
    found = json.loads(run("validate", "--json", *named).out)
    assert files == {problem["file"] for problem in found["problems"]}


def test_named_from_elsewhere(two: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    """From the folder where we are, or from the root of the catalog."""
    monkeypatch.chdir(two / "courses")
    codes = [run("validate", "-C", two, name).code for name in ("a.yaml", "courses/a.yaml")]
    assert [3, 3] == codes


def test_named_files_without_errors(two: Path, run: Run):
    """The rest of the catalog is not called valid: what is not shown is counted."""
    code, out, _ = run("validate", "courses/b.yaml")
    assert 0 == code
    assert "warning[no-content]" in out
    assert out.endswith("3 problems in other files are not shown: `lmssync validate` lists all.\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("courses/c.yaml", "error: there is no file courses/c.yaml\n    did you mean `b.yaml` or"),
        ("notes.txt", "error: notes.txt is not a file that lmssync reads\n    name files that end"),
        ("empty", "error: lmssync reads nothing in empty\n"),
        ("schemas/x.yaml", "error: schemas/x.yaml is not a file that lmssync reads\n"),
        ("../elsewhere.yaml", "error: ../elsewhere.yaml is not in the catalog"),
    ],
)
def test_names_of_nothing(two: Path, run: Run, name: str, said: str):
    """Wrong use: no typo may pass for a file without problems."""
    for file in ("notes.txt", "schemas/x.yaml", "../elsewhere.yaml"):
        making.put(two, file, "")
    (two / "empty").mkdir()
    code, out, err = run("validate", name)
    assert (64, "") == (code, out)
    assert err.startswith(said)


@pytest.mark.parametrize("options", [["courses/b.yaml"], ["--changed-since", "HEAD"]])
def test_a_bad_project_file_is_always_told(two: Path, run: Run, options: list[str]):
    """Nothing else could be looked at, so nothing else is called right."""
    making.put(two, "lmssync.yaml", "version: 1\nenviroments: {}\n")
    git(two, "init", "-q")
    git(two, "add", "-A")
    git(two, "commit", "-q", "-m", "x")
    code, out, _ = run("validate", *options)
    assert 3 == code
    assert out.startswith("lmssync.yaml:2:1: error[unknown-field]")


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True)


def test_a_second_look_loads_next_to_nothing(tmp_path: Path):
    """Neither the models nor YAML nor anything of the network, once the files are old enough."""
    making.write(tmp_path, a=GOOD)
    time.sleep(1.1)  # the tick of file times: younger files are not believed
    runs = [loaded("validate", "-C", str(tmp_path)) for _ in range(2)]
    assert [True, False] == ["pydantic" in modules for modules in runs]
    assert set() == {"ruamel", "_ruamel_yaml_clibz", "httpx", "jinja2", "nh3"} & runs[1]


def test_watching(tmp_path: Path):
    """It says what it does, tells again when a file changes, and ends quietly on Ctrl-C."""
    making.write(tmp_path, a=GOOD)
    command = [sys.executable, "-m", "lmssync", "validate", "-C", tmp_path, "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watching:
        try:
            assert watching.stdout is not None
            assert b"Valid: 1 resource in 1 file.\n" == watching.stdout.readline()
            making.put(tmp_path, "a.yaml", GOOD.replace("title:", "titel:"))
            assert b"a.yaml:" in watching.stdout.readline()
            assert watching.stderr is not None
            told = [watching.stderr.readline().split()[0] for _ in range(4)]
            watching.send_signal(signal.SIGINT)
            _, err = watching.communicate(timeout=20)
        finally:
            watching.kill()
    assert (0, b"") == (watching.returncode, err)
    assert [b"Checking", b"Checked"] * 2 == told
