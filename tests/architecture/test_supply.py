"""What is fetched and run from elsewhere: named exactly, and given no more than it needs."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from lmssync import __version__
from tests.docs.test_pages import is_known

ROOT = Path(__file__).parents[2]
NEW = ROOT / "lmssync/catalog/starter/repository"
"""What `init` writes."""
WORKFLOWS = [
    ROOT / ".github/workflows/check.yml",
    NEW / "dot-github/workflows/catalog.yml",
    NEW / "dot-github/workflows/release.yml",
    ROOT / ".github/workflows/pipeline.yml",
    ROOT / ".github/workflows/release.yml",
]
GITLAB = [ROOT / "ci/gitlab.yml", NEW / "dot-gitlab-ci.yml"]
READS = {"contents": "read"}
PERMISSIONS = {
    "plan": READS | {"pull-requests": "write"},
    "approvals": READS | {"pull-requests": "read"},
    "apply": {"contents": "write", "pull-requests": "read"},
    "drift": {"contents": "write", "issues": "write"},
    "prove": {"attestations": "write", "id-token": "write"},
    "publish": {"id-token": "write"},
    "announce": {"contents": "write"},
}
"""Of the jobs that may do more than read what they check out."""
LOCKS = ["constraints.txt", "requirements.txt"]
LOCKS += [
    f".ci/{name}.txt" for name in ("build", "setuptools", "tools", "clients", "release", "site")
]
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
    """A tag can be moved, so the commit counts, and the version beside it is for readers."""
    lines = [line for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert lines
    named = r" +uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert [] == [line for line in lines if not re.fullmatch(named, line)]


def test_an_action_has_one_commit_everywhere():
    """Whoever takes a newer one changes all workflows."""
    named = re.compile(r"uses: (\S+)@(.*)")
    used = {pair for path in WORKFLOWS for pair in named.findall(path.read_text("utf-8"))}
    assert len(used) == len({action for action, _ in used})


@each_workflow
def test_a_checkout_leaves_no_token_behind(path):
    """Later steps run what a pull request brings."""
    checkouts = [step for step in steps(path) if "/checkout@" in step.get("uses", "")]
    assert checkouts
    assert [] == [step for step in checkouts if step["with"]["persist-credentials"] is not False]


def test_a_plan_has_the_base_of_its_pull_request():
    """Guards and approvers of the base count, and the approvals of a merge are asked for again."""
    checkouts = [step["with"] for step in steps(WORKFLOWS[2]) if step["name"] == "Check out"]
    assert [0] * 4 == [asked["fetch-depth"] for asked in checkouts]


@each_workflow
def test_workflows_may_do_little_and_not_for_long(path):
    """Nothing is allowed that a job does not ask for, and a job asks for what it shows people."""
    found = workflow(path)
    jobs = found["jobs"]
    assert {} == found["permissions"]
    assert {} == {
        name: job["permissions"]
        for name, job in jobs.items()
        if job["permissions"] != PERMISSIONS.get(name, READS)
    }
    assert all(job["timeout-minutes"] <= 60 for job in jobs.values())
    assert all("concurrency" in job for job in jobs.values()) or found["concurrency"]


def test_an_apply_is_never_cut_off():
    """A plan gives way to a newer one; a run that writes ends by itself, one after the other."""
    jobs = workflow(WORKFLOWS[3])["jobs"]
    cut_off = {name for name, job in jobs.items() if job["concurrency"]["cancel-in-progress"]}
    assert {"plan", "approvals"} == cut_off


def test_the_pipeline_is_the_one_that_init_writes():
    """Who calls it runs the same jobs as who has it; only where lmssync is from differs."""
    written, called = map(workflow, WORKFLOWS[2:4])
    assert written["jobs"] == called["jobs"]
    assert written["env"].keys() == called["env"].keys()
    assert GITLAB[0].read_bytes() == GITLAB[1].read_bytes()


def test_steps_of_one_name_are_the_same():
    """They are repeated in each job, since whoever calls the pipeline has no action of ours."""
    found = {(step["name"], str(step)) for step in steps(WORKFLOWS[2])}
    assert len(found) == len({name for name, _ in found})


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("gitlab-ci", GITLAB[:1]),
        pytest.param("github-workflows", WORKFLOWS, marks=pytest.mark.slow),
        pytest.param("github-actions", [ROOT / "action.yml"], marks=pytest.mark.slow),
    ],
)
def test_workflows_fit_their_published_schemas(schema, paths):
    """Those of GitHub and GitLab, as check-jsonschema brings them along."""
    transform = ["--data-transform", "gitlab-ci"] if schema == "gitlab-ci" else []
    command = [sys.executable, "-m", "check_jsonschema", *transform]
    command += ["--builtin-schema", f"vendor.{schema}", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)


def test_pipelines_call_commands_that_exist():
    """Each is known to the command line, with all its options."""
    found = [step["run"] for step in steps(WORKFLOWS[2]) if "run" in step]
    for job in workflow(GITLAB[0]).values():
        found += job.get("script", []) if isinstance(job, dict) else []
    texts = [re.sub(r'"\${words\[@]}"|\$allow', "--allow course.a", text) for text in found]
    texts = [text.replace("$base ", "--base main ") for text in texts]
    lines = [line for text in texts for line in re.findall(r"(?m)^ *lmssync ([^>|#\n]+)", text)]
    assert len(lines) > 9
    assert [] == [line for line in lines if not is_known(shlex.split(line))]


@each_workflow
def test_nothing_is_put_into_a_script(path):
    """The title of a pull request is a stranger's: a script reads variables."""
    assert [] == [step["name"] for step in steps(path) if "${{" in step.get("run", "")]


@on_linux
@pytest.mark.parametrize(("tag", "code"), [(f"v{__version__}", 0), ("v9.9.9", 1), ("main", 1)])
def test_a_release_is_made_of_the_tag_of_its_version(tag, code):
    """A tag that is not the version, or is not in the changelog, builds nothing."""
    text = script(WORKFLOWS[4], "Is the tag the version, and is it in the changelog")
    assert code == bash(text, ROOT, GITHUB_REF_NAME=tag).returncode


def test_only_what_was_tried_is_published():
    """No job builds anew, and the index asks for no password."""
    found = workflow(WORKFLOWS[4])["jobs"]
    assert ["build", "prove", "publish"] == [found[n]["needs"] for n in [*found][1:]]
    assert [] == [n for n in [*found][1:] if any("checkout" in str(s) for s in found[n]["steps"])]
    assert "secrets." not in WORKFLOWS[4].read_text("utf-8")


def test_a_review_plans_again():
    """An approval may release what a guard stops, so the check is made once more."""
    found = workflow(WORKFLOWS[2])
    assert {"submitted", "dismissed"} == set(found["on"]["pull_request_review"]["types"])
    assert "github.event_name == 'pull_request'" not in found["jobs"]["plan"]["if"]
    assert "github.event.pull_request\n" in WORKFLOWS[2].read_text("utf-8").split("    if: >-")[1]


def test_the_pipeline_keeps_its_state_on_a_branch():
    """Where no variable says otherwise, on GitHub and on GitLab."""
    place = "git:origin#lmssync/{environment}"
    assert place in workflow(WORKFLOWS[2])["env"]["LMSSYNC_STATE"]
    assert place == workflow(GITLAB[0])["variables"]["LMSSYNC_STATE"]


@pytest.mark.parametrize("workflow_of", WORKFLOWS[1:3], ids=["catalog", "release"])
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
def test_lmssync_comes_from_one_commit(tmp_path, workflow_of, repository, commit):
    """A new catalog says nothing of it yet: then the job fails and says what to write."""
    env = {"LMSSYNC_REPOSITORY": repository, "LMSSYNC_COMMIT": commit}
    done = bash(script(workflow_of, "Install lmssync"), tmp_path, RUNNER_TEMP=str(tmp_path), **env)
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


@pytest.mark.parametrize("path", GITLAB, ids=lambda path: path.stem)
def test_a_base_is_fetched_by_its_full_name(path: Path):
    """Of a short name, `git fetch` takes the tag before the branch, and a tag is no base."""
    fetched = [line for line in path.read_text("utf-8").splitlines() if "git fetch" in line]
    named = [line for line in fetched if "TARGET_BRANCH_NAME" in line]
    assert named
    assert all('"refs/heads/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"' in line for line in named)
