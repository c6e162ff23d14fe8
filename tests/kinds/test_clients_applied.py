"""A client is cloned only once, whatever breaks, and what belongs to it waits for it."""

import re
import sqlite3
from pathlib import Path

import pytest

from lmssync.state import sealed_rows
from tests.patience import read_outputs
from tests.served_catalog import Platform, Workspace, actions, kill_apply, wait_until

UNKNOWN, PARTIAL = 4, 7
CLIENT = """\
resource: client
key: river
cloneOf: golden
name: Riverside
slug: riverside
"""
LICENSE = """\
resource: license
key: staff
client: river
name: Riverside staff
courses: [a]
learningPaths: []
courseTags: []
"""


def write(work: Workspace, text: str = CLIENT) -> None:
    work.write("client.yaml", text)


def clients(platform: Platform) -> list[str]:
    """Slugs of the clients that were not there from the start."""
    slugs = {client["slug"] for client in platform.dump("clients")}
    return sorted(slugs - {"golden", "acme", "brightwater", "hillside"})


def asked(work: Workspace) -> list[tuple[str, str]]:
    """Addresses and fields of all steps that the plan leaves to people."""
    changes = work.plan()["changes"]
    return [(one["address"], step["field"]) for one in changes for step in one["manual"]]


CHECKLIST = [("client.river", "notCopied")]
"""What is left once a clone has been made and everything else is as the catalog wants it."""
LEFT = {"client.river": "manual"}


def test_settings_that_no_clone_brings_are_steps_until_they_are_set(
    work: Workspace, platform: Platform
) -> None:
    """Each with the value of the manifest. What the list of clients shows needs no confirmation."""
    write(work, CLIENT + "sku: CL-1\nseatsLimit: 40\n")
    work.apply()
    settings = [("client.river", "sku"), ("client.river", "seatsLimit")]
    assert [*settings, *CHECKLIST] == asked(work)
    (id_,) = [one["id"] for one in platform.dump("clients") if one["slug"] == "riverside"]
    platform.order("edit", {"list": "clients", "id": id_, "set": {"sku": "CL-1"}})
    assert [*settings[1:], *CHECKLIST] == asked(work)
    assert 0 == work.run("resolve", "client.river", "--done").code
    assert [] == asked(work)
    write(work, CLIENT + "sku: CL-1\nseatsLimit: 50\n")
    (change,) = work.plan()["changes"]
    assert "from `40` to `50`" in change["manual"][0]["text"]


def in_state(work: Workspace, change: str) -> None:
    """Changes the state as if something had happened that takes too long for a test."""
    with sqlite3.connect(work.root / ".lmssync" / "state.db") as state:
        sealed_rows.seal_writes(state)
        state.execute(change)
    state.close()


def test_a_client_is_cloned_and_a_second_plan_sends_nothing(
    work: Workspace, platform: Platform
) -> None:
    """The job is followed to its end, and the new client is found by its slug."""
    write(work)

    assert {"client.river": "create"} == actions(work.plan())
    assert 0 == work.apply().code
    assert ["riverside"] == clients(platform)
    assert LEFT == actions(work.plan())


def test_its_id_is_that_of_the_new_client(work: Workspace, platform: Platform) -> None:
    """The id is not the job's, nor that of a client whose slug contains the new slug."""
    shorter = CLIENT.replace("key: river", "key: r").replace("riverside", "river")
    write(work, f"{CLIENT}---\n{shorter}")
    assert 0 == work.apply().code

    made = {client["slug"]: client["id"] for client in platform.dump("clients")}
    resources = work.run("state", "list", "--json").json["resources"]
    ids = {found["address"]: found["ids"]["id"] for found in resources}

    assert {"client.river": made["riverside"], "client.r": made["river"]} == ids


def test_a_license_waits_for_its_client(work: Workspace, platform: Platform) -> None:
    """A key in the catalog wins over a slug, so the client is made before its license."""
    work.course("a")
    write(work)
    work.write("license.yaml", LICENSE)

    assert 0 == work.apply().code
    (client,) = [one for one in platform.dump("clients") if one["slug"] == "riverside"]
    (license_,) = [one for one in platform.dump("licenses") if one["name"] == "Riverside staff"]
    assert client["id"] == license_["clientId"]
    assert LEFT == actions(work.plan())


def test_a_license_is_never_made_in_a_client_that_only_has_the_slug(
    work: Workspace, platform: Platform
) -> None:
    """The key `acme` is a client of the catalog that could not be made; the platform has another
    `acme`, which is not meant."""
    work.course("a")
    write(work, CLIENT.replace("key: river", "key: acme").replace("slug: riverside", "slug: acme"))
    work.write("license.yaml", LICENSE.replace("client: river", "client: acme"))

    done = work.apply("--json")

    assert {"client.acme": "failed", "license.staff": "skipped"} == {
        failure["address"]: failure["outcome"] for failure in done.json["failures"]
    }
    assert [] == platform.requests(route="license.create")


def test_a_slug_names_a_client_that_is_not_in_the_catalog(
    work: Workspace, platform: Platform
) -> None:
    """A slug may even be the key of a client that has left the catalog."""
    work.course("a")
    write(work, CLIENT.replace("key: river", "key: acme"))
    work.apply()
    (work.root / "client.yaml").unlink()
    work.write("license.yaml", LICENSE.replace("client: river", "client: acme"))
    assert 0 == work.apply().code

    (acme,) = [one["id"] for one in platform.dump("clients") if one["slug"] == "acme"]
    (license_,) = [one for one in platform.dump("licenses") if one["name"] == "Riverside staff"]

    assert acme == license_["clientId"]


def test_a_client_is_cloned_of_a_client_of_the_catalog(work: Workspace, platform: Platform) -> None:
    """A client and its clone can be made in one plan, one after the other."""
    second = CLIENT.replace("river", "delta").replace("golden", "river").replace("River", "Delta")
    write(work, f"{second}---\n{CLIENT}")

    assert 0 == work.apply().code
    assert ["deltaside", "riverside"] == clients(platform)


def test_a_taken_slug_is_refused_and_told(work: Workspace) -> None:
    """The platform takes each slug once (spec 7)."""
    write(work, CLIENT.replace("slug: riverside", "slug: acme"))

    done = work.apply("--json")

    assert PARTIAL == done.code
    assert "already exists" in done.json["failures"][0]["message"]


def test_a_job_that_fails_has_made_nothing(work: Workspace, platform: Platform) -> None:
    """The client is reported as failed, with the words of the job; the next run tries again."""
    platform.order("switches", {"jobSeconds": 3000})
    write(work)
    process = work.start("apply", "--yes")
    wait_until(lambda: bool(platform.dump("jobs")), "the job")
    platform.delete("clients", slug="golden")
    platform.order("clock", {"advanceSeconds": 3000})
    out, _ = read_outputs(process)

    assert (PARTIAL, True) == (process.returncode, b"no longer exists" in out)
    assert [] == clients(platform)


@pytest.mark.slow
@pytest.mark.parametrize("route", ["client.clone", "job.read", "client.list"])
def test_a_killed_run_goes_on_where_it_was(work: Workspace, platform: Platform, route: str) -> None:
    """kill -9 between the call and the end of its job: one client, and its checklist is there."""
    write(work)
    nth = 3 if route == "client.list" else 1
    kill_apply(work, platform, route, nth=nth)

    assert 0 == work.apply().code
    assert ["riverside"] == clients(platform)
    assert 1 == len(platform.requests(route="client.clone"))
    assert CHECKLIST == asked(work)


@pytest.mark.slow
def test_a_job_that_nobody_knows_any_more(work: Workspace, platform: Platform) -> None:
    """If the job is not known any more, the slug shows what it has made."""
    write(work)
    kill_apply(work, platform, "job.read")
    platform.order("clock", {"advanceSeconds": 60})
    in_state(
        work,
        "UPDATE operation SET answer = json_set(answer, '$.data.APICloneClient.id', 'forgotten')",
    )

    assert 0 == work.apply().code
    assert (["riverside"], 1) == (clients(platform), len(platform.requests(route="client.clone")))


@pytest.mark.parametrize("action", ["drop-after", "cut", "garbage"])
def test_a_lost_answer_is_settled_by_the_slug(
    work: Workspace, platform: Platform, action: str
) -> None:
    """The platform keeps slugs unique, so an existing slug settles a lost answer."""
    write(work)
    platform.order("faults", {"action": action, "route": "client.clone"})

    assert (UNKNOWN, 0) == (work.apply().code, work.apply().code)
    assert 1 == len(platform.requests(route="client.clone"))
    assert LEFT == actions(work.plan())


def test_an_absent_slug_says_nothing_while_a_job_may_run(
    work: Workspace, platform: Platform
) -> None:
    """If the answer was lost and the job may still run, the client is not made again."""
    platform.order("switches", {"jobSeconds": 3000})
    write(work)
    platform.order("faults", {"action": "drop-after", "route": "client.clone"})

    assert (UNKNOWN, UNKNOWN) == (work.apply().code, work.apply().code)
    assert 1 == len(platform.requests(route="client.clone"))


def test_an_absent_slug_is_evidence_once_no_job_can_run(
    work: Workspace, platform: Platform
) -> None:
    """If the slug is absent and no job can run any more, the call is made again."""
    write(work)
    platform.order("faults", {"action": "drop-before", "route": "client.clone"})
    work.apply()
    in_state(work, "UPDATE operation SET started_at = '2020-01-01T00:00:00Z'")

    assert 0 == work.apply().code
    assert ["riverside"] == clients(platform)


def test_a_person_may_adopt_it_by_its_id(work: Workspace, platform: Platform) -> None:
    """A client can only be adopted if its slug and name are those of the manifest."""
    write(work)
    platform.order("faults", {"action": "drop-after", "route": "client.clone"})
    work.apply()
    platform.order("clock", {"advanceSeconds": 60})
    made = {one["slug"]: one["id"] for one in platform.dump("clients")}

    other = work.run("resolve", "client.river", "--adopt", made["acme"])
    assert (64, True) == (other.code, f"it shows: {made['riverside']}" in other.err)
    assert 0 == work.run("resolve", "client.river", "--adopt", made["riverside"]).code
    assert LEFT == actions(work.plan())


def test_an_answer_without_its_job_is_not_believed(work: Workspace, platform: Platform) -> None:
    """If the answer names no job, the next run looks for the slug."""
    write(work)
    platform.order("faults", {"action": "garbage", "route": "client.clone"})

    done = work.apply("--json")

    assert (UNKNOWN, "unknown") == (done.code, done.json["failures"][0]["outcome"])


def test_changes_of_a_client_are_steps_for_a_person(work: Workspace) -> None:
    """No route changes a client, so each change is a step until somebody confirms it."""
    write(work)
    work.apply()
    write(work, CLIENT.replace("Riverside", "River").replace("riverside", "river"))

    (change,) = work.plan()["changes"]

    assert ("manual", ["name", "slug", "notCopied"]) == (
        change["action"],
        [step["field"] for step in change["manual"]],
    )
    assert 0 == work.run("resolve", "client.river", "--done").code
    assert {} == actions(work.plan())


def test_a_name_changed_in_two_places_is_a_conflict(work: Workspace, platform: Platform) -> None:
    """A read shows names and slugs, so a change on the platform is not overwritten unseen."""
    write(work)
    work.apply()
    (made,) = [one["id"] for one in platform.dump("clients") if one["slug"] == "riverside"]
    platform.order("edit", {"list": "clients", "id": made, "set": {"name": "By hand"}})
    write(work, CLIENT.replace("Riverside", "From git"))

    (change,) = work.plan()["changes"]

    assert ("blocked", True) == (change["action"], "By hand" in change["reasons"][0])


def test_what_a_clone_does_not_bring_is_told(work: Workspace) -> None:
    """The plan that makes a clone lists all eleven things it lacks (spec 4, clone rule 5)."""
    write(work)

    (step,) = work.plan()["changes"][0]["manual"]

    assert "notCopied" == step["field"]
    assert all(word in step["text"] for word in ("seatsLimit", "customHost", "enrollments"))


def test_the_checklist_stays_until_somebody_says_that_it_is_done(work: Workspace) -> None:
    """The checklist stays in every plan, however many applies and other steps come between."""
    write(work)
    work.apply()

    work.apply()

    assert (CHECKLIST, 1) == (asked(work), work.plan()["summary"]["manual"])
    assert 0 == work.run("resolve", "client.river", "--done").code
    assert ([], {}) == (asked(work), actions(work.plan()))


def test_an_open_checklist_is_no_change(work: Workspace) -> None:
    """An open checklist is shown below a plan but does not count as a change."""
    write(work)
    work.apply()

    done = work.run("plan", "--detailed-exitcode")

    assert 0 == done.code
    assert (
        "No changes: 1 resource is as last applied; the platform was not asked.\n"
        "  ! “Riverside”  by hand, structural  client.river" in done.out
    )
    assert re.search(r"\nNext: 1 step by hand \(`lmssync resolve client.river --done`", done.out)


def test_an_open_checklist_does_not_hide_what_people_have_changed(
    work: Workspace, platform: Platform
) -> None:
    """A name that was changed by hand is told beside the steps that are open."""
    write(work)
    work.apply()
    (made,) = [one["id"] for one in platform.dump("clients") if one["slug"] == "riverside"]
    platform.order("edit", {"list": "clients", "id": made, "set": {"name": "By hand"}})

    (change,) = work.run("plan", "--refresh", "all", "--json").json["changes"]

    assert ("manual", ["name"]) == (change["action"], [one["path"] for one in change["drift"]])


def test_a_saved_plan_does_not_open_it_again(work: Workspace) -> None:
    """A checklist confirmed after the plan was saved is not opened again by it."""
    write(work)
    work.apply()
    work.run("plan", "--out", "p.json")
    work.run("resolve", "client.river", "--done")

    assert 0 == work.run("apply", "p.json").code
    assert [] == work.run("state", "list", "--json").json["manual"]


def test_the_checklist_moves_along(work: Workspace) -> None:
    """The checklist belongs to the client and moves to its new key."""
    write(work)
    work.apply()
    write(work, CLIENT.replace("key: river", "key: r") + "moved: [{from: client.river}]\n")

    moving = asked(work)
    work.apply()

    assert [("client.r", "notCopied")] == moving == asked(work)
    assert 0 == work.run("resolve", "client.r", "--done").code
    assert {} == actions(work.plan())


def test_the_checklist_comes_back_with_its_client(work: Workspace) -> None:
    """Letting a client go reports its open step, which is asked for again when it returns."""
    write(work)
    work.apply()
    (work.root / "client.yaml").unlink()

    (change,) = work.plan()["changes"]
    work.apply()

    assert ("forget", []) == (change["action"], change["manual"])
    assert "a manual step is still open" in change["reasons"][-1]
    assert ([], []) == (asked(work), work.run("state", "list", "--json").json["manual"])
    write(work)
    assert ({"client.river": "adopt"}, CHECKLIST) == (actions(work.plan()), asked(work))


def test_a_client_that_is_not_managed_any_more_has_no_checklist(work: Workspace) -> None:
    """`state forget` lists the checklist that is no longer asked for."""
    write(work)
    work.apply()

    done = work.run("state", "forget", "client.river")

    assert "this manual step is no longer open: set up what the clone lacks" in done.out
    assert [] == work.run("state", "list", "--json").json["manual"]


def test_a_saved_plan_makes_the_client_first(work: Workspace, platform: Platform) -> None:
    """A license of `river` waits for the new client `river`, also in a plan read from a file."""
    work.course("a")
    write(work)
    work.write("license.yaml", LICENSE)
    file = Path(work.root / "p.json")
    work.run("plan", "--out", str(file))

    assert 0 == work.run("apply", str(file)).code
    assert ["riverside"] == clients(platform)
    assert LEFT == actions(work.plan())
