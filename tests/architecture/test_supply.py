"""What is fetched and run from elsewhere: named exactly, and given no more than it needs."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
WORKFLOWS = [
    ROOT / ".github/workflows/check.yml",
    ROOT / "lmssync/starter/repository/dot-github/workflows/catalog.yml",
]
LOCKS = ["constraints.txt", "requirements.txt"]
LOCKS += [f".ci/{name}.txt" for name in ("build", "setuptools", "tools", "clients")]
each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the runners are Linux")


def workflow(path):
    return YAML(typ="safe").load(path)


def steps(path):
    return [step for job in workflow(path)["jobs"].values() for step in job["steps"]]


def script(path, name):
    """What a step runs."""
    return next(step["run"] for step in steps(path) if step["name"] == name)


def bash(text, folder, **env):
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", text],
        cwd=folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), **env},
        capture_output=True,
        text=True,
        check=False,
    )


@each_workflow
def test_actions_are_named_by_their_commit(path):
    """None at present; a tag can be moved."""
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert [] == [name for name in used if not re.search("@[0-9a-f]{40}$", name)]


@each_workflow
def test_workflows_may_do_little_and_not_for_long(path):
    """Nothing is allowed that a job does not ask for, and a job asks to read."""
    found = workflow(path)
    jobs = found["jobs"].values()
    assert {} == found["permissions"]
    assert all({"contents": "read"} == job["permissions"] for job in jobs)
    assert all(job["timeout-minutes"] <= 60 for job in jobs)
    assert found["concurrency"]["cancel-in-progress"]


@each_workflow
def test_nothing_is_put_into_a_script(path):
    """The title of a pull request is a stranger's: a script reads variables."""
    assert [] == [step["name"] for step in steps(path) if "${{" in step.get("run", "")]


@on_linux
@each_workflow
def test_the_commit_is_checked_out(path, tmp_path):
    """The very one, and no token stays in the folder."""
    origin, work = tmp_path / "owner/content", tmp_path / "work"
    for folder in (origin, work):
        folder.mkdir(parents=True)
    made = bash(
        "git init -q . && echo a > a && git add a && "
        "git -c user.name=a -c user.email=a@example.com commit -qm a && git rev-parse HEAD",
        origin,
    )
    env = {"GITHUB_SERVER_URL": f"file://{tmp_path}", "GITHUB_REPOSITORY": "owner/content"}
    env |= {"GITHUB_SHA": made.stdout.strip(), "TOKEN": "secret"}
    done = bash(script(path, "Check out") + "\ngit rev-parse HEAD", work, **env)
    assert (0, made.stdout, "") == (done.returncode, done.stdout, done.stderr)
    assert "secret" not in (work / ".git/config").read_text()


@pytest.mark.parametrize(
    ("repository", "commit"),
    [
        ("", ""),
        ("https://example.com/lmssync.git", "main"),
        ("https://example.com/lmssync.git", "0123456"),
        ("http://example.com/lmssync.git", "0" * 40),
        ("ext::sh -c id", "0" * 40),
    ],
)
def test_lmssync_comes_from_one_commit(tmp_path, repository, commit):
    """A new catalog says nothing of it yet: then the job fails and says what to write."""
    env = {"LMSSYNC_REPOSITORY": repository, "LMSSYNC_COMMIT": commit}
    done = bash(script(WORKFLOWS[1], "Install lmssync"), tmp_path, RUNNER_TEMP=str(tmp_path), **env)
    assert 1 == done.returncode
    assert "which commit of it you trust (LMSSYNC_COMMIT)" in done.stdout
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("name", LOCKS)
def test_each_package_has_its_hashes(name):
    """One version of each, and a file with another content is refused."""
    text = re.sub(r"\\\n\s*", "", (ROOT / name).read_text())
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines
    assert [] == [
        line for line in lines if not re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)
    ]


@pytest.mark.parametrize(
    ("lock", "extras"), [("constraints.txt", ["sandbox", "dev"]), ("requirements.txt", ["sandbox"])]
)
def test_each_dependency_is_locked(lock, extras):
    """Whoever adds one runs `make lock`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + [
        n for e in extras for n in project["optional-dependencies"][e]
    ]
    names = {re.split(r"[\[<>=;]", line)[0].replace(".", "-") for line in wanted} - {"lmssync"}
    locked = set(re.findall(r"(?m)^([a-z0-9-]+)==", (ROOT / lock).read_text()))
    assert set() == names - locked


@pytest.mark.parametrize(
    ("tools", "packages"), [("language-server", 11), ("redocly", 1), ("browser", 2)]
)
def test_packages_of_node_are_locked(tools, packages):
    """As pip's packages are."""
    text = (ROOT / f".ci/{tools}/package-lock.json").read_text()
    assert text.count('"node_modules/') == text.count('"integrity": "sha512-') >= packages
