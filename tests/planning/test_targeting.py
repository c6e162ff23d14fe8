"""A plan of a part of the catalog: what it takes along, what it leaves out, and what it says."""

import pytest

from tests import making
from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import Platform, Workspace, actions

from .test_moved_resources import SHORT

RELATED = "relatedCourses: [b]\n"
USAGE = 64


def create(work: Workspace, *keys: str) -> None:
    """Courses that are recorded."""
    for key in keys:
        work.course(key)
    assert 0 == work.apply().code


def commit(work: Workspace) -> None:
    work.write(".gitignore", ".lmssync/\n")
    making.commit(work.root)


def test_a_target_is_planned_alone(work: Workspace) -> None:
    """Only what matches the pattern is planned; the plan counts the rest in one line."""
    for key in ("fire-a", "fire-b", "water", "wind"):
        work.course(key)

    done = work.run("plan", "--target", "course.fire-*")

    assert "Plan: 2 to create." in done.out
    assert "Limited to course.fire-*: 2 other changes are not in this plan.\n" in done.out


def test_what_is_excluded_stays_out(work: Workspace) -> None:
    """Everything else is planned, also within a target."""
    for key in ("fire-a", "fire-b", "water"):
        work.course(key)

    plan = work.plan("--target", "course.fire-*", "--exclude", "*-b")

    assert {"course.fire-a": "create"} == actions(plan)
    limits = {"target": ["course.fire-*"], "exclude": ["*-b"], "leftOut": 2}
    assert limits == plan["limits"]


def test_a_whole_plan_has_no_limits(work: Workspace) -> None:
    """The key is there only where somebody limited the plan."""
    work.course("a")
    assert "limits" not in work.plan()


def test_only_the_target_is_applied(work: Workspace, platform: Platform) -> None:
    """An apply makes the target; the next plan shows the rest."""
    work.course("a")
    work.course("b")
    before = platform.titles()

    assert 0 == work.apply("--target", "course.a").code

    assert sorted([*before, "Title of a"]) == platform.titles()
    assert {"course.b": "create"} == actions(work.plan())


def test_a_target_takes_along_what_it_needs(work: Workspace) -> None:
    """A license cannot be made before its course; nothing else comes along."""
    work.course("a")
    work.course("b")
    work.write("l.yaml", LICENSE)

    plan = work.plan("--target", "license.*")

    assert {"course.a": "create", "license.staff": "create"} == actions(plan)
    assert 1 == plan["limits"]["leftOut"]


def test_what_is_recorded_is_not_taken_along(work: Workspace) -> None:
    """A license can be made without the update of its course."""
    create(work, "a")
    work.course("a", "description: New\n")
    work.write("l.yaml", LICENSE)

    assert {"license.staff": "create"} == actions(work.plan("--target", "license.staff"))


def test_a_part_that_is_not_recorded_is_taken_along(work: Workspace) -> None:
    """A criterion waits for the quiz that an update of its course adds."""
    create(work, "a")
    quiz = "          - {id: check, title: Check, type: quiz}\n"
    work.course("a", edit=(quiz, quiz + quiz.replace("check", "more")))
    own = "resource: completionCriterion\nkey: a.own\ncourse: a\ntype: courseAssessmentPassed\n"
    work.write("own.yaml", own + "topic: start/one/more\n")

    plan = work.plan("--target", "criterion.a.own")

    assert {"course.a": "update", "criterion.a.own": "create"} == actions(plan)


def test_what_is_written_inside_goes_along(work: Workspace) -> None:
    """The short forms of a course are targeted, and excluded, with it."""
    work.course("a", SHORT)
    work.course("b")

    plan = work.plan("--target", "course.a")

    assert {"course.a", "criterion.a.most", "criterion.a.pass", "path.a.shop"} == set(actions(plan))
    assert {"course.b": "create"} == actions(work.plan("--exclude", "course.a"))


def test_what_needs_something_excluded_is_blocked(work: Workspace) -> None:
    """It says what is missing; nothing is sent for it."""
    work.course("a")
    work.write("l.yaml", LICENSE)

    (change,) = work.plan("--exclude", "course.a")["changes"]

    assert "blocked" == change["action"]
    assert "it needs course.a, which this plan leaves out" in change["reasons"]


def test_a_link_to_something_left_out_is_set_later(work: Workspace) -> None:
    """A new course is made without the link to another; once both exist it is set."""
    work.course("a", RELATED)
    work.course("b")

    done = work.apply("--target", "course.a")

    assert 0 == done.code, done.err + done.out
    assert "what names course.b is set once that exists: this plan leaves it out" in done.out
    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_link_from_something_recorded_takes_its_course_along(work: Workspace) -> None:
    """An update that names a new course cannot be sent before that exists."""
    create(work, "a")
    work.course("a", RELATED)
    work.course("b")

    plan = work.plan("--target", "course.a")

    assert {"course.a": "update", "course.b": "create"} == actions(plan)


def test_a_move_is_targeted_by_both_addresses(work: Workspace) -> None:
    """What has moved answers to its old address as well."""
    create(work, "a")
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n", edit=("Title of KEY", "Title of a"))

    assert {"course.b": "move"} == actions(work.plan("--target", "course.a"))
    assert {"course.b": "move"} == actions(work.plan("--target", "course.b"))
    assert {} == actions(work.plan("--exclude", "course.a"))


def test_what_left_the_catalog_is_limited_too(work: Workspace) -> None:
    """Only what is targeted is forgotten, with what belonged to it."""
    work.course("a", SHORT)
    create(work, "b")
    (work.root / "a.yaml").unlink()
    (work.root / "b.yaml").unlink()

    plan = work.plan("--target", "course.a")

    gone = {"course.a", "criterion.a.most", "criterion.a.pass", "path.a.shop"}
    assert gone == set(actions(plan))
    assert {"course.b": "forget"} == actions(work.plan("--exclude", "course.a"))


def test_a_look_at_everything_is_limited(work: Workspace, platform: Platform) -> None:
    """`--refresh all` reads what is targeted and nothing else."""
    create(work, "a", "b")
    for course in platform.dump("courses"):
        if course.get("title", "").startswith("Title of"):
            order = {"list": "courses", "id": course["id"], "set": {"title": "By hand"}}
            platform.order("edit", order)

    plan = work.plan("--refresh", "all", "--target", "course.a")

    assert {"course.a": "unchanged"} == actions(plan)


def test_what_names_something_made_again_comes_along(work: Workspace, platform: Platform) -> None:
    """It would go on naming what is no longer there; so it cannot be excluded."""
    work.write("l.yaml", LICENSE)
    create(work, "a")
    platform.delete("courses", title="Title of a")
    again = ("--recreate", "course.a")

    assert {"course.a", "license.staff"} == set(actions(work.plan(*again, "--target", "course.a")))
    refused = work.run("plan", *again, "--exclude", "license.staff")
    assert USAGE == refused.code
    assert "is named by license.staff, which `--exclude` leaves out" in refused.err


def test_an_unknown_target_is_refused(work: Workspace) -> None:
    """A pattern that nothing matches is a slip; near misses are named."""
    work.course("safety")

    done = work.run("plan", "--target", "course.safty")

    assert USAGE == done.code
    assert "`--target course.safty` names nothing" in done.err
    assert "did you mean `course.safety`?" in done.err


def test_something_outside_cannot_be_made_again(work: Workspace) -> None:
    """`--recreate` and a limit without it contradict each other."""
    create(work, "a", "b")

    done = work.run("plan", "--recreate", "course.a", "--target", "course.b")

    assert USAGE == done.code
    assert "`--recreate course.a` names something that the limits" in done.err


def test_a_saved_plan_carries_its_limits(work: Workspace, platform: Platform) -> None:
    """It says what it is limited to when it is shown, and it does only that."""
    work.course("a")
    work.course("b")
    work.run("plan", "--target", "course.a", "--out", "p.json")

    assert "Limited to course.a: 1 other change is not" in work.run("show", "p.json").out
    assert USAGE == work.run("apply", "p.json", "--target", "course.b").code
    assert 0 == work.run("apply", "p.json").code
    assert {"course.b": "create"} == actions(work.plan())


def test_only_what_has_changed_since_a_revision(work: Workspace) -> None:
    """Manifests that are as they were are left out, although they were not applied yet."""
    work.course("a")
    work.course("b")
    commit(work)
    work.course("b", "description: New\n")

    done = work.run("plan", "--changed-since", "main")

    assert "course.b" in done.out
    assert "Limited to what has changed since main: 1 other change is not in this" in done.out


@pytest.mark.parametrize("file", ["b.md", "overlays/sandbox/b.yaml"])
def test_bodies_and_overlays_count(work: Workspace, file: str) -> None:
    """A resource has changed if its body file or its overlay has; also if that is gone."""
    bodied = ("markdown: Good morning", "bodyFile: b.md")
    work.course("a")
    work.course("b", edit=bodied)
    overlay = "resource: course\nkey: b\ndescription: "
    work.write("b.md", "Good morning")
    work.write("overlays/sandbox/b.yaml", overlay + "One\n")
    commit(work)
    work.write(file, overlay + "Two\n")

    assert {"course.b": "create"} == actions(work.plan("--changed-since", "HEAD"))


def test_an_overlay_that_is_gone_counts(work: Workspace) -> None:
    """What it changed is found by the key that it named."""
    work.course("a")
    work.course("b")
    work.write("overlays/sandbox/b.yaml", "resource: course\nkey: b\ndescription: One\n")
    commit(work)
    (work.root / "overlays/sandbox/b.yaml").unlink()

    assert {"course.b": "create"} == actions(work.plan("--changed-since", "HEAD"))


def test_what_left_since_a_revision(work: Workspace) -> None:
    """Of what left the catalog, only that whose manifest was there at the revision."""
    create(work, "a", "b")
    (work.root / "a.yaml").unlink()
    commit(work)
    (work.root / "b.yaml").unlink()

    assert {"course.b": "forget"} == actions(work.plan("--changed-since", "HEAD"))


def test_an_unknown_revision_is_refused(work: Workspace) -> None:
    """A revision that git does not know is wrong use."""
    work.course("a")
    commit(work)

    done = work.run("plan", "--changed-since", "nowhere")

    assert USAGE == done.code
    assert "`nowhere` is not a revision" in done.err
