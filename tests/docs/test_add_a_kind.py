"""What CONTRIBUTING says about a new kind, field and command, done to a copy of the package."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .. import making
from ..architecture.source_tree import PACKAGE
from . import pages

_FILE = re.compile(r"# (lmssync/\S+)\n")
_SERVE = """\
import json, sys
from lmssync.sandbox import run_sandbox
with run_sandbox() as where:
    print(json.dumps(where), flush=True)
    sys.stdin.read()
"""
BADGE = "resource: badge\nkey: first-aider\nclient: acme\nname: First aider\n"
VIDEO = "resource: course\nkey: tour\nkind: video\ntitle: Tour\nvideoUrl: https://a.example/b.mp4\n"

pytestmark = pytest.mark.xdist_group("a copy of the package")
"""One process makes the copy for all of them."""


@dataclass
class Copied:
    """The copy of the package, run in a catalog."""

    root: Path
    env: dict[str, str]

    def __call__(self, *words: str) -> str:
        """What a command prints; it must succeed."""
        command = [sys.executable, "-m", "lmssync", *words]
        done = subprocess.run(
            command, cwd=self.root, env=self.env, capture_output=True, text=True, check=False
        )
        assert 0 == done.returncode, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, a badge, a field `colour` of courses, and a command `standing`.

    The kind is a room, and two lines of one other file; the field is one line of a model and one of
    the sandbox; the command is a module, and one line of one other file.
    """
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, root / PACKAGE.name)
    for _, text in pages.fences(pages.ROOT / "CONTRIBUTING.md"):
        if named := _FILE.match(text):
            making.put(root, named[1], text[named.end() :])
    _put_before(root, "kinds/__init__.py", "    client,\n", "    badge,\n")
    _put_before(root, "kinds/__init__.py", "        client.KIND,\n", "        badge.KIND,\n")
    colour = '    colour: Annotated[Text | None, Shown(("red",))] = None\n    """Of the tile."""\n'
    _put_before(root, "kinds/course/course_manifest.py", "    detailAssetAltText:", colour)
    rules = "sandbox/handlers/course_fields.py"
    _put_before(
        root, rules, '    "detailAssetAltText":', '    "colour": value_checks.check_text,\n'
    )
    command = (PACKAGE / "cli/status_command.py").read_text("utf-8")
    making.put(root, "lmssync/cli/standing_command.py", command.replace('"status"', '"standing"'))
    _put_before(root, "cli/main.py", '    "adopt":', '    "standing": "Show how it stands.",\n')
    return root


def _put_before(root: Path, file: str, line: str, new: str) -> None:
    before, found, after = (root / "lmssync" / file).read_text("utf-8").partition(line)
    assert found
    making.put(root, f"lmssync/{file}", before + new + found + after)


@pytest.fixture
def run(copy: Path, tmp_path: Path) -> Copied:
    """The copy, in an empty catalog."""
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    return Copied(tmp_path, os.environ | {"PYTHONPATH": str(copy)})


@pytest.fixture
def platform(run: Copied) -> Iterator[None]:
    """The sandbox of the copy is the platform of its catalog."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE], cwd=run.root, env=run.env, stdin=pipe, stdout=pipe
    ) as serving:
        assert serving.stdin
        assert serving.stdout
        where = json.loads(serving.stdout.readline())
        run.env |= {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        yield
        serving.stdin.close()


@pytest.mark.slow
@pytest.mark.usefixtures("platform")
def test_a_new_kind_is_planned_and_applied(run: Copied, tmp_path: Path):
    """It is made once, and a person is asked for what no route does."""
    making.put(tmp_path, "badge.yaml", BADGE)
    assert "Valid: 1 resource in 1 file.\n" == run("validate")
    assert "it may be on the platform already: the state is empty" in run("plan")
    run("apply", "--yes", "--allow", "badge.first-aider")
    assert "No changes" in run("plan")
    making.put(tmp_path, "badge.yaml", BADGE.replace("First aider", "Rescuer"))
    assert "rename the badge" in run("plan")


@pytest.mark.slow
@pytest.mark.usefixtures("platform")
def test_a_new_field_is_planned_and_applied(run: Copied, tmp_path: Path):
    """It is sent when a course is made and when it changes."""
    making.put(tmp_path, "tour.yaml", f"{VIDEO}colour: red\n")
    run("apply", "--yes")
    making.put(tmp_path, "tour.yaml", f"{VIDEO}colour: green\n")
    assert "colour: “red” → “green”" in run("plan")
    run("apply", "--yes")
    assert "No changes" in run("plan")


def test_a_new_command_is_listed_and_explains_itself(run: Copied):
    """`--help` shows its line of the table, and its own help begins with its usage."""
    assert "  standing    Show how it stands.\n" in run("--help")
    assert run("standing", "--help").startswith("Usage: lmssync standing ")
    assert run("standing") == run("status")


def test_a_new_kind_can_be_begun(run: Copied, tmp_path: Path):
    """`new` writes its beginning into the folder where its manifests stand."""
    run("new", "badge", "first-aider")
    assert "name: First aider\n" in (tmp_path / "badges/first-aider.yaml").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"), [("badge", "key: first-aider"), ("course.colour", "Of the tile.")]
)
def test_what_is_new_is_explained(run: Copied, name: str, line: str):
    """`explain` shows the smallest manifest of a kind, and the sentence of a field."""
    assert line in run("explain", name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "word"), [("badge", "badge"), ("course", "colour"), ("manifest", "badge")]
)
def test_what_is_new_is_known_to_editors(run: Copied, tmp_path: Path, file: str, word: str):
    """The schemas have it."""
    run("schema", "--out", "schemas")
    assert f'"{word}"' in (tmp_path / "schemas" / f"{file}.json").read_text("utf-8")
