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


def test_a_saved_plan_may_release_a_field(work: Workspace) -> None:
    """A field left the manifest: nothing has moved since, so the plan stands."""
    work.course("a", "ribbon: new\n")
    work.apply()
    work.course("a")
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert [] == work.plan()["changes"]


def test_a_release_inside_a_part_goes_stale_too(work: Workspace) -> None:
    """Else it would put an older record over a newer one, and the next apply add things twice."""
    work.course("a", edit=("type: text", "type: text, preTextBlock: Before"))
    work.apply()
    work.course("a")
    work.run("plan", "--out", "p.json")
    work.course("a", "          - {id: more, title: More, type: survey}\n")
    work.apply()

    assert STALE == work.run("apply", "p.json").code
    assert [] == work.plan()["changes"]


def test_a_plan_is_stale_once_the_platform_has_moved(work: Workspace, platform: Platform) -> None:
    """What somebody changed after the review is not overwritten unseen."""
    work.course("a")
    work.apply()
    work.course("a", edit=("Title of KEY", "From git"))
    work.run("plan", "--out", "p.json")
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})

    done = work.run("apply", "p.json")

    assert (STALE, True) == (done.code, "on the platform" in done.err)
    assert "By hand" == platform.dump("courses")[0]["title"]
