"""What is installed from a wheel is whole: it runs without the checkout."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from lmssync import __version__

from . import pages
from .test_pages import is_known

PACKAGES = Path(pytest.__file__).parents[1]
"""Where the packages are that lmssync depends on."""

HOOKS = YAML(typ="safe").load(pages.ROOT / ".pre-commit-hooks.yaml")


def test_hooks_call_commands_that_exist():
    """Each is known to the command line, with all its options."""
    assert [] == [hook["id"] for hook in HOOKS if not is_known(hook["entry"].split()[1:])]


def test_hooks_are_named_where_they_are_explained():
    """The page on pipelines has each by its id."""
    text = pages.text("docs/pipelines.md")
    assert [] == [hook["id"] for hook in HOOKS if f"id: {hook['id']}}}" not in text]


def test_the_oldest_python_is_among_the_classifiers():
    """What an index shows is what the installer asks for."""
    project = tomllib.loads(pages.text("pyproject.toml"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {oldest}" in project["classifiers"]


def test_the_changelog_begins_with_this_version():
    """Below the changes that are not released yet; a version has a date and at most 100 lines."""
    chapters = re.split(r"(?m)^## ", pages.text("CHANGELOG.md"))[1:]
    assert "[Unreleased]" == chapters[0].splitlines()[0]
    assert re.match(rf"\[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d\n", chapters[1])
    assert all(chapter.count("\n") <= 100 for chapter in chapters)


def ran(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True)  # noqa: PLW1510
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def built(target: str, source: Path, out: Path) -> Path:
    """The one file that the builder makes of a source, without asking any index."""
    ran(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", out, cwd=source)
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel that is built from the source archive.

    What it depends on is that of this environment, so nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("package")
    archive = built("sdist", pages.ROOT, folder / "sdist")
    (folder / "source").mkdir()
    ran("tar", "-xf", archive, "-C", folder / "source", cwd=folder)
    (source,) = (folder / "source").iterdir()
    wheel = built("wheel", source, folder / "wheel")
    venv = folder / "venv"
    ran(sys.executable, "-m", "venv", "--without-pip", venv, cwd=folder)
    pip = (sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "install")
    ran(*pip, "--no-deps", "--no-index", "--quiet", wheel, cwd=folder)
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(f"{PACKAGES}\n", "utf-8")
    return venv


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the paths are those of POSIX")
def test_a_wheel_is_whole(installed, tmp_path):
    """A new catalog is laid out and valid, and the demo applies its example."""
    lmssync, python = installed / "bin" / "lmssync", installed / "bin" / "python"
    where = ran(python, "-I", "-c", "import lmssync; print(lmssync.__file__)", cwd=tmp_path)
    assert installed in Path(where.strip()).parents
    ran(lmssync, "init", "catalog", cwd=tmp_path)
    assert "Valid: 2 resources" in ran(lmssync, "validate", "-C", "catalog", cwd=tmp_path)
    assert (installed / "share/man/man1/lmssync.1").is_file()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the paths are those of POSIX")
def test_the_demo_fits_on_a_page(installed, tmp_path):
    """It prints at most 60 lines, and the files that it names have the rest."""
    printed = ran(installed / "bin" / "lmssync", "demo", cwd=tmp_path)
    files = [Path(line.split(": ")[1]) for line in printed.splitlines() if "All of it: " in line]
    assert len(printed.splitlines()) <= 60
    assert [True, True] == [len(file.read_text("utf-8").splitlines()) > 60 for file in files]
    assert "price: 29.00 → 34.00" in printed


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the paths are those of POSIX")
@pytest.mark.parametrize("words", [["demo"], ["sandbox", "serve"]])
def test_an_installation_without_the_sandbox_names_the_command(installed, tmp_path, words):
    """The command installs the extra from the file that this installation came from."""
    (site,) = installed.glob("lib/python*/site-packages")
    without = tmp_path / "packages"
    without.mkdir()
    for package in PACKAGES.iterdir():
        if not package.name.startswith(("starlette", "lmssync", "_editable", "__editable")):
            (without / package.name).symlink_to(package)
    made = shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("*.pth"))
    program = f"import sys; sys.path += {[str(made), str(without)]}; import runpy"
    run = [sys.executable, "-I", "-S", "-c", f"{program}; runpy.run_module('lmssync')"]
    done = subprocess.run([*run, *words], cwd=tmp_path, capture_output=True, text=True)  # noqa: PLW1510
    assert (64, []) == (done.returncode, list(tmp_path.glob("lmssync-demo")))
    assert re.search(r"-m pip install '/\S+\.whl\[sandbox\]'` installs them", done.stderr)


@pytest.mark.slow
def test_the_image_gets_all_that_it_needs(tmp_path):
    """A wheel can be built of what `.dockerignore` lets through, and all of that is there."""
    lines = pages.text(".dockerignore").splitlines()
    for pattern in (line[1:].rstrip("/") for line in lines if line.startswith("!")):
        found = list(pages.ROOT.glob(pattern))
        assert found, pattern
        for path in found:
            target = tmp_path / "context" / path.relative_to(pages.ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if path.is_dir() else shutil.copyfile)(path, target)
    assert built("wheel", tmp_path / "context", tmp_path / "wheel").suffix == ".whl"
