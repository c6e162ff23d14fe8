"""`lmssync import --format`: what it prints, and how it refuses."""

import json
from pathlib import Path

import pytest

from lmssync.cli.import_command import SOURCE_FORMATS
from lmssync.sync.importers import SOURCE_READERS as READ
from tests import making
from tests.sync.importers.sources import source

from .conftest import Run


def test_formats_are_the_same_in_help_and_in_fact():
    """`--help` lists them without loading them."""
    assert tuple(READ) == SOURCE_FORMATS


def test_the_report_names_what_is_lost(tmp_path: Path, run: Run):
    """Each with its place in the source, and a summary at the end."""
    out = tmp_path / "out"
    code, text, err = run("import", "--format", "csv", source(tmp_path, "csv"), "--out", out)
    assert (0, "") == (code, err)
    assert "  courses.csv:2: the column `Room`: North\n" in text
    *_, summary, next_step = text.splitlines()
    assert f"Imported 2 courses into {out}; 2 lost, 1 to fill." == summary
    assert next_step.startswith("Next: `lmssync validate` checks them")


def test_losses_of_one_kind_are_counted(tmp_path: Path, run: Run):
    """Thirty courses with a column that nobody knows: a number, and three of them."""
    table = tmp_path / "c.csv"
    table.write_text("title,Room\n" + "".join(f"Course {n},{n}\n" for n in range(30)))
    text = run("import", "--format", "csv", table, "--out", tmp_path / "out").out
    assert "  30 times: the column `Room`: …\n    c.csv:2: the column `Room`: 0\n" in text
    assert "    and 27 more: --json lists all\n" in text
    assert "and 10 more courses: --json lists all\n" in text


def test_the_report_as_json(tmp_path: Path, run: Run):
    """With the files that were written, and where copies will be."""
    where, out = source(tmp_path, "imscc"), tmp_path / "out"
    args = ("--asset-url", "https://m.example.com", "--json")
    report = json.loads(run("import", "--format", "imscc", where, "--out", out, *args).out)
    (course,) = report["courses"]
    assert "lmssync.import-formats/1" == report["format"]
    assert {"courses": 1, "lost": 3, "placeholder": 2, "hosting": 0, "changed": 0} == (
        report["summary"]
    )
    assert {
        "source": "web_resources/guard.png",
        "file": "assets/guard.png",
        "url": "https://m.example.com/safety-at-work/guard.png",
    } in course["copies"]


def test_courses_go_into_the_catalog(tmp_path: Path, run: Run):
    """Into the folder that `new` writes courses to."""
    making.write(tmp_path)
    run("import", "-C", tmp_path, "--format", "csv", source(tmp_path, "csv"))
    assert (tmp_path / "courses/safety-101/course.yaml").is_file()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "nothing to import is named"),
        (("a.mbz",), "pass --format olx|imscc|moodle|markdown|csv"),
        (("--format", "olx", "a.tar.gz"), "there is no lmssync.yaml"),
        (("--format", "olx", "a.tar.gz", "--out", "out"), "a.tar.gz cannot be read: No such file"),
        (("--format", "olx", "a", "--out", "out", "--asset-url", "x"), "not an http or https"),
    ],
)
def test_wrong_use_is_told(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], words: str
):
    """With what to do, and exit code 64."""
    monkeypatch.chdir(tmp_path)
    code, _, err = run("import", *args)
    assert 64 == code
    assert words in err
