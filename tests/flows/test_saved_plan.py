"""A plan that was reviewed is applied, exactly, or not at all."""

from .conftest import Platform, Workspace

STALE, USAGE = 5, 64


def test_a_saved_plan_is_applied_without_asking(work: Workspace, platform: Platform) -> None:
    """The review has happened."""
    work.course("a", "relatedCourses: [b]\n")
    work.course("b", "relatedCourses: [a]\n")
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert ["Title of a", "Title of b"] == platform.titles()
    assert [] == work.plan()["changes"]


def test_a_saved_plan_does_what_was_reviewed(work: Workspace, platform: Platform) -> None:
    """An edit after the review is not applied with it."""
    work.course("a")
    work.run("plan", "--out", "p.json")
    work.course("a", edit=("Title of KEY", "Too late"))

    work.run("apply", "p.json")

    assert ["Title of a"] == platform.titles()


def test_show_shows_the_plan_that_was_saved(work: Workspace) -> None:
    """Word for word what `plan` printed."""
    work.course("a")
    printed = work.run("plan", "--out", "p.json").out

    assert printed == work.run("show", "p.json").out


def test_a_plan_is_stale_once_the_state_has_moved(work: Workspace) -> None:
    """The address that moved is named, and nothing is sent."""
    work.course("a")
    work.run("plan", "--out", "p.json")
    work.apply()

    done = work.run("apply", "p.json")

    assert STALE == done.code
    assert "course.a" in done.err


def test_a_file_that_is_no_plan_is_refused(work: Workspace) -> None:
    """Any other file, a damaged plan, no file: said in one line."""
    work.write("p.json", '{"format": "something/else"}')
    work.write("q.json", "{")

    assert [USAGE, USAGE, USAGE] == [
        work.run("apply", file).code for file in ("p.json", "q.json", "missing.json")
    ]
