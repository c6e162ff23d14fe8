"""Packages with rules and reports, installed for real."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import making
from tests.docs import pages
from tests.patience import read_outputs

BLOCKS = {
    kind: body
    for kind, body in pages.fences(pages.ROOT / "docs/plugins.md")
    if kind in {"python", "toml"}
}
CODE, ID = BLOCKS["python"], '"acme-title-case"'
ENTRIES = BLOCKS["toml"].partition("[project.entry-points.")[2]
_ABOUT = "acme_lmssync-1.0.dist-info"
PACKAGE = {
    f"{_ABOUT}/METADATA": "Metadata-Version: 2.1\nName: acme-lmssync\nVersion: 1.0\n",
    f"{_ABOUT}/entry_points.txt": re.sub(
        r'project.entry-points.|"', "", f"[project.entry-points.{ENTRIES}"
    ),
    "acme_lmssync.py": CODE,
}
LISTED = "plugins: [acme-lmssync]\n"
slow = pytest.mark.slow
Install = Callable[..., None]


@pytest.fixture
def install(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Install]:
    """Puts the package of the page where packages are, as an installer does."""
    site: Path = tmp_path_factory.mktemp("site")
    monkeypatch.syspath_prepend(str(site))

    def put(code: str = CODE, version: str = "1.0") -> None:
        for file, text in PACKAGE.items():
            making.put(site, file, text.replace("Version: 1.0", f"Version: {version}"))
        making.put(site, "acme_lmssync.py", code)
        sys.modules.pop("acme_lmssync", None)

    yield put
    sys.modules.pop("acme_lmssync", None)


@pytest.fixture
def small(work, install):
    """A catalog with a small letter where the rule wants a capital, and the package."""
    install()
    work.course("a", edit=("Title of KEY", "small letters"))
    work.write("lmssync.yaml", (work.root / "lmssync.yaml").read_text("utf-8") + LISTED)
    return work


def test_a_rule_finds_something(small):
    """It is shown with its line, its id and its severity."""
    done = small.run("validate")
    assert 0 == done.code
    assert "a.yaml:4:1: warning[acme-title-case] course.a: the title is “small letters”" in done.out


def test_a_package_that_is_not_listed(small):
    """Being installed is not enough."""
    text = (small.root / "lmssync.yaml").read_text("utf-8")
    small.write("lmssync.yaml", text.replace(LISTED, ""))
    assert "acme" not in small.run("validate").out


@pytest.mark.parametrize(("grade", "code"), [("error", 3), ("'off'", 0)])
def test_a_rule_is_graded(small, grade, code):
    """`rules:` knows it like any other."""
    text = (small.root / "lmssync.yaml").read_text("utf-8")
    small.write("lmssync.yaml", f"{text}rules: {{acme-title-case: {grade}}}\n")
    done = small.run("validate")
    assert (code, grade == "error") == (done.code, "acme-title-case" in done.out)


def test_a_rule_is_explained(small):
    """With what it means, its remedy and where it comes from."""
    done = small.run("explain", "acme-title-case")
    assert "begins with a small letter" in done.out
    assert "Begin it with a capital" in done.out
    assert "1  Plugin acme-lmssync" in small.run("explain").out


def test_a_new_version_is_asked_again(small, install, monkeypatch):
    """What an earlier one has found is not repeated, though no file of the catalog changed."""
    monkeypatch.setattr("lmssync.catalog.manifests.catalog_files.TICK", -(10**18))
    assert "small letters" in small.run("validate").out
    install(CODE.replace("the title is", "the title of it is"), version="1.1")
    assert "the title of it is" in small.run("validate").out


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import nothing_of_that_name", "cannot be loaded: ModuleNotFoundError"),
        pytest.param("raise SystemExit(3)", "cannot be loaded: SystemExit", marks=slow),
        pytest.param("title_case = 3", "is not a `lmssync.plugins.PluginRule`", marks=slow),
        pytest.param(CODE.replace(ID, '"Acme"'), "has the id 'Acme'", marks=slow),
        pytest.param(CODE.replace(ID, '"empty-link"'), "empty-link of its own", marks=slow),
        (CODE.replace("title = ", "title = 1 / 0 #"), "ZeroDivisionError"),
        pytest.param(
            CODE.replace("PluginProblem(resource.address", "str(3"), "TypeError", marks=slow
        ),
        pytest.param(CODE.replace('("title",)', "3"), "TypeError", marks=slow),
        pytest.param(CODE.replace('f"the title', '3, f"the'), "else than texts", marks=slow),
        pytest.param(CODE.replace("(resource.address,", "('a.b',"), "has no a.b", marks=slow),
    ],
)
def test_a_broken_package(small, install, code, told):
    """The message names it; there is no traceback, and no plan."""
    install(code)
    for command in ("validate", "plan"):
        done = small.run(command)
        assert (1, True, True) == (done.code, "acme-lmssync" in done.err, told in done.err)


def test_a_package_that_is_not_installed(work):
    """A catalog can name one, and brings none."""
    work.course("a")
    work.write("lmssync.yaml", (work.root / "lmssync.yaml").read_text("utf-8") + LISTED)
    making.put(work.root, "acme_lmssync.py", CODE)
    done = work.run("validate")
    assert 1 == done.code
    assert "lists the plugin acme-lmssync, which is not installed" in done.err


@slow
def test_what_lies_in_the_catalog_is_not_installed(work):
    """Also where Python itself would look, as with `python -m`."""
    work.course("a")
    work.write("lmssync.yaml", (work.root / "lmssync.yaml").read_text("utf-8") + LISTED)
    for file, text in PACKAGE.items():
        making.put(work.root, file, text)
    for command in (["validate"], ["plan", "--format", "csv"], ["explain", "acme-title-case"]):
        run = work.start(*command)
        assert "small letters" not in read_outputs(run)[0].decode()
        assert 0 != run.returncode


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_other_forms_of_problems(small, form):
    """They know the rule by its id, though it is in no book."""
    done = small.run("validate", "--format", form)
    assert (0, True) == (done.code, "acme-title-case" in done.out)


def test_a_report(small, platform):
    """As a file, on stdout, and as the receipt of an apply."""
    assert "course.a,create\n" == small.run("plan", "--format", "csv").out
    assert 0 == small.run("plan", "--report", "plan.csv").code
    assert "course.a,create\n" == (small.root / "plan.csv").read_text("utf-8")
    assert 0 == small.apply("--report", "receipt.csv").code
    assert "" == (small.root / "receipt.csv").read_text("utf-8")


def test_a_report_that_nobody_has(work, platform):
    """The message lists what there is."""
    work.course("a")
    assert 64 == work.run("plan", "--report", "plan.csv").code
    assert 64 == work.run("plan", "--format", "csv").code


def test_a_report_that_fails(small, platform, install):
    """It is one line that names the package."""
    install(CODE.replace('document["format"]', "document[3]"))
    done = small.run("plan", "--format", "csv")
    assert 1 == done.code
    assert "the plugin acme-lmssync failed in csv: KeyError" in done.err


def test_without_plugins_nothing_is_looked_for(work):
    """A run whose project lists none does not ask which packages there are."""
    work.course("a")
    before = sys.modules.pop("importlib.metadata", None)
    work.run("validate")
    asked = "importlib.metadata" in sys.modules
    if before:
        sys.modules["importlib.metadata"] = before
    assert not asked
