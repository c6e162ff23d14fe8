"""`lmssync validate`."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import making
from tests.architecture.test_startup import loaded

from .conftest import Run

GOOD = (
    "resource: course\nkey: a\nkind: video\ntitle: A\nvideoUrl: https://media.example.com/a.mp4\n"
)
BAD = GOOD.replace("title: A", "titel: A")
WARNED = GOOD.replace("kind: video", "kind: courseGroup").replace(
    "videoUrl: https://media.example.com/a.mp4\n", ""
)
BODY = """\
resource: course
key: a
kind: microCourse
title: A
topics: [{id: t, title: T, type: text, bodyFile: hello.html}]
"""
PATH = """\
resource: purchasePath
key: gone.shop
course: gone
label: Buy
target: {url: https://shop.example.com, title: Shop}
"""


def test_a_valid_catalog(tmp_path: Path, run: Run):
    """A valid catalog exits with 0 and one line on stdout."""
    root = making.write(tmp_path, a=GOOD)
    assert (0, "Valid: 1 resource in 1 file.\n", "") == run("validate", "-C", root)


def test_an_invalid_catalog(tmp_path: Path, run: Run):
    """An invalid catalog exits with 3, with the line of each mistake and the remedy below it."""
    code, out, err = run("validate", "-C", making.write(tmp_path, a=BAD))
    assert (3, "") == (code, err)
    assert (
        "a.yaml:4:1: error[unknown-field] course.a: there is no field `titel` here\n"
        "    4 | titel: A\n      | ^^^^^\n    help: did you mean `title`?\n"
    ) in out
    assert out.endswith("\n2 errors.\n")


def test_one_line_a_problem(tmp_path: Path, run: Run):
    """`--format concise` has one line for each problem, with its remedy, and no source."""
    out = run("validate", "--format", "concise", "-C", making.write(tmp_path, a=BAD)).out
    assert (
        "a.yaml:4:1: error[unknown-field] course.a: there is no field `titel` here; "
        "did you mean `title`?\n\n2 errors.\n"
    ) in out


def test_warnings_do_not_fail(tmp_path: Path, run: Run):
    """Warnings are shown, and the catalog is still valid with exit code 0."""
    code, out, _ = run("validate", "-C", making.write(tmp_path, a=WARNED))
    assert 0 == code
    assert "warning[no-content]" in out
    assert out.endswith("1 warning.\nValid: 1 resource in 1 file.\n")


def test_json(tmp_path: Path, run: Run):
    """`--json` prints one document on stdout and keeps the exit code."""
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
    """`--json` prints a document even if there are no problems."""
    code, out, _ = run("validate", "--json", "-C", making.write(tmp_path, a=GOOD))
    assert (0, []) == (code, json.loads(out)["problems"])


def test_no_project_file(tmp_path: Path, run: Run):
    """A folder without a project file is wrong use, with exit code 64."""
    code, out, err = run("validate", "-C", tmp_path)
    assert (64, "") == (code, out)
    assert err.startswith("error: there is no lmssync.yaml in ")


def test_a_bad_project_file(tmp_path: Path, run: Run):
    """A bad project file exits with 3 and the place."""
    making.put(tmp_path, "lmssync.yaml", "version: 1\nenviroments: {}\n")
    code, out, _ = run("validate", "-C", tmp_path)
    assert 3 == code
    assert out.startswith("lmssync.yaml:2:1: error[unknown-field]")


def test_no_folder(tmp_path: Path, run: Run):
    """A folder that does not exist is wrong use."""
    assert 64 == run("validate", "-C", tmp_path / "nowhere").code


def test_nothing_is_written_in_the_catalog(tmp_path: Path, run: Run):
    """`validate` writes its cache to the user's cache folder, and nothing to the catalog."""
    run("validate", "-C", making.write(tmp_path, a=GOOD))
    assert ["a.yaml", "lmssync.yaml"] == sorted(file.name for file in tmp_path.iterdir())
    assert making.cache(tmp_path).is_file()


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_a_bad_project_file_in_every_form(tmp_path: Path, run: Run, form: str):
    """In every form, the output names the mistake in the project file."""
    making.put(tmp_path, "lmssync.yaml", "version: 1\nenviroments: {}\n")
    code, out, err = run("validate", "-C", tmp_path, "--format", form)
    assert (3, "") == (code, err)
    assert "unknown-field" in out


def test_one_environment(tmp_path: Path, run: Run):
    """With an environment, mistakes in the overlays of others are not shown."""
    making.write(tmp_path, a=GOOD, overlays__sandbox__a="resource: course\nkey: a\ntitle: 5\n")
    project = making.PROJECT + "  live: {baseUrl: 'http://127.0.0.1:2'}\n"
    making.put(tmp_path, "lmssync.yaml", project)
    codes = [run("-e", name, "validate", "-C", tmp_path).code for name in ("live", "sandbox")]
    assert [0, 3] == codes
    assert 3 == run("validate", "-C", tmp_path).code


def test_an_unknown_environment(tmp_path: Path, run: Run):
    """An unknown environment is wrong use, with a suggestion."""
    code, _, err = run("validate", "-C", making.write(tmp_path, a=GOOD), "-e", "sandbx")
    assert 64 == code
    assert "did you mean `sandbox`?" in err


def test_changed_since(tmp_path: Path, run: Run):
    """`--changed-since` shows mistakes in changed files, and those between files."""
    making.write(tmp_path, old=GOOD.replace("key: a", "key: old").replace("kind:", "kin:"))
    making.commit(tmp_path)
    making.put(tmp_path, "new.yaml", GOOD.replace("title:", "titel:"))
    making.put(tmp_path, "path.yaml", PATH)
    found = json.loads(run("validate", "-C", tmp_path, "--changed-since", "HEAD", "--json").out)
    assert {"new.yaml", "path.yaml"} == {problem["file"] for problem in found["problems"]}


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog with a mistake in one course, and one between that course and another file."""
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
    """For named files, only their problems are shown, including those between files."""
    found = json.loads(run("validate", "--json", *named).out)
    assert files == {problem["file"] for problem in found["problems"]}


def test_named_from_elsewhere(two: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    """Files can be named from the current folder or from the root of the catalog."""
    monkeypatch.chdir(two / "courses")
    codes = [run("validate", "-C", two, name).code for name in ("a.yaml", "courses/a.yaml")]
    assert [3, 3] == codes


def test_named_files_without_errors(two: Path, run: Run):
    """If only some files are shown, the catalog is not called valid and the rest is counted."""
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
    """A name of no manifest is wrong use, so that a typo does not look like a valid file."""
    for file in ("notes.txt", "schemas/x.yaml", "../elsewhere.yaml"):
        making.put(two, file, "")
    (two / "empty").mkdir()
    code, out, err = run("validate", name)
    assert (64, "") == (code, out)
    assert err.startswith(said)


@pytest.mark.parametrize("options", [["courses/b.yaml"], ["--changed-since", "HEAD"]])
def test_a_bad_project_file_is_always_told(two: Path, run: Run, options: list[str]):
    """A bad project file is always reported, since no other file can be checked."""
    making.put(two, "lmssync.yaml", "version: 1\nenviroments: {}\n")
    making.commit(two)
    code, out, _ = run("validate", *options)
    assert 3 == code
    assert out.startswith("lmssync.yaml:2:1: error[unknown-field]")


def test_a_second_look_loads_next_to_nothing(tmp_path: Path):
    """A second run imports neither models nor YAML nor network, once the files are old enough."""
    making.write(tmp_path, a=GOOD)
    time.sleep(1.1)  # the tick of file times: younger files are not believed
    runs = [loaded("validate", "-C", str(tmp_path)) for _ in range(2)]
    assert [True, False] == ["pydantic" in modules for modules in runs]
    assert set() == {"ruamel", "_ruamel_yaml_clibz", "httpx", "jinja2", "nh3"} & runs[1]


def test_watching(tmp_path: Path):
    """`--watch` checks again when a file changes, and ends quietly on Ctrl-C."""
    making.write(tmp_path, a=GOOD)
    draft = tmp_path.with_name(f"{tmp_path.name}-draft")
    draft.write_text(GOOD.replace("title:", "titel:"))
    command = [sys.executable, "-m", "lmssync", "validate", "-C", tmp_path, "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watching:
        try:
            assert watching.stdout is not None
            assert b"Valid: 1 resource in 1 file.\n" == watching.stdout.readline()
            draft.replace(tmp_path / "a.yaml")  # at once: nobody sees half of it
            assert b"a.yaml:" in watching.stdout.readline()
            assert watching.stderr is not None
            told = [watching.stderr.readline().split()[0] for _ in range(4)]
            watching.send_signal(signal.SIGINT)
            _, err = watching.communicate(timeout=300)
        finally:
            watching.kill()
    assert (0, b"") == (watching.returncode, err)
    assert [b"Checking", b"Checked"] * 2 == told


def test_a_mistake_in_a_body_is_shown_with_its_line(tmp_path: Path, run: Run):
    """The line of the body is shown, with the mark below the tag."""
    root = making.write(tmp_path, a=BODY)
    making.put(root, "hello.html", "<p>Hello</p>\n<p>It is <b>new.</p>\n")
    assert (
        "hello.html:2:10: warning[html-unbalanced] course.a: `<b>` is never closed\n"
        "    2 | <p>It is <b>new.</p>\n"
        "      |          ^^^\n"
        "    help: write `</b>` where it ends: it affects everything after it\n"
    ) in run("validate", "-C", root, "hello.html").out


@pytest.mark.parametrize("command", [("plan", "--offline"), ("apply", "--yes")])
def test_other_commands_show_problems_as_validate_does(
    tmp_path: Path, run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
):
    """They print the line of the file and the mark, on stderr."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "key")
    root = making.write(tmp_path, a=BAD)
    code, out, err = run(*command, "-C", root)
    assert (3, "") == (code, out)
    assert err == run("validate", "-C", root).out
    assert "    4 | titel: A\n      | ^^^^^\n    help: did you mean `title`?\n" in err


def test_mistakes_in_the_project_file_are_shown_with_their_line(tmp_path: Path, run: Run):
    """A plan cannot begin, and says where."""
    making.put(tmp_path, "lmssync.yaml", "version: 1\nenvironment: {}\n")
    err = run("plan", "-C", tmp_path).err
    assert "lmssync.yaml:2:1: error[unknown-field] there is no field `environment` here" in err
    assert "    2 | environment: {}\n      | ^^^^^^^^^^^\n" in err
