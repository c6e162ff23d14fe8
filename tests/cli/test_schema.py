"""`lmssync schema`."""

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.mark.parametrize("name", ["course", "manifest", "lmssync"])
def test_one_schema(run: Run, name: str):
    """`schema NAME` prints one complete schema on stdout."""
    code, out, err = run("schema", name)
    schema = json.loads(out)
    assert (0, "", f"{name}.json") == (code, err, schema["$id"])


def test_all_schemas(tmp_path: Path, run: Run):
    """`schema --out` makes the folder and writes each schema to its own file."""
    code, out, err = run("schema", "--out", tmp_path / "new" / "schemas")
    written = {file.name for file in (tmp_path / "new" / "schemas").iterdir()}
    assert (0, "") == (code, out)
    assert f"wrote {len(written)} schemas to " in err
    assert {"course.json", "manifest.json", "lmssync.json"} <= written


def test_an_old_schema_is_replaced(tmp_path: Path, run: Run):
    """A schema file is replaced completely, even if it was longer before."""
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
    """For an unknown name, `schema` exits with 64 and says which names there are."""
    code, out, err = run("schema", *names)
    assert (64, "") == (code, out)
    assert said in err


def test_a_folder_that_cannot_be_made(tmp_path: Path, run: Run):
    """If a file is in the way of the folder, `schema --out` reports it."""
    (tmp_path / "file").write_text("", "utf-8")
    code, _, err = run("schema", "--out", tmp_path / "file" / "schemas")
    assert 64 == code
    assert "cannot be written" in err
