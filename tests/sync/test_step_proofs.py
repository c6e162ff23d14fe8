"""Steps for people are closed by the read that shows that somebody has done them."""

from pathlib import Path
from typing import Any

from tests.applying.test_steps_for_people import LICENSE, PATH, RULE, SHORT, left
from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace, actions

NO_UPDATES = "profile: extended, capabilities: {license.update: false}"


def ask_for_a_name(work: Workspace, instance: Platform) -> dict[str, Any]:
    """A license whose name and seats only a person can change; returns it."""
    work.write("lmssync.yaml", EXTENDED.replace("profile: extended", NO_UPDATES))
    work.course("a")
    work.write("l.yaml", LICENSE + "seatsLimit: 3\n")
    assert 0 == work.apply().code
    work.write("l.yaml", LICENSE.replace("name: Staff", "name: Everybody\nseatsLimit: 5"))
    assert 0 == work.apply().code
    (staff,) = [one for one in instance.dump("licenses") if one["name"] == "Staff"]
    return dict(staff)


def edit(platform: Platform, license_: dict[str, Any], **fields: Any) -> None:
    platform.order("edit", {"list": "licenses", "id": license_["id"], "set": fields})


def open_fields(work: Workspace) -> list[str]:
    return [one["field"] for one in work.run("status", "--json").json["manualSteps"]]


def test_a_look_closes_the_step_whose_value_it_sees(work: Workspace, instance: Platform):
    """The other one stays, with its age; and what git asked for is no drift."""
    staff = ask_for_a_name(work, instance)
    before = work.run("status", "--json").json["manualSteps"]
    edit(instance, staff, name="Everybody")

    done = work.run("drift")

    assert (0, ["seatsLimit"]) == (done.code, open_fields(work))
    assert "Done by hand, as a read shows: license.staff: " in done.out
    assert work.run("status", "--json").json["manualSteps"][0] in before
    (change,) = work.plan()["changes"]
    assert ["seatsLimit"] == [one["field"] for one in change["manual"]]
    assert "seen" in work.run("state", "history").out


def test_another_value_than_the_asked_one_closes_nothing(work: Workspace, instance: Platform):
    """It is drift, as any edit is."""
    edit(instance, ask_for_a_name(work, instance), name="By hand")
    assert (2, ["name", "seatsLimit"]) == (work.run("drift").code, open_fields(work))


def test_a_step_that_git_takes_back_is_not_called_done(work: Workspace, instance: Platform):
    """Nobody has done it: only the next apply lets go of it."""
    ask_for_a_name(work, instance)
    work.write("l.yaml", LICENSE + "seatsLimit: 3\n")
    assert (0, ["name", "seatsLimit"]) == (work.run("drift").code, open_fields(work))


def test_what_a_list_no_longer_shows_was_deleted(work: Workspace, platform: Platform):
    """A purchase path that is gone closes its step; the rule of the course is still there."""
    left(work)
    work.apply()
    platform.delete("purchasePaths")

    done = work.run("drift", "--json")

    assert [PATH] == [one["address"] for one in done.json["closedSteps"]]
    assert [] == [one for one in done.json["findings"] if one["address"] == PATH]
    assert {RULE: "manual"} == actions(work.plan())


def test_what_comes_back_after_that_is_not_made_without_asking(work: Workspace, platform: Platform):
    """A list that was wrong must not lead to a second one."""
    left(work)
    work.apply()
    platform.delete("purchasePaths")
    work.run("drift")
    work.course("a", SHORT)
    assert "create" not in actions(work.plan()).values()
    assert 0 == work.apply("--recreate", PATH).code
    assert 1 == len(platform.dump("purchasePaths"))


def test_a_budget_counts_these_reads_as_well(work: Workspace, instance: Platform):
    """A look that may make one call closes nothing, and says what it has left."""
    edit(instance, ask_for_a_name(work, instance), name="Everybody")
    done = work.run("drift", "--budget", "1", "--json")
    assert (1, ["name", "seatsLimit"]) == (done.json["calls"], open_fields(work))


def test_status_says_who_confirms_a_step_and_how(work: Workspace, instance: Platform):
    """The owner is that of APPROVERS; a route of the instance shows it, or only a person can."""
    work.write("APPROVERS", "* course.* @ana\naccess license.* @acme/sales @bo\n")
    ask_for_a_name(work, instance)
    done = work.run("status")
    shown = "`lmssync drift` closes it when license.list shows that it is done"
    assert f"    @acme/sales; {shown}" in done.out.splitlines()
    work.write("lmssync.yaml", PROJECT)
    (name, _) = work.run("status", "--json").json["manualSteps"]
    assert ("@acme/sales", None) == (name["owner"], name["shownBy"])
    assert "no route shows it: `lmssync resolve license.staff --done`" in work.run("status").out


def test_the_story_of_the_page(work: Workspace, platform: Platform):
    """What docs/effects.md shows is what the commands print."""
    page = (Path(__file__).parents[2] / "docs/effects.md").read_text("utf-8").splitlines()
    work.write("APPROVERS", "*  path.*  @acme/sales\n")
    work.course("fire", SHORT)
    work.apply()
    work.course("fire", SHORT.splitlines()[0] + "\n")
    work.apply()
    step, how = work.run("status").out.splitlines()[-2:]
    platform.delete("purchasePaths")
    closed = work.run("drift").out.splitlines()[1]
    assert {how, closed} <= {*page}
    assert step.partition(" (since")[0] in {one.partition(" (since")[0] for one in page}


def test_a_broken_manifest_closes_nothing(work: Workspace, instance: Platform):
    """What cannot be read has not left the catalog."""
    staff = ask_for_a_name(work, instance)
    work.write("l.yaml", "resource: license\n  key: [")
    instance.order("edit", {"list": "licenses", "id": staff["id"], "delete": True})
    work.run("drift")
    assert ["name", "seatsLimit"] == open_fields(work)
