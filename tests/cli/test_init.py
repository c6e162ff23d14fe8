"""`lmssync init` and `lmssync new`: from nothing to a valid catalog."""

import json
import re
import shutil
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.documents import read_project_file
from lmssync.catalog.manifests.yaml import load_yaml
from lmssync.catalog.starter import list_resource_forms
from lmssync.cli.main import main
from lmssync.kinds import BY_RESOURCE
from lmssync.support.git_repository import init_repository
from tests import making
from tests.docs.test_pages import is_known

from .conftest import Run

COURSES = list_resource_forms()["course"]
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new catalog, made once: its schemas take half a second."""
    folder = tmp_path_factory.mktemp("begun") / "content"
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["init", str(folder)])
    return folder


@pytest.fixture
def root(begun: Path, tmp_path: Path) -> Path:
    """A new catalog of the test's own."""
    return shutil.copytree(begun, tmp_path / "content")


def test_a_new_catalog_is_valid(root: Path, run: Run):
    """A new catalog is valid without a warning."""
    assert (0, "Valid: 2 resources in 1 file.\n", "") == run("validate", "-C", root)


def test_a_new_catalog_is_formatted(root: Path, run: Run):
    """A new catalog is formatted, so its own hook lets it pass."""
    assert 0 == run("fmt", "--check", "-C", root).code


@pytest.mark.parametrize(
    "name",
    [
        ".editorconfig",
        ".github/workflows/catalog.yml",
        ".github/workflows/release.yml",
        ".gitlab-ci.yml",
        ".gitattributes",
        ".gitignore",
        ".pre-commit-config.yaml",
        ".vscode/settings.json",
        ".vscode/tasks.json",
        "README.md",
        "lmssync.yaml",
        "schemas/manifest.json",
    ],
)
def test_what_a_new_catalog_has(root: Path, name: str):
    """A new catalog has its settings, hook and workflow, with no placeholder left in them."""
    text = (root / name).read_text("utf-8")
    assert text.strip()
    assert "@VERSION@" not in text


WRITTEN = re.compile(
    r"(?:lmssync (?:plan|apply|drift|ci|pull|show|state|validate)|\$PLAN)[^\n`|]*?"
    r"(?:--out|--receipt|--report|--message|--summary| >) +([\w.-]+\.(?:json|md|html|csv|xml|txt))"
)
"""A command in the docs that writes a file beside the manifests."""


def test_what_the_docs_have_people_write_is_ignored(root: Path):
    """Saved plans, receipts, reports and exports of the docs do not get into a commit."""
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md"]
    names = {name for page in pages for name in WRITTEN.findall(page.read_text("utf-8"))}
    assert {"release.plan.json", "receipt.csv", "drift.md", "state.json"} <= names
    rules = (root / ".gitignore").read_text("utf-8").split()
    assert [] == [
        one
        for one in names
        if not any(fnmatch(f"/{one}", rule) or fnmatch(one, rule) for rule in rules)
    ]
    assert not any(fnmatch("/plan.yaml", rule) for rule in rules)


def test_editors_find_schemas_that_are_there(root: Path):
    """Every schema that the editor settings name exists."""
    settings = json.loads((root / ".vscode/settings.json").read_text("utf-8"))
    missing = [name for name in settings["yaml.schemas"] if not (root / name).is_file()]
    assert [] == missing


def _tasks(root: Path) -> dict[str, Any]:
    tasks = json.loads((root / ".vscode/tasks.json").read_text("utf-8"))["tasks"]
    return {" ".join(task["args"]): task for task in tasks}


def test_tasks_of_editors_are_commands(root: Path):
    """Every task of the editor settings is a valid command."""
    assert {"lmssync"} == {task["command"] for task in _tasks(root).values()}
    assert all(is_known(line.split()) for line in _tasks(root))


@pytest.mark.parametrize("task", ["validate --format concise", "validate --watch --format concise"])
def test_editors_find_the_mistakes(root: Path, run: Run, task: str):
    """The editors' tasks can read place, severity and code from what `validate` prints."""
    making.put(root, "a.yaml", "resource: course\nkey: a\nkind: video\ntitel: A\n")
    pattern = _tasks(root)[task]["problemMatcher"]["pattern"]["regexp"]
    out = run("validate", "--format", "concise", "-C", root).out
    found = [re.match(pattern, line) for line in out.splitlines()]
    wanted = ("a.yaml", "4", "1", "error", "unknown-field")
    assert wanted in [line.groups()[:5] for line in found if line]


def test_the_default_environment_is_the_sandbox(root: Path):
    """The default environment of a new catalog is the sandbox."""
    assert "sandbox" == read_project_file(root).choose_environment(None, {})[0]


def test_a_git_repository_on_demand(tmp_path: Path, run: Run):
    """`init --git` makes a repository with the branch that the workflow checks."""
    assert "made a git repository" in run("init", "--git", tmp_path / "content").out
    assert "ref: refs/heads/main\n" == (tmp_path / "content/.git/HEAD").read_text()


def test_no_repository_inside_another(tmp_path: Path, run: Run):
    """`init --git` inside a repository does not make another one."""
    run("init", "--git", tmp_path / "all")
    out = run("init", "--git", tmp_path / "all/content").out
    assert f"kept  the git repository in {(tmp_path / 'all').resolve()}\n" in out
    assert not (tmp_path / "all/content/.git").exists()


def test_a_repository_without_git(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    """Without git, `init --git` writes the files and says in its error that it did."""
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = run("init", "--git", tmp_path / "content")
    assert (1, True) == (code, (tmp_path / "content/lmssync.yaml").is_file())
    assert "git is not installed on this machine\n    all files are written" in err


def _steps(root: Path) -> list[str]:
    """The lmssync commands that the workflow and the hook run."""
    (workflow,) = load_yaml((root / ".github/workflows/catalog.yml").read_bytes())
    (hooks,) = load_yaml((root / ".pre-commit-config.yaml").read_bytes())
    steps = [step.get("run", "") for step in workflow["jobs"]["check"]["steps"]]
    steps += [hook["entry"] for repo in hooks["repos"] for hook in repo["hooks"]]
    return [step for step in steps if step.startswith("lmssync ")]


def test_the_workflow_and_the_hook_let_a_new_catalog_pass(root: Path, run: Run):
    """Each command of the workflow and the hook succeeds on a new catalog."""
    steps = _steps(root)
    assert {"lmssync fmt --check", "lmssync validate"} <= set(steps)
    assert {0} == {run(*step.split()[1:], "-C", root).code for step in steps}


def test_the_workflow_and_the_hook_stop_a_mistake(root: Path, run: Run):
    """Each command of the workflow and the hook fails on a bad manifest."""
    making.put(root, "courses/a.yaml", "key: a\nresource: course\n")
    assert 0 not in {run(*step.split()[1:], "-C", root).code for step in _steps(root)}


def test_the_workflow_says_what_it_does(root: Path):
    """The workflow's comment says that it checks, and it only runs `fmt` and `validate`."""
    text = (root / ".github/workflows/catalog.yml").read_text("utf-8")
    said = " ".join(line.removeprefix("# ") for line in text.splitlines() if line[:1] == "#")
    assert said.startswith("Checks every pull request, and what reaches the main branch.")
    assert {"fmt", "validate"} == {step.split()[1] for step in _steps(root)}


@pytest.mark.parametrize(
    ("host", "there"),
    [("github", [True, False]), ("gitlab", [False, True]), ("none", [False, False])],
)
def test_pipelines_of_one_code_host(tmp_path: Path, run: Run, host: str, there: list[bool]):
    """`--ci` says for which of them there are pipelines."""
    assert 0 == run("init", "--ci", host, tmp_path).code
    assert there == [(tmp_path / name).exists() for name in (".github", ".gitlab-ci.yml")]


@pytest.mark.parametrize("url", ["", "https://git.example.com/content.git"])
def test_the_state_of_a_repository_with_a_remote(tmp_path: Path, run: Run, url: str):
    """That of `production` is kept there; nobody has it on a machine of their own by mistake."""
    init_repository(tmp_path)
    config = tmp_path / ".git" / "config"
    remote = f'[remote "origin"]\n\turl = {url}\n'
    config.write_text(config.read_text() + remote * bool(url))
    assert 0 == run("init", tmp_path).code
    state = read_project_file(tmp_path).environments["production"].state
    assert ("git:origin#lmssync/{environment}" if url else None) == state
    assert 0 == run("fmt", "--check", "-C", tmp_path).code


def test_what_is_there_is_kept(tmp_path: Path, run: Run):
    """`init` in an existing folder keeps the files that are there."""
    making.put(tmp_path, "README.md", "mine")
    out = run("init", tmp_path).out
    assert "kept  README.md, which existed already\n" in out
    assert "mine" == (tmp_path / "README.md").read_text()


def test_a_catalog_is_not_made_twice(root: Path, run: Run):
    """`init` in a catalog is wrong use, and the message says that it is one."""
    code, out, err = run("init", root)
    assert (64, "") == (code, out)
    assert "this folder is a catalog" in err


def test_a_folder_that_cannot_be_written(tmp_path: Path, run: Run):
    """A folder that cannot be written is reported with a message."""
    making.put(tmp_path, "file", "")
    code, _, err = run("init", tmp_path / "file/below")
    assert 1 == code
    assert "cannot be written" in err


@pytest.mark.parametrize("kind", COURSES)
def test_a_new_course_is_valid(root: Path, run: Run, kind: str):
    """A new course of each kind is valid, with warnings for what is still to be written."""
    code, out, _ = run("new", "course", "fire-safety", "--kind", kind, "-C", root)
    assert (0, "courses/fire-safety.yaml\n") == (code, out)
    assert "Fire safety" in (root / "courses/fire-safety.yaml").read_text()
    assert {"placeholder"} == {problem.code for problem in making.problems(root)}
    assert 0 == run("validate", "-C", root).code


@pytest.mark.parametrize("resource", list(BY_RESOURCE))
def test_each_kind_of_resource_can_be_begun(root: Path, run: Run, resource: str):
    """A new manifest of each kind has placeholders, each of which `validate` reports once."""
    (name,) = run("new", resource, "a", "-C", root).out.split()
    text = (root / name).read_text("utf-8")
    told = [problem.code for problem in making.problems(root)]
    assert {"unknown-reference", "placeholder"} >= set(told)
    assert text.count("TODO") + text.count("KEY-OF") == len(told)


@pytest.mark.parametrize("resource", list(BY_RESOURCE))
def test_what_is_to_write_is_told_with_its_place(root: Path, run: Run, resource: str):
    """`new` lists every place that `validate` will report."""
    err = run("new", resource, "a", "-C", root).err
    told = [line.split()[2] for line in err.splitlines() if line.startswith("    fill in: ")]
    assert {problem.where.file for problem in making.problems(root)} >= {
        place.partition(":")[0] for place in told
    }
    assert len(making.problems(root)) == len(told)


def test_a_key_that_is_to_write(root: Path, run: Run):
    """For the placeholder of a key, `validate` lists the keys that exist."""
    run("new", "purchasePath", "shop", "-C", root)
    out = run("validate", "-C", root).out
    assert "error[unknown-reference] path.shop: `course` is still the placeholder `KEY-OF" in out
    assert "    help: write the key of a course; the catalog has: `first-steps`\n" in out


def test_what_is_written_is_no_placeholder(root: Path, run: Run):
    """A text that replaced a placeholder is no longer reported."""
    run("new", "course", "a", "-C", root)
    file = root / "courses/a.yaml"
    file.write_text(file.read_text("utf-8").replace("TODO: ", ""), "utf-8")
    assert [] == making.problems(root)


def test_any_title_at_all(root: Path, run: Run):
    """A title with special characters is quoted in the YAML."""
    title = "a: b # c\"'"
    run("new", "course", "a", "--title", title, "-C", root)
    forms = making.loaded(root).resources
    assert title == forms[making.Address("course", "a")].form["title"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("curse", "a"), "did you mean `course`?"),
        (("course", "a b"), "is not a valid key"),
        (("course", "a", "--kind", "vidoe"), "did you mean `video`?"),
        (("license", "a", "--kind", "video"), "there are: none"),
        (("course", "first-steps"), "exists already"),
    ],
)
def test_wrong_use(root: Path, run: Run, arguments: tuple[str, ...], said: str):
    """Wrong use of `new` is refused, and nothing is written."""
    before = sorted(root.rglob("*"))
    code, _, err = run("new", *arguments, "-C", root)
    assert 64 == code
    assert said in err
    assert before == sorted(root.rglob("*"))


def test_outside_a_catalog(tmp_path: Path, run: Run):
    """Outside a catalog, `new` suggests `lmssync init`."""
    code, _, err = run("new", "course", "a", "-C", tmp_path)
    assert 64 == code
    assert "make one with `lmssync init`" in err


def test_a_word_of_addresses_suggests_the_kind_of_its_manifest(root: Path, run: Run):
    """`path.KEY` is the address of a `purchasePath`."""
    assert "did you mean `purchasePath`?" in run("new", "path", "acme", "-C", root).err
