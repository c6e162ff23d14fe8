"""A plan with something blocked says how an apply of it ends, and ends so itself if it is asked."""

from tests.served_catalog import Platform, Workspace

INVALID, UNKNOWN, PARTIAL = 3, 4, 7


def end_of_apply(work: Workspace) -> str:
    """The line of a plan that says how an apply of it ends."""
    (line,) = [line for line in work.run("plan", "--full").out.splitlines() if "ends with" in line]
    return line


def test_a_conflict(work: Workspace, platform: Platform) -> None:
    """Only what is blocked is left undone, so the apply ends with 7."""
    work.course("a")
    work.apply()
    work.course("a", edit=("Title of KEY", "From git"))
    work.course("b")
    (course,) = platform.dump("courses")
    platform.change({"courses": [{"id": course["id"], "title": "By hand"}]})
    assert end_of_apply(work).endswith("An apply leaves it undone and ends with exit code 7.")
    assert 0 == work.run("plan").code
    assert PARTIAL == work.run("plan", "--detailed-exitcode").code == work.apply().code


def test_a_guard_that_stops_all(work: Workspace) -> None:
    """Nothing is applied, so the apply ends with 3."""
    work.course("a", "lifecycle: {protect: true}\n")
    work.apply()
    work.course("a", "lifecycle: {protect: true}\n", edit=("Title of KEY", "From git"))
    assert end_of_apply(work).endswith("ends with exit code 3, because guards stop every change.")
    assert INVALID == work.run("plan", "--detailed-exitcode").code == work.apply().code


def test_a_call_without_an_outcome(work: Workspace, platform: Platform) -> None:
    """A person has to decide, unless the next run finds it."""
    platform.fault("drop-after", "course.create")
    work.course("a")
    work.apply()
    assert "ends with exit code 4 while the outcome of a call is unknown" in end_of_apply(work)
    assert UNKNOWN == work.run("plan", "--detailed-exitcode").code == work.apply().code
