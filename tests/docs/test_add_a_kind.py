"""What CONTRIBUTING says about a new kind and a new field, done to a copy of the package."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .. import making
from ..architecture.source_tree import PACKAGE
from . import pages

_FILE = re.compile(r"# (lmssync/\S+)\n")
_SERVE = """\
import json, sys
from lmssync.sandbox import running
with running() as where:
    print(json.dumps(where), flush=True)
    sys.stdin.read()
"""
BADGE = "resource: badge\nkey: first-aider\nclient: acme\nname: First aider\n"
VIDEO = "resource: course\nkey: tour\nkind: video\ntitle: Tour\nvideoUrl: https://a.example/b.mp4\n"

Run = Callable[..., str]
"""Words of a command to its output; the command must succeed."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, a badge and a field `colour` of courses.

    The kind is a room, and two lines of one other file; the field is one line of a model and one of
    the sandbox.
    """
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, root / PACKAGE.name)
    for _, text in pages.fences(pages.ROOT / "CONTRIBUTING.md"):
        if named := _FILE.match(text):
            making.put(root, named[1], text[named.end() :])
    _put_before(root, "kinds/__init__.py", "    client,\n", "    badge,\n")
    _put_before(root, "kinds/__init__.py", "        client.KIND,\n", "        badge.KIND,\n")
    colour = '    colour: Annotated[Text | None, Shown(("red",))] = None\n    """Of the tile."""\n'
    _put_before(root, "kinds/course/spec.py", "    detailAssetAltText:", colour)
    rules = "sandbox/handlers/course_fields.py"
    _put_before(root, rules, '    "detailAssetAltText":', '    "colour": checks.text,\n')
    return root


def _put_before(root: Path, file: str, line: str, new: str) -> None:
    before, found, after = (root / "lmssync" / file).read_text("utf-8").partition(line)
    assert found
    making.put(root, f"lmssync/{file}", before + new + found + after)


@pytest.fixture
def run(copy: Path, tmp_path: Path) -> Iterator[Run]:
    """Runs the copy in an empty catalog, against the sandbox of the copy."""
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    env = os.environ | {"PYTHONPATH": str(copy)}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE], cwd=tmp_path, env=env, stdin=pipe, stdout=pipe
    ) as serving:
        assert serving.stdin
        assert serving.stdout
        where = json.loads(serving.stdout.readline())
        env |= {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}

        def ran(*words: str) -> str:
            command = [sys.executable, "-m", "lmssync", *words]
            done = subprocess.run(
                command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
            )
            assert 0 == done.returncode, done.stderr
            return done.stdout

        yield ran
        serving.stdin.close()


def test_a_new_kind_is_planned_and_applied(run: Run, tmp_path: Path):
    """It is made once, and a person is asked for what no route does."""
    making.put(tmp_path, "badge.yaml", BADGE)
    assert "Valid: 1 resource in 1 file.\n" == run("validate")
    assert "+ “First aider”  badge.first-aider  create" in run("plan")
    run("apply", "--yes")
    assert "No changes" in run("plan")
    making.put(tmp_path, "badge.yaml", BADGE.replace("First aider", "Rescuer"))
    assert "rename the badge" in run("plan")


@pytest.mark.slow
def test_a_new_field_is_planned_and_applied(run: Run, tmp_path: Path):
    """It is sent when a course is made and when it changes."""
    making.put(tmp_path, "tour.yaml", f"{VIDEO}colour: red\n")
    run("apply", "--yes")
    making.put(tmp_path, "tour.yaml", f"{VIDEO}colour: green\n")
    assert "colour: “red” → “green”" in run("plan")
    run("apply", "--yes")
    assert "No changes" in run("plan")


def test_a_new_kind_can_be_begun(run: Run, tmp_path: Path):
    """`new` writes its beginning into the folder where its manifests stand."""
    run("new", "badge", "first-aider")
    assert "name: First aider\n" in (tmp_path / "badges/first-aider.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "line"), [("badge", "key: first-aider"), ("course.colour", "Of the tile.")]
)
def test_what_is_new_is_explained(run: Run, name: str, line: str):
    """`explain` shows the smallest manifest of a kind, and the sentence of a field."""
    assert line in run("explain", name)


@pytest.mark.parametrize(
    ("file", "word"), [("badge", "badge"), ("course", "colour"), ("manifest", "badge")]
)
def test_what_is_new_is_known_to_editors(run: Run, tmp_path: Path, file: str, word: str):
    """The schemas have it."""
    run("schema", "--out", "schemas")
    assert f'"{word}"' in (tmp_path / "schemas" / f"{file}.json").read_text("utf-8")
