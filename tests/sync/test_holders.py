"""`drift` tells who of a list has lost a license by hand, where an instance lists its accounts."""

from typing import Any

import pytest

from tests.kinds.test_assignments_applied import (
    CHLOE,
    GITA,
    IDA,
    KEEP,
    LEADERS,
    PARTIAL,
    PLANT,
    assign,
    holders,
)
from tests.served_catalog import EXTENDED, Platform, Workspace
from tests.support.traces import traces

CHANGES = 2


def user(platform: Platform, name: str) -> Any:
    return next(one for one in platform.dump("users") if one["email"].startswith(name))


def edit(platform: Platform, name: str, **values: object) -> None:
    """Changes an account as somebody in the admin interface would."""
    id_ = user(platform, name)["id"]
    platform.order("edit", {"list": "users", "id": id_, "set": values})


SHORT = 5
"""Letters of a name that stands by chance in codes and packed bytes: "Ade", "Berg"."""


def take(platform: Platform, name: str) -> None:
    """Takes all licenses away from somebody."""
    edit(platform, name, allocatedLicenses=[])


@pytest.fixture
def applied(work: Workspace, instance: Platform) -> Workspace:
    """A list of two people that was applied, on an instance that lists its accounts."""
    assign(work, CHLOE, GITA)
    assert (0, [CHLOE, GITA]) == (work.apply().code, holders(instance))
    return work


def test_a_license_that_was_taken_away_is_told(applied: Workspace, instance: Platform) -> None:
    """The line names the license, how many people, and where they stand; it exits with 2."""
    take(instance, GITA)

    done = applied.run("drift")

    assert CHANGES == done.code
    told = f"gave {LEADERS} to 1 person who does not have it now: staff.yaml:6"
    assert f"assignment.staff {told}" == done.out.splitlines()[0]
    assert "is not given again by an apply" in done.out


def test_errors_of_the_catalog_are_told_once(applied: Workspace, instance: Platform) -> None:
    """The catalog is read again to say where people stand, and nothing more is said of it."""
    take(instance, GITA)
    applied.write("wrong.yaml", "resource: course")

    done = applied.run("drift")

    assert "staff.yaml:6" in done.out
    assert 1 == done.err.count("warning: the catalog has")


def test_as_json(applied: Workspace, instance: Platform) -> None:
    """JSON has what they held, the codes of the people and where they stand."""
    take(instance, GITA)

    (finding,) = applied.run("drift", "--json").json["findings"]

    (loss,) = finding["losses"]
    assert ("assignment.staff", LEADERS) == (finding["address"], loss["held"])
    assert ("staff.yaml:6", 1) == (loss["where"], len(loss["people"]))


def test_nothing_names_anybody(applied: Workspace, instance: Platform) -> None:
    """Neither the output nor the state has a name, an address or an id of an account."""
    take(instance, GITA)
    edit(instance, CHLOE, email="somebody.else@brightwater.example")

    done = [applied.run("drift", *more) for more in ((), ("--json",), ("--format", "markdown"))]

    printed = "".join(one.out + one.err for one in done).lower()
    who = [str(one[name]) for one in instance.dump("users") for name in ("id", "email", "lastName")]
    who = [one for one in who if len(one) > SHORT]
    assert [] == traces(applied.root, *who, CHLOE)
    assert [] == [one for one in (*who, CHLOE) if one.lower() in printed]


def test_reads_only_and_the_accounts_once(applied: Workspace, instance: Platform) -> None:
    """Two lists take one walk of the accounts, and nothing is written."""
    assign(applied, IDA, licenses=PLANT, key="plant")
    assert 0 == applied.apply().code
    before = len(instance.requests())

    look = applied.run("drift", "--json").json

    asked = instance.requests()[before:]
    assert {"GET"} == {one["method"] for one in asked}
    assert ([], 2, len(asked)) == (look["findings"], look["summary"]["looked"], look["calls"])
    cursors = [one["query"] for one in asked if one["route"] == "user.list"]
    assert len(cursors) == len(set(map(str, cursors)))


def test_what_was_compared_is_proven(applied: Workspace) -> None:
    """Licenses and people of the list count as proven then, and the state remembers it."""
    before, look = applied.run("status", "--json").json, applied.run("drift", "--json").json
    assert (0, 2) == (before["truth"]["proven"], look["truth"]["proven"])
    assert 2 == applied.run("status", "--json").json["truth"]["proven"]


def test_holders_in_no_list_are_no_drift(applied: Workspace, instance: Platform) -> None:
    """What somebody gave by hand to a person in no list is not told."""
    edit(instance, IDA, allocatedLicenses=[{"licenseId": LEADERS}])
    assert 0 == applied.run("drift").code


def test_an_account_that_is_gone_is_told(applied: Workspace, instance: Platform) -> None:
    """Somebody whose address was changed there has no account by the name in the list."""
    edit(instance, CHLOE, email="somebody.else@brightwater.example")

    done = applied.run("drift")

    assert CHANGES == done.code
    assert (
        "names 1 person for whom the platform lists no account any more: staff.yaml:5" in done.out
    )


def test_a_list_that_is_too_long_for_the_budget_is_left(
    applied: Workspace, instance: Platform
) -> None:
    """The accounts take half of a budget at most; a list of more pages proves nothing."""
    take(instance, GITA)
    instance.order("switches", {"pageSize": 5})

    done = applied.run("drift", "--budget", "4")

    assert 0 == done.code
    assert "the calls of --budget were used up: assignment.staff." in done.out
    assert "Verified against the platform: 0 % of fields" in done.out


def test_accounts_that_the_platform_refuses(work: Workspace, platform: Platform) -> None:
    """Where the instance has no such list against its settings, the look says what is missing."""
    work.write("lmssync.yaml", EXTENDED)
    assign(work, CHLOE, GITA)
    assert 0 == work.apply().code
    take(platform, GITA)

    done = work.run("drift")

    assert 0 == done.code
    assert "1 list were not compared: the platform does not show its accounts." in done.out


def test_a_list_is_not_pulled(applied: Workspace, instance: Platform) -> None:
    """A pull leaves the list alone, and says which command tells who lost something."""
    take(instance, GITA)

    done = applied.run("pull", "assignment.staff")

    assert PARTIAL == done.code
    assert "a list of people is not pulled: `lmssync drift assignment.staff`" in done.out + done.err


def test_given_back_by_hand(applied: Workspace, instance: Platform) -> None:
    """Once it was given again in the admin interface, nothing differs any more."""
    take(instance, GITA)
    assert CHANGES == applied.run("drift").code
    edit(instance, GITA, allocatedLicenses=[{"licenseId": LEADERS}])
    assert 0 == applied.run("drift").code


def test_taken_out_of_the_list(applied: Workspace, instance: Platform) -> None:
    """Whoever is taken out of the list is no drift any more; put back, they get it again."""
    take(instance, GITA)
    assign(applied, CHLOE, more=KEEP)
    assert (0, 0) == (applied.apply().code, applied.run("drift").code)
    assign(applied, CHLOE, GITA, more=KEEP)
    assert (0, [CHLOE, GITA]) == (applied.apply().code, holders(instance))


def test_core_shows_no_accounts(work: Workspace, platform: Platform) -> None:
    """In the core profile nobody can tell: no route shows it, and no drift is told."""
    assign(work, CHLOE, GITA)
    assert 0 == work.apply().code
    take(platform, GITA)

    done = work.run("drift")

    assert 0 == done.code
    assert "No route of this instance shows 1 resource." in done.out
    assert [] == platform.requests(route="user.list")
