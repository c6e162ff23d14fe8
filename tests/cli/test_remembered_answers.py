"""An answer that is given again is the one that would be given anew."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lmssync.support.cache_folder import find_cache_file

from ..served_catalog import Done, Workspace

Change = Callable[[Workspace, pytest.MonkeyPatch], object]


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are old enough at once."""
    for module in ("catalog.manifests.catalog_files", "cli.remembered_answers"):
        monkeypatch.setattr(f"lmssync.{module}.TICK", -(10**18))


def remembers(work: Workspace, command: str) -> bytes:
    """What is kept of the last answer."""
    cache = find_cache_file(work.root)
    assert cache
    kept = cache.with_name(f"answer-{command}")
    return kept.read_bytes() if kept.exists() else b""


def ask_twice(work: Workspace, *command: str) -> Done:
    """The second answer, of which the first has been kept; both are the same."""
    work.run("validate")
    first, kept = work.run(*command), remembers(work, command[0])
    again = work.run(*command)
    assert kept
    assert (first, kept) == (again, remembers(work, command[0]))
    return again


def ask_anew(work: Workspace, monkeypatch: pytest.MonkeyPatch, *command: str) -> Done:
    """The answer where nothing is remembered."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(work.root.with_name("empty")))
        return work.run(*command)


def edit_course(work: Workspace, _: pytest.MonkeyPatch) -> None:
    work.course("a", edit=("Good morning", "Good evening"))


def forget_state(work: Workspace, _: pytest.MonkeyPatch) -> None:
    for file in (work.root / ".lmssync").glob("state.db*"):
        file.unlink()


CHANGES: dict[str, Change] = {
    "edit": edit_course,
    "gone": lambda work, _: (work.root / "a.yaml").unlink(),
    "new": lambda work, _: work.course("b"),
    "broken": lambda work, _: work.write("b.yaml", "resource: course\n"),
    "state": forget_state,
    "forgotten": lambda work, _: work.run("state", "forget", "course.a"),
    "settings": lambda work, _: work.write(
        "lmssync.yaml", "version: 1\nenvironments: {other: {baseUrl: 'http://127.0.0.1:1'}}\n"
    ),
    "instance": lambda _, patch: patch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:2"),
    "key": lambda _, patch: patch.delenv("LMSSYNC_API_KEY"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_plan_is_made_anew_after_any_change(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, change: Change
):
    """A file, the state, the project file, a variable: none of them leaves the answer before."""
    work.course("a")
    work.apply()
    assert "No changes: 1 resource is as last applied" in ask_twice(work, "plan").out
    change(work, monkeypatch)
    found = work.run("plan")
    assert found == ask_anew(work, monkeypatch, "plan")
    assert "No changes" not in found.out


def test_an_answer_says_what_its_options_ask_for(work: Workspace, monkeypatch: pytest.MonkeyPatch):
    """Another form, and a plan that compares everything with the platform, are other questions."""
    work.course("a")
    work.apply()
    ask_twice(work, "plan")
    for more in (("--json",), ("--refresh", "all"), ("--full",), ("-e", "sandbox"), ("--offline",)):
        found = work.run("plan", *more)
        assert found == ask_anew(work, monkeypatch, "plan", *more)


def test_a_plan_with_changes_is_not_kept(work: Workspace):
    """What people have changed on the platform may differ the next time."""
    work.course("a")
    work.run("validate")
    work.run("plan")
    assert b"" == remembers(work, "plan")


@pytest.mark.parametrize("change", ["edit", "gone", "new", "broken"])
def test_an_outline_is_made_anew_after_any_change(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, change: str
):
    """An outline shows the files as they are, and warns of errors each time."""
    work.course("a")
    ask_twice(work, "outline", "course.*")
    CHANGES[change](work, monkeypatch)
    for _ in range(2):
        found = work.run("outline", "course.*")
        assert found == ask_anew(work, monkeypatch, "outline", "course.*")


def test_catalogs_have_answers_of_their_own(work: Workspace, tmp_path: Path):
    """A copy of a catalog in another folder is asked about itself."""
    work.course("a")
    ask_twice(work, "outline")
    copy = shutil.copytree(work.root, tmp_path.with_name("copy"))
    (copy / "a.yaml").unlink()
    assert "The catalog is empty.\n" == work.run("outline", "-C", str(copy)).out
    assert "course.a" in work.run("outline").out


def test_an_explanation_is_of_the_name_and_the_form_that_is_asked_for(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """Each name has its own answer, also where the answer before was about another one."""
    for more in (("course.title",), ("course.kind",), ("blank",), ("course.title", "--json")) * 2:
        assert work.run("explain", *more) == ask_anew(work, monkeypatch, "explain", *more)
