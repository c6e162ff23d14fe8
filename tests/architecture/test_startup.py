"""What starting costs: nothing is loaded that a command does not need."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ..served_catalog import Workspace

pytestmark = pytest.mark.xdist_group("startup")  # some tests look at the same runs
CLIENT = "resource: client\nkey: riverside\ncloneOf: golden\nname: Riverside\n"
HEAVY = {
    "httpx",
    "pydantic",
    "sqlalchemy",
    "deepdiff",
    "filelock",
    "greenlet",
    "jinja2",
    "ruamel",
    "sqlite3",
    "pyromark",
    "nh3",
    "starlette",
    "uvicorn",
}
CHECKS = "checks-of-a-model"
"""Beside the names of modules: whether a model of ours was built."""


def loaded(*args: str, before: str = "") -> set[str]:
    """The modules that a run of the command line has loaded when it ends, and `CHECKS` if a model
    was built; `before` it runs code."""
    code = (
        f"{before}\n"
        "def is_built(model):\n"
        "    ours = model.__module__.startswith('lmssync') and model.__pydantic_complete__\n"
        "    return ours or any(map(is_built, model.__subclasses__()))\n"
        "import sys, runpy\n"
        f"sys.argv = ['lmssync', *{args!r}]\n"
        "try:\n    runpy.run_module('lmssync', run_name='__main__')\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "models = sys.modules.get('pydantic')\n"
        f"names = [*sys.modules, *['{CHECKS}'] * bool(models and is_built(models.BaseModel))]\n"
        "print('\\n'.join(names), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {*done.stderr.split()}


@cache
def loaded_at_a_catalog(command: str) -> frozenset[str]:
    """The same of a command at a new copy of the example catalog."""
    with TemporaryDirectory() as folder:
        catalog = shutil.copytree("examples/catalog", Path(folder) / "catalog")
        return frozenset(loaded("-C", str(catalog), *command.split()))


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_loads_nothing_heavy(option: str):
    """`--help` and `--version` answer before anything that they do without."""
    assert set() == HEAVY & loaded(option)


@pytest.mark.parametrize("command", ["test", "translations", "graph"])
def test_help_of_a_command_loads_no_catalog(command: str):
    """What a command reads and judges is loaded once it does so."""
    assert set() == (HEAVY | {"lmssync.kinds"}) & loaded(command, "--help")


def test_what_is_installed_beside_has_no_say_in_what_is_valid(tmp_path: Path):
    """Pydantic builds its checks without the plugins that other packages bring."""
    (tmp_path / "beside.py").write_text("plugin = None")
    about = tmp_path / "beside-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: beside\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[pydantic]\nbeside = beside:plugin\n")
    search = f"import sys; sys.path.insert(0, {str(tmp_path)!r})"
    found = loaded("schema", "course", before=search)
    assert [True, False] == [CHECKS in found, "beside" in found]


def test_validate_loads_no_network():
    """Checking a catalog needs neither the client's package nor the sandbox's."""
    needless = {"httpx", "deepdiff", "filelock", "starlette", "uvicorn"}
    assert set() == needless & loaded_at_a_catalog("validate")


def test_a_plan_that_asks_nobody_loads_no_network():
    """The packages that send requests are loaded with the first of them."""
    assert set() == {"httpx", "ssl"} & loaded_at_a_catalog("plan --offline")


@pytest.mark.parametrize("command", ["plan --offline", "outline", "validate", "status"])
def test_what_looks_at_a_catalog_loads_no_templates_and_no_network(command: str):
    """Few files are templates, and what is only looked at is sent nowhere."""
    needless = {"httpx", "ssl", "jinja2", "sqlalchemy", "starlette"}
    assert set() == needless & loaded_at_a_catalog(command)


def test_a_look_at_the_state_loads_no_kinds_and_no_client():
    """`status` reads the project file and the state: nothing that plans, checks or sends."""
    needless = {
        "httpx",
        "lmssync.kinds",
        "lmssync.platform.client",
        "lmssync.planning.plan",
        "lmssync.planning.diff",
        "lmssync.catalog.manifests.catalog",
        "lmssync.state.exported_state",
        "ruamel",
    }
    assert set() == needless & loaded_at_a_catalog("status")


@pytest.mark.parametrize("command", ["plan --offline", "outline", "explain"])
def test_what_asks_nobody_loads_no_shapes_of_answers(command: str):
    """Shapes of answers, operations and exported states are models, which take long to make."""
    needless = {
        "lmssync.platform.client.answer_shapes",
        "lmssync.learners.operations.operation_kinds",
        "lmssync.state.exported_state",
    }
    assert set() == needless & loaded_at_a_catalog(command)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "command", ["plan --offline", "outline", pytest.param("status", marks=SLOW)]
)
def test_what_has_been_checked_builds_no_checks(command: str, tmp_path: Path):
    """The project file and policies that a run has checked cost the next ones no validator."""
    catalog = shutil.copytree("examples/catalog", tmp_path / "catalog")
    for again in ("outline", *[command] * 2):
        found = loaded(*again.split(), "-C", str(catalog))
    assert set() == {CHECKS, "lmssync.sync.media_files"} & found


def test_an_explanation_loads_neither_templates_nor_parsers():
    """A field is explained from the models alone."""
    assert set() == {"httpx", "jinja2", "ruamel"} & loaded("explain", "course.title")


def test_an_explanation_is_worked_out_once_for_each_version_of_the_program():
    """The schemas are kept for other names, and the answer for the same one, without models."""
    loaded("explain", "course.title")
    needless = {"lmssync.catalog.manifests.schemas.model_schema", CHECKS}
    assert set() == needless & loaded("explain", "course.kind")
    assert set() == {"pydantic", "lmssync.kinds"} & loaded("explain", "course.title")


def test_planning_loads_neither_parsers_nor_policies_nor_what_applies():
    """Few files need the slow parsers, and most catalogs have no policies."""
    code = (
        "import lmssync.planning.plan_loading, lmssync.report.changes, sys; "
        "print('\\n'.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    needless = {
        "ruamel.yaml",
        "lmssync.catalog.manifests.policies",
        "lmssync.catalog.manifests.release_documents",
        "lmssync.code_hosts",
        "lmssync.applying.apply",
        "lmssync.texts.html_to_markdown",
    }
    assert set() == needless & {*done.stdout.split()}


def test_a_status_of_what_is_recorded_loads_no_models(work: Workspace):
    """What waits for a person is shown with its title, and no model is made for it."""
    work.write("client.yaml", CLIENT)
    assert work.apply().code == 0
    assert "“Riverside” (client.riverside)" in work.run("status").out
    loaded("status")  # it remembers that the project file has passed its checks
    needless = {"httpx", "pydantic", "lmssync.kinds", "lmssync.planning.plan"}
    assert set() == needless & loaded("status")


def test_what_was_in_order_loads_nothing_that_puts_it_in_order(tmp_path: Path):
    """`fmt --check` of files that are known compares their digests."""
    (tmp_path / "lmssync.yaml").write_text("version: 1\n")
    for _ in range(2):
        found = loaded("fmt", "--check", "-C", str(tmp_path))
    assert set() == {"pydantic", "lmssync.kinds", "lmssync.catalog.manifests.formatter"} & found


SETTLED = "import lmssync.catalog.manifests.catalog_files as files; files.TICK = -(10**18)"
"""All files are old enough for what was found out about them to be kept."""
MAKING = {"httpx", "pydantic", "lmssync.kinds", "lmssync.planning.plan"}
"""What makes a plan, and what it needs."""


@pytest.mark.parametrize("command", ["plan", pytest.param("outline", marks=SLOW)])
def test_an_answer_that_is_given_again_loads_no_models(work: Workspace, command: str):
    """While no file has changed, a plan without changes and an outline are those of before."""
    work.course("a")
    work.apply()
    for again in ("validate", *[command] * 2):
        found = loaded(*again.split(), before=SETTLED)
    assert set() == MAKING & found


def test_a_plan_of_what_is_as_applied_loads_no_models(work: Workspace):
    """No plan is made, and its first answer needs no kinds either."""
    work.course("a")
    work.apply()
    loaded("validate", before=SETTLED)
    assert set() == MAKING & loaded("plan", before=SETTLED)
