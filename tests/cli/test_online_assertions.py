"""`lmssync test --online`: assertions by what was applied and the platform shows."""

from tests.served_catalog import Platform, Workspace

ASSERTIONS = """\
assert: one-course
count: course
min: 1
---
assert: titles-are-ours
count: course
where: {title: Title of safety}
min: 1
---
story: untold
course: safety
starts: 2029-03-01
learner: []
expect: [{done: true}]
"""


def test_assertions_are_judged_by_what_the_platform_has(work: Workspace, platform: Platform):
    """Before an apply there is nothing; a title that a person has changed counts as it is now.
    Stories are not judged again."""
    work.course("safety")
    work.write("stories/all.yaml", ASSERTIONS)
    before = work.run("test", "--online")
    assert (3, True) == (before.code, "0 of course, and at least 1 are needed" in before.out)
    assert 0 == work.apply().code
    assert "2 passed.\n" == work.run("test", "--online").out
    for name in ("courseGroups", "courses"):
        (one,) = platform.dump(name)
        platform.order("edit", {"list": name, "id": one["id"], "set": {"title": "By hand"}})
    changed = work.run("test", "--online")
    assert (3, True) == (changed.code, "failed[titles-are-ours]" in changed.out)


def test_a_platform_and_a_sandbox_are_asked_apart(work: Workspace):
    """Both at once is wrong use."""
    assert 64 == work.run("test", "--online", "--sandbox").code
