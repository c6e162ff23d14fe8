"""Who holds which licenses: giving them, taking them away, and what the platform refuses."""

import re
import signal

import pytest

from lmssync.kinds.license_assignment.assignment_calls import MINUS
from tests.patience import read_outputs
from tests.served_catalog import PROJECT, Platform, Workspace, kill_apply, wait_until

UNKNOWN, PARTIAL, INTERRUPTED = 4, 7, 130
KEEP = "enrollmentOptions: {preserveEnrollments: true, preserveProgress: true}\n"
DELETE = "enrollmentOptions: {preserveEnrollments: false, preserveProgress: false}\n"
PLANT = "7d1c0000-0000-4000-8000-000000000612"
"""A license of Brightwater with five seats, four of them taken."""
LEADERS = "7d1c0000-0000-4000-8000-000000000613"
CHLOE, GITA, IDA, JACK = "chloe.dubois", "gita.rao", "ida.berg", "jack.muller"
"""Learners of Brightwater who have neither."""


def assign(
    work: Workspace, *people: str, licenses: str = LEADERS, more: str = "", key: str = "staff"
) -> None:
    named = "".join(f"  - {{email: {person}@brightwater.example}}\n" for person in people)
    listed = f"users:\n{named}" if named else "users: []\n"
    head = f"resource: licenseAssignment\nkey: {key}\nlicenses: [{licenses}]\n"
    work.write(f"{key}.yaml", head + listed + more)


def holders(platform: Platform, license_: str = LEADERS) -> list[str]:
    """Those of the four who hold a license."""
    return sorted(
        name
        for user in platform.dump("users")
        if (name := user["email"].partition("@")[0]) in {CHLOE, GITA, IDA, JACK}
        and license_ in {held["licenseId"] for held in user["allocatedLicenses"]}
    )


def sent(platform: Platform) -> list[str]:
    return [request["body"] for request in platform.requests(route="sublicense.assign")]


def change(work: Workspace) -> dict[str, object]:
    (found,) = work.plan()["changes"]
    return dict(found)


def test_licenses_are_given_and_a_second_plan_is_empty(work: Workspace, platform: Platform) -> None:
    """Licenses are given to everybody in one call, and its job is followed to its end."""
    assign(work, CHLOE, GITA)

    assert 0 == work.apply().code
    assert ([CHLOE, GITA], 1) == (holders(platform), len(sent(platform)))
    assert [] == work.plan()["changes"]


def test_who_is_added_gets_them_and_who_left_loses_them(
    work: Workspace, platform: Platform
) -> None:
    """Only the difference is sent; people who stay are not in it."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, GITA, IDA, more=KEEP)

    assert 0 == work.apply().code
    assert [GITA, IDA] == holders(platform)
    assert GITA not in sent(platform)[1]
    assert [] == work.plan()["changes"]


def test_nobody_loses_a_license_before_it_is_said_how(work: Workspace, platform: Platform) -> None:
    """Without `enrollmentOptions` the change is blocked, and says what to write."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, GITA)

    found = change(work)

    assert ("blocked", True) == (found["action"], "enrollmentOptions" in str(found["reasons"]))
    assert PARTIAL == work.apply().code
    assert [CHLOE, GITA] == holders(platform)


def test_deleted_progress_is_of_the_class_progress(work: Workspace) -> None:
    """The reason says that deleted progress cannot be brought back."""
    assign(work, CHLOE, GITA, more=DELETE)
    work.apply()
    assign(work, GITA, more=DELETE)

    found = change(work)

    assert ("progress", True) == (found["effect"], "permanently deleted" in str(found["reasons"]))


def test_kept_progress_is_a_matter_of_access(work: Workspace) -> None:
    """The plan counts who gains and loses, and names them by line, or by code if there is none."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, GITA, IDA, JACK, more=KEEP)

    found = change(work)
    gained, lost, people = map(str, found["reasons"])  # type: ignore[call-overload]

    assert "access" == found["effect"]
    assert "2 people will gain licenses" == gained
    assert lost.startswith("1 person will lose licenses: what only these licenses opened becomes")
    assert lost.endswith("a learning path or a purchase opens stays, and so do certificates")
    assert re.fullmatch(
        rf"\+2 people \(staff\.yaml:6-7\), {MINUS}1 person \(person [0-9a-f]{{16}}\)", people
    )


def test_a_new_license_goes_to_everybody(work: Workspace, platform: Platform) -> None:
    """A license that is added to the assignment is added for everybody listed in it."""
    assign(work, CHLOE)
    work.apply()
    assign(work, CHLOE, licenses=f"{LEADERS}, {PLANT}")

    assert ["licenses"] == [field["path"] for field in work.plan()["changes"][0]["fields"]]
    assert 0 == work.apply().code
    assert [CHLOE] == holders(platform, PLANT)


def test_an_empty_list_takes_it_from_everybody(work: Workspace, platform: Platform) -> None:
    """An empty list takes the license from everybody, and then nothing is left to do."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, more=KEEP)

    assert 0 == work.apply().code
    assert [] == holders(platform)
    assert [] == work.plan()["changes"]


def test_an_empty_list_from_the_start_asks_for_nothing(work: Workspace, platform: Platform) -> None:
    """If the list was empty from the start no call is made, and the plan says why."""
    assign(work)

    assert "unchanged" == change(work)["action"]
    assert 0 == work.apply().code
    assert [] == sent(platform)


def test_what_leaves_the_catalog_takes_nothing_away(work: Workspace, platform: Platform) -> None:
    """An assignment that leaves the catalog is no longer managed, and all keep their licenses."""
    assign(work, CHLOE)
    work.apply()
    (work.root / "staff.yaml").unlink()

    assert "forget" == change(work)["action"]
    assert 0 == work.apply().code
    assert [CHLOE] == holders(platform)


def test_whom_the_platform_does_not_know_is_told(work: Workspace, platform: Platform) -> None:
    """If one person is unknown the others get theirs, and the next plan asks only for that one."""
    assign(work, CHLOE, "nobody")

    done = work.apply("--json")

    assert PARTIAL == done.code
    assert done.json["failures"][0]["message"].startswith("staff.yaml:6: unknown to the platform")
    assert [CHLOE] == holders(platform)
    assert [{"path": "users", "before": "1 person", "after": "2 people (+1)"}] == change(work)[
        "fields"
    ]
    assert PARTIAL == work.apply().code
    assert CHLOE not in sent(platform)[1]


def test_who_gained_nothing_is_not_announced_again(work: Workspace) -> None:
    """After a run that gave somebody nothing, the plan says why, and no guard stops the rest."""
    work.write("lmssync.yaml", PROJECT + "guards: {published: error}\n")
    assign(work, CHLOE, "nobody")
    work.apply()

    done = work.run("plan")

    assert "the platform did not know 1 person at the last apply" in " ".join(done.out.split())
    assert (0, False, False) == (done.code, "will gain" in done.out, "missed" in done.out)
    assign(work, CHLOE, "nobody", GITA)
    assert "1 person will gain licenses" in work.run("plan").out
    assert 3 == work.apply().code


def test_who_is_unknown_and_goes_leaves_nothing_to_do(work: Workspace) -> None:
    """An account that was deleted on the platform has nothing that could be taken away."""
    assign(work, CHLOE, "nobody")
    work.apply()
    assign(work, CHLOE)

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_too_few_seats_fail_the_whole_job(work: Workspace, platform: Platform) -> None:
    """With too few seats nothing is changed or recorded, and the platform's words are shown."""
    assign(work, CHLOE, GITA, licenses=PLANT)

    done = work.apply("--json")

    assert (PARTIAL, "failed") == (done.code, done.json["failures"][0]["outcome"])
    assert "has 5 seats; 6 would be taken" in done.json["failures"][0]["message"]
    assert [] == holders(platform, PLANT)
    assert "create" == change(work)["action"]


def test_a_feature_that_is_missing_stops_nothing_else(work: Workspace, platform: Platform) -> None:
    """The platform's words are shown (spec 4), and the changes that follow are still made."""
    platform.order("features", {"advancedClients": False})
    target = "{url: 'https://shop.example.com/a', title: Shop}"
    work.course("a", f"purchasePaths: [{{id: p, label: Buy here, target: {target}}}]\n")
    assign(work, CHLOE)

    done = work.apply("--json")

    assert (PARTIAL, None) == (done.code, done.json["error"])
    assert ["assignment.staff"] == [failure["address"] for failure in done.json["failures"]]
    assert 1 == len(platform.dump("purchasePaths"))


def test_a_seat_given_back_is_taken_in_the_same_call(work: Workspace, platform: Platform) -> None:
    """In a full license, one person can take the seat of another in the same call."""
    assign(work, CHLOE, licenses=PLANT)
    work.apply()
    assign(work, GITA, licenses=PLANT, more=KEEP)

    assert 0 == work.apply().code
    assert [GITA] == holders(platform, PLANT)


NEW = """\
resource: license
key: new
client: brightwater
name: New
courses: [a]
learningPaths: []
courseTags: []
"""


def test_an_assignment_waits_for_its_license(work: Workspace, platform: Platform) -> None:
    """A new license of the same catalog is made before it is assigned."""
    work.course("a")
    work.write("license.yaml", NEW)
    assign(work, CHLOE, licenses="new")

    assert 0 == work.apply().code
    (made,) = [one["id"] for one in platform.dump("licenses") if one["name"] == "New"]
    assert [CHLOE] == holders(platform, made)


def test_a_license_under_another_name_is_not_taken_away(
    work: Workspace, platform: Platform
) -> None:
    """A license first named by uuid and now by key is kept, and not taken away."""
    work.course("a")
    work.write("license.yaml", NEW)
    work.apply()
    (made,) = [one["id"] for one in platform.dump("licenses") if one["name"] == "New"]
    assign(work, CHLOE, licenses=made)
    work.apply()
    assign(work, CHLOE, licenses="new", more=DELETE)

    assert 0 == work.apply().code
    assert [CHLOE] == holders(platform, made)
    assert [] == work.plan()["changes"]


def test_a_license_under_a_new_key_changes_nothing(work: Workspace, platform: Platform) -> None:
    """A license under a new key is the same license: nobody loses it, and nothing is sent."""
    work.course("a")
    work.write("license.yaml", NEW)
    assign(work, CHLOE, licenses="new")
    work.apply()
    work.write("license.yaml", NEW.replace("key: new", "key: newer\nmoved: [{from: license.new}]"))
    assign(work, CHLOE, licenses="newer")

    assert 0 == work.apply().code
    assert 1 == len(sent(platform))
    assert [] == work.plan()["changes"]


def test_assignments_never_share_a_call(work: Workspace, platform: Platform) -> None:
    """Two assignments never share a call, since each request has one rule for enrollments."""
    assign(work, CHLOE, key="one")
    assign(work, GITA, key="two")

    assert 0 == work.apply().code
    assert (2, [CHLOE, GITA]) == (len(sent(platform)), holders(platform))


def test_people_of_a_file(work: Workspace, platform: Platform) -> None:
    """It makes no difference in which file people are listed, or in which order."""
    assign(work, CHLOE, GITA)
    work.apply()
    work.write(
        "staff.csv",
        "\ufeffexternalCustomerId,email\r\n,GITA.rao@brightwater.example\r\n"
        ",chloe.dubois@brightwater.example\r\n",
    )
    head = f"resource: licenseAssignment\nkey: staff\nlicenses: [{LEADERS}]\n"
    work.write("staff.yaml", f"{head}usersFile: staff.csv\n")

    assert [] == work.plan()["changes"]


def test_a_person_by_another_identifier_is_the_same(work: Workspace, platform: Platform) -> None:
    """A person who is listed by another identifier is not removed and added again."""
    assign(work, CHLOE)
    work.apply()
    user = "{id: 7d1c0000-0000-4000-8000-000000000410, email: chloe.dubois@brightwater.example}"
    head = f"resource: licenseAssignment\nkey: staff\nlicenses: [{LEADERS}]\n"
    work.write("staff.yaml", f"{head}users: [{user}]\n")

    assert "unchanged" == change(work)["action"]
    assert 0 == work.apply().code
    assert (1, []) == (len(sent(platform)), work.plan()["changes"])


def many(work: Workspace, count: int, *, more: str = "", licenses: str = LEADERS) -> None:
    """A file of people of whom the platform knows only three, at both ends."""
    rows = [f"p{n}@x.example" for n in range(count)]
    known = [f"{name}@brightwater.example" for name in (CHLOE, GITA, JACK)]
    work.write("staff.csv", "\n".join(["email", *known[:1], *rows, *known[1:]]) + "\n")
    head = f"resource: licenseAssignment\nkey: staff\nlicenses: [{licenses}]\n"
    work.write("staff.yaml", f"{head}usersFile: staff.csv\n{more}")


@pytest.mark.slow
def test_more_people_than_a_call_takes(work: Workspace, platform: Platform) -> None:
    """A large list goes in calls of at most 5,000, and all people who are known get the license."""
    many(work, 5_500)

    assert PARTIAL == work.apply().code
    sizes = [body.count('"email"') for body in sent(platform)]
    assert [5000, 503] == sizes
    assert [CHLOE, GITA, JACK] == holders(platform)
    assert "5,503 people (+5,500)" == work.plan()["changes"][0]["fields"][0]["after"]


@pytest.mark.parametrize("route", ["sublicense.assign", "job.read"])
def test_a_killed_run_goes_on_where_it_was(work: Workspace, platform: Platform, route: str) -> None:
    """kill -9 between the call and the end of its job: nothing is lost, and nothing that was
    acknowledged is sent again."""
    assign(work, CHLOE, GITA)
    kill_apply(work, platform, route)

    assert 0 == work.apply().code
    assert [CHLOE, GITA] == holders(platform)
    assert (1 if route == "job.read" else 2) == len(sent(platform))
    assert [] == work.plan()["changes"]


@pytest.mark.slow
def test_a_job_that_failed_after_a_kill_is_not_recorded(
    work: Workspace, platform: Platform
) -> None:
    """The next run learns from the job that it failed, tries again and says so."""
    assign(work, CHLOE, GITA, licenses=PLANT)
    kill_apply(work, platform, "job.read")

    done = work.apply("--json")

    assert (PARTIAL, "failed") == (done.code, done.json["failures"][0]["outcome"])
    assert "create" == change(work)["action"]


@pytest.mark.parametrize("action", ["drop-after", "drop-before", "garbage"])
def test_a_lost_answer_is_made_good_by_sending_again(
    work: Workspace, platform: Platform, action: str
) -> None:
    """Who holds the licenses already is left alone (spec 4, rule 7), so a repeat does no harm."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, GITA, IDA, more=KEEP)
    platform.order("faults", {"action": action, "route": "sublicense.assign"})

    assert (UNKNOWN, 0) == (work.apply().code, work.apply().code)
    assert [GITA, IDA] == holders(platform)
    assert [] == work.plan()["changes"]


@pytest.mark.slow
def test_an_interrupt_does_not_wait_for_a_slow_job(work: Workspace, platform: Platform) -> None:
    """The job is in the journal, and the next run follows it to its end."""
    platform.order("switches", {"jobSeconds": 100})
    assign(work, CHLOE)
    process = work.start("apply", "--yes")
    _wait_for_job(platform)
    process.send_signal(signal.SIGINT)
    read_outputs(process)

    assert INTERRUPTED == process.returncode
    platform.order("clock", {"advanceSeconds": 200})
    assert 0 == work.apply().code
    assert ([CHLOE], 1) == (holders(platform), len(sent(platform)))


def test_a_saved_plan_says_the_same(work: Workspace, platform: Platform) -> None:
    """A saved plan holds everything that the calls need."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, GITA, IDA, more=KEEP)
    file = str(work.root / "p.json")
    work.run("plan", "--out", file)

    assert 0 == work.run("apply", file).code
    assert [GITA, IDA] == holders(platform)
    assert [] == work.plan()["changes"]


def _wait_for_job(platform: Platform) -> None:
    """Waits until the job exists and was asked for."""

    def asked() -> bool:
        works = [job["work"] for job in platform.dump("jobs")]
        return "sublicense" in works and bool(platform.requests(route="job.read"))

    wait_until(asked, "the job")
