"""A license is updated by a call where the instance has one (O32)."""

from typing import Any

import orjson
import pytest

from lmssync.applying.apply import run
from tests.answer_proxy import answer_proxy
from tests.planning.test_changes_by_people import planned
from tests.served_catalog import EXTENDED, Platform, Workspace

from .test_course_updates import LICENSE as OF_STAFF

LICENSE = OF_STAFF + "seatsLimit: 5\n"
REPLACED = LICENSE.replace("[a]", "[b]") + "replaceCourseIds: true\n"


@pytest.fixture
def licensed(work: Workspace, instance: Platform) -> Workspace:
    """Two courses and a license of one of them, applied to an extended instance."""
    set_up(work)
    return work


def set_up(work: Workspace) -> None:
    work.course("a")
    work.course("b")
    work.write("l.yaml", LICENSE)
    assert 0 == work.apply().code


def changed(work: Workspace, old: str, new: str, *args: str) -> Any:
    """The planned change of the license once its manifest was edited."""
    work.write("l.yaml", LICENSE.replace(old, new))
    return planned(work, *args)


def license_(platform: Platform, name: str = "Staff") -> Any:
    """The license as the platform has it, its courses by their titles."""
    titles = {course["id"]: course["title"] for course in platform.dump("courses")}
    (found,) = [one for one in platform.dump("licenses") if one["name"] == name]
    return found | {"courses": [titles[id_] for id_ in found["courseIds"]]}


def edit(platform: Platform, **fields: Any) -> None:
    """Somebody changes the license in the admin interface."""
    id_ = license_(platform)["id"]
    platform.order("edit", {"list": "licenses", "id": id_, "set": fields})


def body(platform: Platform) -> Any:
    (request,) = platform.requests(route="license.update")
    return orjson.loads(request["body"])


def test_a_value_of_a_license_is_sent(licensed: Workspace, instance: Platform) -> None:
    """A value that differs is sent with what an update needs: nothing is appended (O32)."""
    assert "update" == changed(licensed, "name: Staff", "name: All staff")["action"]
    assert 0 == licensed.apply().code
    lists = {"courseIds": [], "learningPathIds": [], "courseTagIds": []}
    assert {"name": "All staff", "seatsLimit": 5, **lists} == body(instance)
    assert [] == licensed.plan()["changes"]


def test_a_list_that_grows_is_appended_to(licensed: Workspace, instance: Platform) -> None:
    """Only what is new is sent: the platform appends it (O32)."""
    changed(licensed, "[a]", "[a, b]")
    assert 0 == licensed.apply().code
    assert 1 == len(body(instance)["courseIds"])
    assert ["Title of a", "Title of b"] == license_(instance)["courses"]
    assert [] == licensed.plan("--refresh", "all")["changes"]


def test_what_leaves_a_list_is_a_step_for_a_person(licensed: Workspace, instance: Platform) -> None:
    """Without the flag nothing is taken out of a list, not even with `--allow`."""
    change = changed(licensed, "[a]", "[b]", "--allow", "license.staff")
    assert ("manual", ["courses"]) == (change["action"], [s["field"] for s in change["manual"]])
    assert "`replaceCourseIds: true` in the manifest" in change["manual"][0]["text"]
    licensed.apply("--allow", "license.staff")
    assert [] == instance.requests(route="license.update")


def test_a_list_is_replaced_on_demand_only(licensed: Workspace, instance: Platform) -> None:
    """The flag in the manifest needs `--allow`, since it reaches beyond the license (spec 4)."""
    licensed.write("l.yaml", REPLACED)
    assert "manual" == planned(licensed)["action"]

    change = planned(licensed, "--allow", "license.staff")

    assert ("update", "access") == (change["action"], change["effect"])
    assert "takes away every other course assignment" in str(change["reasons"])
    assert 0 == licensed.apply("--allow", "license.staff").code
    assert ["Title of b"] == license_(instance)["courses"]
    assert [] == licensed.plan()["changes"]


def test_a_flag_of_old_is_told_again(licensed: Workspace, instance: Platform) -> None:
    """A flag that has been in the manifest for long takes away as much when it is sent again."""
    licensed.write("l.yaml", REPLACED.replace("[b]", "[a, b]"))
    licensed.apply("--allow", "license.staff")
    licensed.write("l.yaml", REPLACED)
    reasons = planned(licensed, "--allow", "license.staff")["reasons"]
    assert 1 == str(reasons).count("takes away every other course assignment")


def test_no_limit_is_sent_as_such(licensed: Workspace, instance: Platform) -> None:
    """`seatsLimit: null` is sent as 0, which is unlimited (O32)."""
    changed(licensed, "seatsLimit: 5", "seatsLimit: null")
    assert 0 == licensed.apply().code
    assert (0, None) == (body(instance)["seatsLimit"], license_(instance).get("seatsLimit"))
    assert [] == licensed.plan()["changes"]


def test_seats_that_nobody_manages_are_not_lost(licensed: Workspace, instance: Platform) -> None:
    """An update without `seatsLimit` would lift a limit (O32): then a person makes the change."""
    licensed.write("l.yaml", LICENSE.replace("seatsLimit: 5\n", "").replace("Staff", "All staff"))
    change = planned(licensed)
    assert "manual" == change["action"]
    assert "write `seatsLimit` into the manifest" in change["manual"][0]["text"]


def test_null_is_not_believed_to_clear(licensed: Workspace, instance: Platform) -> None:
    """That null clears a field is known of courses alone (O2)."""
    changed(licensed, "seatsLimit: 5", "seatsLimit: 5\nlabel: Old")
    licensed.apply()
    change = changed(licensed, "seatsLimit: 5", "seatsLimit: 5\nlabel: null")
    assert "from `Old` to nothing: no call is known to clear it" in change["manual"][0]["text"]


def test_a_license_that_leaves_stays(licensed: Workspace, instance: Platform) -> None:
    """A license is never deleted, though the instance has a route for it (O33)."""
    (licensed.root / "l.yaml").unlink()
    assert "forget" == planned(licensed)["action"]
    assert 0 == licensed.apply().code
    assert [] == instance.requests(route="license.delete")
    assert "Staff" == license_(instance)["name"]


def test_an_update_leaves_what_people_have_changed(licensed: Workspace, instance: Platform) -> None:
    """A limit that somebody has set by hand is sent as they have set it."""
    edit(instance, seatsLimit=9)
    changed(licensed, "[a]", "[a, b]")
    assert 0 == licensed.apply().code
    assert 9 == license_(instance)["seatsLimit"]


def test_without_the_list_nothing_is_sent(licensed: Workspace, instance: Platform) -> None:
    """If licenses cannot be read, nobody knows what an update would overwrite."""
    without = EXTENDED.replace("extended", "extended, capabilities: {license.list: false}")
    licensed.write("lmssync.yaml", without)
    assert "manual" == changed(licensed, "Staff", "All staff")["action"]


def test_a_saved_plan_updates_a_license(licensed: Workspace, instance: Platform) -> None:
    """A saved plan has the call as it was shown, with what was allowed."""
    licensed.write("l.yaml", REPLACED)
    assert 0 == licensed.run("plan", "--out", "p.json", "--allow", "license.staff").code
    done = licensed.run("apply", "p.json")
    assert 0 == done.code, done.err
    assert ["Title of b"] == license_(instance)["courses"]


def test_a_saved_plan_is_stale_once_somebody_edits(licensed: Workspace, instance: Platform) -> None:
    """What an update sends along must be as the plan has seen it."""
    changed(licensed, "[a]", "[a, b]")
    licensed.run("plan", "--out", "p.json")
    edit(instance, seatsLimit=9)
    done = licensed.run("apply", "p.json")
    assert "seatsLimit" in done.err
    assert 9 == license_(instance)["seatsLimit"]


def test_what_the_platform_has_not_done_stays_planned(
    work: Workspace, instance: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that is accepted and changes nothing is no success: the list shows what there is."""
    monkeypatch.setattr(run, "PATIENCE", 0.3)
    with answer_proxy(instance.base_url) as way:
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        set_up(work)
        way.bend("license.list", {"licenses": [license_(instance)]})
        changed(work, "seatsLimit: 5", "seatsLimit: 6")
        done = work.apply()
        assert "the platform accepted the call, but shows another value of `seatsLimit`" in done.out
        (field,) = planned(work)["fields"]
        assert {"path": "seatsLimit", "before": 5, "after": 6} == field


def test_a_read_that_lags_is_repeated(licensed: Workspace, instance: Platform) -> None:
    """What an update has done may show a little later (O31)."""
    changed(licensed, "seatsLimit: 5", "seatsLimit: 6")
    instance.order("switches", {"readLagSeconds": 0.3})
    done = licensed.apply()
    instance.order("switches", {"readLagSeconds": 0})
    assert 0 == done.code, done.out


def test_an_update_is_proven(licensed: Workspace, instance: Platform) -> None:
    """What the list shows after an update is a proof, for the plans after it."""
    changed(licensed, "seatsLimit: 5", "seatsLimit: 6")
    licensed.apply()
    truth = licensed.plan()["truth"]
    assert truth["proven"] >= len(["client", "name", "courses", "seatsLimit"])


def test_a_lost_answer_is_no_second_change(licensed: Workspace, instance: Platform) -> None:
    """An update whose answer was lost is compared with what there is, and not left open."""
    changed(licensed, "[a]", "[a, b]")
    instance.fault("drop-after", "license.update")
    assert 0 != licensed.apply().code
    assert 0 == licensed.apply().code
    assert ["Title of a", "Title of b"] == license_(instance)["courses"]
    assert [] == licensed.plan()["changes"]


def test_a_limit_that_is_left_to_others_is_not_sent(
    licensed: Workspace, instance: Platform
) -> None:
    """A call would send the limit of the last apply in the place of theirs: a person changes it."""
    licensed.write("l.yaml", LICENSE + "lifecycle: {ignore: [seatsLimit]}\n")
    licensed.apply()
    edit(instance, seatsLimit=9)
    licensed.write(
        "l.yaml", LICENSE.replace("[a]", "[a, b]") + "lifecycle: {ignore: [seatsLimit]}\n"
    )
    change = planned(licensed)
    assert "manual" == change["action"]
    assert "`seatsLimit`, which `lifecycle.ignore` leaves to others" in change["manual"][0]["text"]
