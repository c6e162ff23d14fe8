"""`from lmssync import ...`: what scripts, services and notebooks use."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lmssync
from lmssync import Forbidden, InvalidCatalog, LmssyncError, StalePlan, StateLocked, open_catalog
from tests.docs import pages

GUARDED = "\nguards: {manyChanges: {severity: error, least: 1, mostPercent: 1}}\n"


def example() -> str:
    (block,) = [
        body
        for kind, body in pages.fences(pages.ROOT / "docs/library.md")
        if kind == "python" and body.startswith("# publish.py")
    ]
    return block


def test_the_example_of_the_page(work, platform, capsys):
    """It publishes a course, and says what it does."""
    work.course("a")
    exec(compile(example(), "publish.py", "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert ["Title of a"] == [title for title in platform.titles() if title.endswith(" a")]
    assert "create course.a Title of a" in said
    assert "{'course.a': 'created'}" == said[-1]


def test_problems_are_values(work):
    """Each has its place, and a plan of such a catalog is refused with the same problems."""
    work.course("a", edit=("title: One", "titel: One"))
    catalog = open_catalog(work.root)
    validated = catalog.validate()
    assert not validated.ok
    assert ("a.yaml", 10) in {(p.where.file, p.where.line) for p in validated.problems}
    with pytest.raises(InvalidCatalog) as refused:
        catalog.plan()
    assert len(validated.problems) == len(refused.value.problems)


def test_a_bad_project_file_is_a_problem(work):
    """The catalog can be opened, so that `validate` can say what is wrong."""
    work.write("lmssync.yaml", "version: 2\n")
    assert not open_catalog(work.root).validate().ok


@pytest.mark.parametrize(("root", "environment"), [("nowhere", None), (".", "moon")])
def test_what_cannot_be_opened(work, root, environment):
    """A folder without a project file, and an environment that it does not name."""
    with pytest.raises(LmssyncError) as refused:
        open_catalog(root, environment)
    assert refused.value.hint


def test_a_plan_as_people_and_programs_read_it(work, platform):
    """The same forms as on the command line, and the counts without any."""
    work.course("a")
    plan = open_catalog(work.root).plan()
    assert (1, True) == (plan.summary["create"], plan.has_changes)
    assert "Plan(environment='sandbox', create=1)" == repr(plan)
    assert "lmssync.plan/1" == plan.document()["format"]
    assert plan.document()["digest"] == plan.digest
    assert "<html" in plan.render("html")
    assert "course.a" in plan.render("markdown") == plan._repr_markdown_()


def test_a_saved_plan(work, platform):
    """Another process can apply it, be it a script or the command."""
    work.course("a")
    catalog = open_catalog(work.root)
    catalog.plan().save("a.plan")
    assert 0 == work.run("apply", "a.plan").code
    with pytest.raises(StalePlan):
        catalog.apply(catalog.load_plan("a.plan"))


def test_a_plan_without_a_platform(work):
    """It needs no key, leaves no state behind, and can neither be applied nor saved."""
    work.course("a")
    catalog = open_catalog(work.root, env={"LMSSYNC_BASE_URL": "http://127.0.0.1:1"})
    plan = catalog.plan(refresh="offline")
    assert (True, False) == (plan.has_changes, (work.root / ".lmssync").exists())
    for use in (catalog.apply, lambda plan: plan.save("a.plan")):
        with pytest.raises(LmssyncError, match="offline"):
            use(plan)


def test_a_plan_that_a_guard_stops(work, platform):
    """It says which, and an apply refuses it until it is allowed."""
    work.course("a")
    assert 0 == work.apply().code
    work.write("lmssync.yaml", (work.root / "lmssync.yaml").read_text("utf-8") + GUARDED)
    work.course("a", edit=("Good morning", "Good evening"))
    catalog = open_catalog(work.root)
    plan = catalog.plan()
    assert plan.stopped_by
    with pytest.raises(Forbidden):
        catalog.apply(plan)
    allowed = catalog.plan(allow=["manyChanges"])
    assert {"course.a": "updated"} == catalog.apply(allowed).results


def test_several_failures_of_one_address(work, platform):
    """The refusal of a price and the conflict of a title are both said."""
    work.course("a")
    assert 0 == work.apply().code
    (course,) = [c["id"] for c in platform.dump("courses") if c["title"] == "Title of a"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    work.course("a", "priceInCents: 1900\n", edit=("Title of KEY", "From git"))
    no = {"errors": ["price is refused"]}
    platform.fault("answer", "course.update", status=400, body=no, when="before", times=10)
    catalog = open_catalog(work.root)
    failures = catalog.apply(catalog.plan()).failures["course.a"].split("; ", 1)
    assert [True, True] == ["price is refused" in failures[0], "title not sent: " in failures[1]]


def test_a_release_is_planned_and_applied_as_one(work, platform):
    """Its receipt says that it is complete; other limits would leave out a part of it."""
    work.course("a")
    work.course("b")
    work.write("releases/one.yaml", "release: one\nabout: A\nowner: a\naddresses: [course.a]\n")
    catalog = open_catalog(work.root)
    receipt = catalog.apply(catalog.plan(release="one"))
    assert {"course.a": "created"} == receipt.results
    assert receipt.document["release"]["complete"]
    with pytest.raises(LmssyncError, match="says itself what it changes"):
        catalog.plan(release="one", target="course.a")


def test_in_a_thread(work, platform):
    """A service applies outside of the main thread, where no signal can be caught."""
    work.course("a")
    catalog = open_catalog(work.root)
    with ThreadPoolExecutor(1) as pool:
        receipt = pool.submit(lambda: catalog.apply(catalog.plan())).result()
    assert (True, False, "") == (receipt.complete, receipt.waiting, receipt.error)


def test_two_at_once(work, platform):
    """While one holds the state, in whatever thread, another is refused."""
    work.course("a")
    catalog = open_catalog(work.root)
    plan, refused = catalog.plan(), []

    def second(call: int, calls: int) -> None:
        with ThreadPoolExecutor(1) as pool:
            refused.append(pool.submit(catalog.apply, plan).exception())

    assert catalog.apply(plan, progress=second).complete
    assert {StateLocked} == {type(error) for error in refused}


def test_one_name_is_enough(work, platform):
    """A target that is a text is one address, not one for each letter."""
    work.course("a")
    work.course("b")
    plan = open_catalog(work.root).plan(target="course.b")
    assert ["course.b"] == [str(change.address) for change in plan.changes]


def test_a_progress_function_that_fails(work, platform):
    """Everything is done and recorded before its error is raised."""
    work.course("a")
    catalog = open_catalog(work.root)
    with pytest.raises(ZeroDivisionError):
        catalog.apply(catalog.plan(), progress=lambda call, calls: 1 // 0)
    assert not catalog.plan().has_changes


def test_variables_of_its_own(work, platform, monkeypatch):
    """A key and an address that are given are used, and never shown."""
    env = dict(work.env)
    monkeypatch.delenv("LMSSYNC_API_KEY")
    monkeypatch.delenv("LMSSYNC_BASE_URL")
    work.course("a")
    catalog = open_catalog(work.root, env=env)
    assert catalog.apply(catalog.plan()).complete
    assert env["LMSSYNC_API_KEY"] not in repr(catalog)


def test_an_unreachable_platform(work):
    """It is an error of the tree, not one of a library below."""
    work.course("a")
    env = {"LMSSYNC_BASE_URL": "http://127.0.0.1:1", "LMSSYNC_API_KEY": "key-of-nobody"}
    with pytest.raises(lmssync.PlatformError):
        open_catalog(work.root, env=env).plan()


def test_the_page_names_everything():
    """What `lmssync` offers is in the table of the page, and the other way round."""
    named = {
        name
        for line in re.findall(r"^\| (.*?) \|", pages.text("docs/library.md"), re.MULTILINE)
        for name in re.findall(r"`(\w+)", line)
    }
    below = {"InvalidCatalog", "PlatformError", "StalePlan", "StateLocked", "Forbidden"}
    assert set(dir(lmssync)) - {"__version__"} == named | below | {"Validated"}


@pytest.mark.parametrize("name", dir(lmssync))
def test_every_name_of_the_library_is_there(name: str):
    """What `dir(lmssync)` lists can be imported: each name is loaded from where it stands now."""
    assert getattr(lmssync, name)


def test_a_name_that_is_not_there():
    """It is an ordinary `AttributeError`."""
    with pytest.raises(AttributeError):
        lmssync.nothing_of_that_name  # noqa: B018


@pytest.mark.slow
def test_a_script_is_checked_strictly(tmp_path: Path):
    """mypy finds nothing in the example of the page, and a mistake in another script."""
    script = tmp_path / "publish.py"
    codes = []
    for text in (example(), example() + "catalog.plan(targets=3)\n"):
        script.write_text(text, "utf-8")
        command = [sys.executable, "-m", "mypy", "--strict", str(script)]
        codes.append(subprocess.run(command, cwd=tmp_path, check=False).returncode)
    assert [0, 1] == codes
