"""Steps for people stay in every plan until somebody says that they are done."""

import pytest

from tests.kinds.test_assignments_applied import CHLOE, assign
from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import EXTENDED, Platform, Workspace, actions, counted

CHANGES, UNKNOWN, STALE, USAGE = 2, 4, 5, 64
SHORT = """\
completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]
purchasePaths:
  - {id: shop, label: Buy <b>here</b>, target: {url: "https://shop.example.com", title: Shop}}
"""
RULE, PATH = "criterion.a.most", "path.a.shop"


def left(work: Workspace) -> None:
    """A course whose rule and purchase path have left the catalog."""
    work.course("a", SHORT)
    done = work.apply()
    assert 0 == done.code, done.err + done.out
    work.course("a")


def test_what_leaves_a_course_is_asked_for_until_it_is_confirmed(work: Workspace) -> None:
    """Steps stay however often the catalog is applied: the rule and the path are still in force."""
    left(work)

    done = work.apply("--json").json

    assert ({"manual": 2}, 2) == (counted(done), done["manualSteps"])
    assert {RULE: "manual", PATH: "manual"} == actions(work.plan())
    assert CHANGES == work.run("plan", "--detailed-exitcode").code
    assert 0 == work.run("resolve", RULE, "--done").code
    assert {PATH: "manual"} == actions(work.plan())
    assert 0 == work.run("resolve", PATH, "--done").code
    assert 0 == work.run("plan", "--detailed-exitcode").code


def test_the_plan_counts_steps(work: Workspace) -> None:
    """Plans count the steps for people in words and in JSON, whatever else they do."""
    work.write("l.yaml", LICENSE)
    left(work)
    work.write("l.yaml", LICENSE.replace("name: Staff", "name: Everybody\nseatsLimit: 5"))

    assert 4 == work.plan()["manualSteps"]
    assert "Plan: 4 steps for a person, 1 unchanged." in work.run("plan").out


def test_what_is_put_back_is_not_asked_for(work: Workspace) -> None:
    """A resource that is put back needs no step; it was managed all the time."""
    left(work)
    work.apply()
    work.course("a", SHORT)

    assert {} == actions(work.plan())
    assert 0 == work.apply().code
    assert [] == work.run("state", "list", "--json").json["manual"]


def test_what_was_deleted_and_comes_back_is_made_anew(work: Workspace, platform: Platform) -> None:
    """A resource that was deleted and comes back gets a new id."""
    left(work)
    platform.delete("completionCriteria")
    platform.delete("purchasePaths")
    work.run("resolve", RULE, PATH, "--done")
    work.course("a", SHORT)

    assert {RULE: "create", PATH: "create"} == actions(work.plan())
    assert 0 == work.apply().code
    assert (1, 1) == (len(platform.dump("completionCriteria")), len(platform.dump("purchasePaths")))
    assert {} == actions(work.plan())


def test_what_goes_with_its_course_is_let_go(work: Workspace) -> None:
    """One decision about the course lets go of everything in it."""
    left(work)
    (work.root / "a.yaml").unlink()

    course, *_ = work.plan()["changes"]

    assert {"course.a": "forget", RULE: "forget", PATH: "forget"} == actions(work.plan())
    still = f"“View 80 % of the course” ({RULE}), “Buy here” ({PATH})"
    assert f"these still apply: {still}" == course["reasons"][-1]
    assert 3 == work.apply("--json").json["summary"]["forgotten"]
    assert {} == actions(work.plan())


def test_all_or_none_are_confirmed(work: Workspace) -> None:
    """If one of several is no step for people, the error names it and nothing is recorded."""
    left(work)
    work.course("b")

    done = work.run("resolve", RULE, "course.b", PATH, "--done")

    assert (USAGE, True) == (
        done.code,
        "course.b has changes that lmssync makes itself" in done.err,
    )
    assert {RULE: "manual", PATH: "manual", "course.b": "create"} == actions(work.plan())


def test_one_address_at_a_time_is_decided_otherwise(work: Workspace) -> None:
    """Decisions other than `--done` are made for one address at a time."""
    assert USAGE == work.run("resolve", "course.a", "course.b", "--not-created").code


def test_nothing_was_left_to_do(work: Workspace) -> None:
    """If nothing was left to do, that is reported and nothing is written."""
    left(work)
    work.course("a", SHORT)
    before = work.plan()["serial"]

    done = work.run("resolve", "course.a", "--done")

    assert (0, "course.a: nothing was left to do by hand\n") == (done.code, done.out)
    assert before == work.plan()["serial"]


def test_what_is_to_be_forgotten_has_no_steps(work: Workspace) -> None:
    """No step can be confirmed for a resource that is only to be forgotten."""
    left(work)
    (work.root / "a.yaml").unlink()

    done = work.run("resolve", RULE, "--done")

    assert (USAGE, True) == (done.code, "`lmssync apply` forgets it" in done.err)
    assert "forget" == actions(work.plan())[RULE]


def test_what_moves_has_not_left(work: Workspace) -> None:
    """Nothing can be confirmed under an address that moves, or its record would be lost."""
    left(work)
    (work.root / "a.yaml").unlink()
    work.course("b", "moved: [{from: course.a}]\n" + SHORT)

    assert [USAGE, USAGE] == [
        work.run("resolve", rule, "--done").code for rule in (RULE, "criterion.b.most")
    ]
    assert "move" == actions(work.plan())["criterion.b.most"]


def test_nothing_is_confirmed_while_a_call_is_open(work: Workspace, platform: Platform) -> None:
    """No step can be confirmed until the outcome of the open call is known."""
    work.course("a", SHORT)
    platform.fault("drop-after", "path.create")
    platform.fault("status", "path.list", status=500)
    assert UNKNOWN == work.apply().code
    work.course("a")

    done = work.run("resolve", PATH, "--done")

    assert (USAGE, True) == (done.code, "a call for path.a.shop waits for a decision" in done.err)


def test_what_is_undecided_cannot_be_confirmed(work: Workspace) -> None:
    """Nothing can be confirmed while the manifest does not say how licenses are taken away."""
    assign(work, CHLOE)
    work.apply()
    record = work.run("state", "show", "assignment.staff").out
    assign(work)

    done = work.run("resolve", "assignment.staff", "--done")

    assert (USAGE, True) == (done.code, "assignment.staff is blocked" in done.err)
    assert record == work.run("state", "show", "assignment.staff").out


def test_a_saved_plan_is_stale_once_its_step_is_confirmed(work: Workspace) -> None:
    """A saved plan is stale once the step that it asks for has been confirmed."""
    left(work)
    work.run("plan", "--out", "p.json")
    work.run("resolve", RULE, "--done")

    assert STALE == work.run("apply", "p.json").code


def test_the_state_lists_what_the_last_apply_left(work: Workspace) -> None:
    """The state lists steps with the time of their first mention; a second apply keeps it."""
    left(work)
    work.apply()
    first = work.run("state", "list", "--json").json["manual"]

    work.apply()

    assert [(RULE, "removal"), (PATH, "removal")] == [(s["address"], s["field"]) for s in first]
    assert first == work.run("state", "list", "--json").json["manual"]
    assert f"! {PATH}: by hand: delete the purchase path “Buy here”" in (
        work.run("state", "list").out
    )
    (shown,) = work.run("state", "show", PATH).json["manual"]
    assert first[1] == {"address": PATH, **shown}


@pytest.mark.parametrize("resource", ["license.staff", "course.a"])
def test_what_is_protected_can_be_confirmed(work: Workspace, resource: str) -> None:
    """A step that was done can be confirmed even for a protected resource."""
    protect = "lifecycle: {protect: true}\n"
    work.course("a", protect + "source: ours\n")
    work.write("l.yaml", LICENSE + protect)
    work.apply()
    work.course("a", protect + "source: theirs\n")
    work.write("l.yaml", LICENSE.replace("name: Staff", "name: All") + protect)

    assert 0 == work.run("resolve", resource, "--done").code
    assert resource not in actions(work.plan())


def test_what_is_done_by_hand_decides_no_conflict(work: Workspace, instance: Platform) -> None:
    """The plan asks for the seats and not for the name, which somebody has changed otherwise."""
    no_updates = "profile: extended, capabilities: {license.update: false}"
    work.write("lmssync.yaml", EXTENDED.replace("profile: extended", no_updates))
    work.course("a")
    work.write("l.yaml", LICENSE)
    assert 0 == work.apply().code
    (staff,) = [one["id"] for one in instance.dump("licenses") if one["name"] == "Staff"]
    instance.order("edit", {"list": "licenses", "id": staff, "set": {"name": "By hand"}})
    work.write("l.yaml", LICENSE.replace("name: Staff", "name: Everybody\nseatsLimit: 5"))
    (change,) = work.plan()["changes"]
    assert (1, ["name"]) == (len(change["manual"]), [f["path"] for f in change["blockedFields"]])
    instance.order("edit", {"list": "licenses", "id": staff, "set": {"seatsLimit": 5}})

    assert 0 == work.run("resolve", "license.staff", "--done").code

    (change,) = work.plan()["changes"]
    assert ("blocked", ["name"]) == (change["action"], [f["path"] for f in change["fields"]])
