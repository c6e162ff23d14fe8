"""`lmssync schema`."""

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.mark.parametrize("name", ["course", "manifest", "lmssync"])
def test_one_schema(run: Run, name: str):
    """On stdout, whole in itself."""
    code, out, err = run("schema", name)
    schema = json.loads(out)
    assert (0, "", f"{name}.json") == (code, err, schema["$id"])


def test_all_schemas(tmp_path: Path, run: Run):
    """In a folder that is made, each in its file; nothing else is left there."""
    code, out, err = run("schema", "--out", tmp_path / "new" / "schemas")
    written = {file.name for file in (tmp_path / "new" / "schemas").iterdir()}
    assert (0, "") == (code, out)
    assert f"wrote {len(written)} schemas to " in err
    assert {"course.json", "manifest.json", "lmssync.json"} <= written


def test_an_old_schema_is_replaced(tmp_path: Path, run: Run):
    """Whole: what was longer before leaves no end behind."""
    (tmp_path / "license.json").write_text("x" * 1_000_000, "utf-8")
    run("schema", "--out", tmp_path)
    assert "license.json" == json.loads((tmp_path / "license.json").read_text("utf-8"))["$id"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["cuorse"], "did you mean `course`?"),
        ([], "there are: "),
        (["zzz"], "there are: "),
    ],
)
def test_a_schema_that_is_not_there(run: Run, names: list[str], said: str):
    """Exit 64, and what there is."""
    code, out, err = run("schema", *names)
    assert (64, "") == (code, out)
    assert said in err


def test_a_folder_that_cannot_be_made(tmp_path: Path, run: Run):
    """In words: a file stands in the way."""
    (tmp_path / "file").write_text("", "utf-8")
    code, _, err = run("schema", "--out", tmp_path / "file" / "schemas")
    assert 64 == code
    assert "cannot be written" in err
