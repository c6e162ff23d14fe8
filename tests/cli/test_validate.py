"""`lmssync validate`."""

import json
from pathlib import Path

from .. import making
from .conftest import Run

GOOD = "resource: course\nkey: a\nkind: video\ntitle: A\nvideoUrl: https://x\n"
BAD = GOOD.replace("title: A", "titel: A")
WARNED = GOOD.replace("kind: video", "kind: courseGroup").replace("videoUrl: https://x\n", "")


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
    code, _, err = run("validate", "-C", tmp_path)
    assert 3 == code
    assert err.startswith("lmssync.yaml:2:1: error[unknown-field]")


def test_no_folder(tmp_path: Path, run: Run):
    """A catalog that is not there is wrong use as well."""
    assert 64 == run("validate", "-C", tmp_path / "nowhere").code


def test_nothing_is_written(tmp_path: Path, run: Run):
    """Checking leaves no trace."""
    run("validate", "-C", making.write(tmp_path, a=GOOD))
    assert ["a.yaml", "lmssync.yaml"] == sorted(file.name for file in tmp_path.iterdir())
