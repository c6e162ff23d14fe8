"""The recipes of CONTRIBUTING, followed in a copy of the package: for a kind, a field and more."""

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

from tests import making
from tests.architecture.source_tree import PACKAGE
from tests.patience import kill_if_failed, wait_for_exit

from . import pages

_FILE = re.compile(r"# (lmssync/\S+)\n")
_SERVE = """\
import json, sys
from lmssync.sandbox import run_sandbox
with run_sandbox() as where:
    print(json.dumps(where), flush=True)
    sys.stdin.read()
"""
_FOLDER_BACKEND = """\
from obstore.store import LocalStore

from .object_stores import Bucket, ObjectStoreBackend


def open_folder(url, root, environment, env):
    store = LocalStore(url.removeprefix("folder:"), mkdir=True)
    return ObjectStoreBackend(Bucket(store, environment, url))
"""
_OPEN_FOLDER = """\
def _open_folder(*given):
    from .folder_backend import open_folder

    return open_folder(*given)


"""
_RULE = """\
SHOUTED_TITLE = warning_rule(
    "shouted-title",
    "The title is in capitals.",
    "Write it in small letters.",
    wrong="title: FIRE",
    right="title: Fire",
)


def check_shouting(course: CourseSpec) -> Iterator[Finding]:
    if course.title.isupper():
        yield SHOUTED_TITLE.at(("title",), f"the title is `{course.title}`")


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
    """A folder with the package, and in it what each recipe adds.

    The kind is a room, and two lines of one other file; the field is one line of a model and one of
    the sandbox; the command is a module, and one line of one other file. A format of problems and
    one of plans are an entry each; a rule is declared and added to the rules of its kind; a backend
    is a module, and the scheme of its URL.
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
    _add_formats(root)
    dates = "kinds/course/course_date_rules.py"
    _put_before(root, dates, "DATE_RULES = (\n", _RULE)
    _put_before(root, dates, "    check_publishing,\n", "    check_shouting,\n")
    making.put(root, "lmssync/state/backends/folder_backend.py", _FOLDER_BACKEND)
    urls = "state/backends/__init__.py"
    _put_before(root, urls, "_Opening = Callable", _OPEN_FOLDER)
    _put_before(root, urls, '    "git": _open_git,\n', '    "folder": _open_folder,\n')
    return root


def _add_formats(root: Path) -> None:
    """A form `tally` of what `validate`, `plan` and `apply` show."""
    problems = '    "tally": ProblemFormat(lambda shown, *_: f"{len(shown.problems)}\\n"),\n'
    _put_before(root, "report/problems/problem_formats.py", '    "text": ProblemFormat', problems)
    plans = '    "tally": PlanFormat(".tally", lambda made: [b"%d" % len(made.changes)], list),\n'
    _put_before(root, "report/plan_formats.py", '    "text": PlanFormat', plans)


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
        with kill_if_failed(serving):
            where = json.loads(serving.stdout.readline())
        run.env |= {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        yield
        serving.stdin.close()
        wait_for_exit(serving)


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
    assert "rename the badge" in run("plan", "--full")


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
    lines = [line.split() for line in run("--help").splitlines()]
    assert ["standing", "Show", "how", "it", "stands."] in lines
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


@pytest.mark.slow
def test_a_new_rule_finds_and_is_explained(run: Copied, tmp_path: Path):
    """`validate` warns with its code, and `explain` says what it means."""
    making.put(tmp_path, "tour.yaml", VIDEO.replace("Tour", "TOUR"))
    assert "shouted-title" in run("validate", "--format", "json")
    assert "Write it in small letters." in run("explain", "shouted-title")


@pytest.mark.slow
@pytest.mark.usefixtures("platform")
def test_a_new_format_is_offered(run: Copied, tmp_path: Path):
    """`validate` and `plan` take its name, and `--report` its ending."""
    making.put(tmp_path, "tour.yaml", VIDEO)
    assert "0\n" == run("validate", "--format", "tally")
    assert "1" == run("plan", "--format", "tally", "--report", "plan.tally").strip()
    assert "1" == (tmp_path / "plan.tally").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("platform")
def test_a_new_backend_keeps_a_state(run: Copied, tmp_path: Path):
    """Another machine with the same state has nothing to do."""
    pytest.importorskip("obstore")
    run.env["LMSSYNC_STATE"] = f"folder:{tmp_path / 'shared'}"
    making.put(tmp_path, "tour.yaml", VIDEO)
    run("apply", "--yes")
    shutil.rmtree(tmp_path / ".lmssync")
    assert "No changes" in run("plan")
