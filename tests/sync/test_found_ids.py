"""An id that a person gives for a lost call is read before it is believed."""

import pytest

from tests.kinds.test_assignments_applied import CHLOE, assign
from tests.kinds.test_course_updates import LICENSE as OF_STAFF
from tests.served_catalog import Platform, Workspace

DONE, ERROR, UNKNOWN, USAGE = 0, 1, 4, 64
NOBODY = "7d1c0000-0000-4000-8000-000000000999"
LICENSE = OF_STAFF.replace("courses: [a]", "courses: []").replace("Tags: []", "Tags: [Safety]")
OTHER = LICENSE.replace("key: staff", "key: guests").replace("Staff", "Guests")
ANSWERS = pytest.mark.parametrize("answer", ["resolve", "adopt"])


def lost(work: Workspace, platform: Platform) -> dict[str, str]:
    """Two licenses that were made, whose answers nobody has heard; ids of licenses by name."""
    work.write("l.yaml", LICENSE)
    work.write("m.yaml", OTHER)
    platform.fault("drop-after", "license.create", times=2)
    assert UNKNOWN == work.apply().code
    return {one["name"]: one["id"] for one in platform.dump("licenses")}


def settle(work: Workspace, answer: str, id_: str, *more: str) -> tuple[int, str]:
    """The exit code of an answer, and what it says."""
    given = {"resolve": ("license.staff", "--adopt", id_), "adopt": (f"license.staff={id_}",)}
    done = work.run(answer, *given[answer], *more)
    return done.code, done.out + done.err


def of_another_client(platform: Platform) -> str:
    (mine,) = [one["clientId"] for one in platform.dump("licenses") if one["name"] == "Staff"]
    return next(one["id"] for one in platform.dump("licenses") if one["clientId"] != mine)


@ANSWERS
def test_the_list_of_the_client_is_read(work: Workspace, instance: Platform, answer: str) -> None:
    """An id that does not exist, or that another client has, is refused; the right one is not."""
    ids = lost(work, instance)

    for wrong in (NOBODY, of_another_client(instance)):
        code, said = settle(work, answer, wrong)
        assert (USAGE, True) == (code, f"shows nothing with the id {wrong}" in said)
    assert DONE == settle(work, answer, ids["Staff"])[0]
    assert ids["Staff"] == work.run("state", "show", "license.staff").json["ids"]["id"]


@ANSWERS
def test_the_license_of_another_lost_call_is_refused(
    work: Workspace, instance: Platform, answer: str
) -> None:
    """An id with the mark of another license that waits belongs to that one."""
    ids = lost(work, instance)
    code, said = settle(work, answer, ids["Guests"])
    assert (USAGE, True) == (code, "it carries what was sent for license.guests" in said)


def test_a_license_with_another_mark_is_refused(work: Workspace, instance: Platform) -> None:
    """What the call has sent carries its mark; another license of the client does not."""
    lost(work, instance)
    mine = next(one for one in instance.dump("licenses") if one["name"] == "Staff")
    instance.order("edit", {"list": "licenses", "id": mine["id"], "set": {"ref10": "else"}})

    code, said = settle(work, "resolve", mine["id"])

    assert (ERROR, True) == (code, "its mark or name differs" in said)


@ANSWERS
def test_where_no_route_shows_licenses_somebody_is_believed(
    work: Workspace, platform: Platform, answer: str
) -> None:
    """In the core profile an id is taken only with `--unverified`, and the output says so."""
    ids = lost(work, platform)

    assert USAGE == settle(work, answer, ids["Staff"])[0]
    code, said = settle(work, answer, ids["Staff"], "--unverified")
    assert (DONE, True) == (code, "no route of this instance shows it" in said)


def test_a_file_of_answers_is_believed_in_the_same_way(work: Workspace, platform: Platform) -> None:
    """`--unverified` is for each line of `--from FILE`."""
    ids = lost(work, platform)
    work.write("answers.csv", f"license.staff,adopt {ids['Staff']}\n")

    assert ERROR == work.run("resolve", "--from", "answers.csv").code
    assert DONE == work.run("resolve", "--from", "answers.csv", "--unverified").code


@pytest.mark.parametrize("answer", [("--adopt", NOBODY), ("--adopt", NOBODY, "--unverified")])
def test_what_has_no_id_takes_none(
    work: Workspace, platform: Platform, answer: tuple[str, ...]
) -> None:
    """The assignment of a license has no id, so none is recorded for it."""
    assign(work, CHLOE)
    platform.fault("drop-after", "sublicense.assign")
    work.apply()

    done = work.run("resolve", "assignment.staff", *answer)

    assert (USAGE, True) == (done.code, "has no id on the platform" in done.err)


def test_a_license_that_is_adopted_is_compared(work: Workspace, instance: Platform) -> None:
    """Where a list shows its fields, the next apply sends those that differ."""
    work.write("l.yaml", LICENSE)
    work.apply()
    work.run("state", "forget", "--drop-ids", "license.staff")
    work.write("l.yaml", LICENSE + "seatsLimit: 7\n")
    made = next(one["id"] for one in instance.dump("licenses") if one["name"] == "Staff")

    assert DONE == work.run("adopt", f"license.staff={made}").code
    assert DONE == work.apply().code
    assert [7] == [one["seatsLimit"] for one in instance.dump("licenses") if one["id"] == made]
