"""What was written just now and a read does not show yet (O31) is looked for again."""

from typing import Any

import pytest

from lmssync.platform.client import request_sender as sending
from lmssync.platform.live import change_marks as since
from tests.kinds.test_course_updates import LICENSE
from tests.patience import PausedTime
from tests.served_catalog import Platform, Workspace

SHOP = "purchasePaths: [{id: p, label: B, target: {url: 'https://e.com', title: S}}]\n"
NEW_TOPIC = "          - {id: bye, title: Bye, type: text, markdown: Good night}"
BEHIND = {
    "license.list": ("license.staff", 200, {"licenses": []}),
    "path.list": ("path.a.p", 200, {"data": []}),
    "course.full": ("course.a", 404, {"errors": ["Course not found"]}),
}
COMMANDS = pytest.mark.parametrize("command", [("drift",), ("plan", "--refresh=all")])
ROUTES = pytest.mark.parametrize("route", BEHIND)


@pytest.fixture
def applied(work: Workspace, instance: Platform, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A course with a purchase path, and a license; all written just now."""
    work.course("a", SHOP)
    work.write("l.yaml", LICENSE)
    assert 0 == work.apply().code
    monkeypatch.setattr(since, "BEHIND", 600.0)
    return work


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause puts the clock forward, and takes no time."""
    monkeypatch.setattr(sending, "time", PausedTime())


def fall_behind(platform: Platform, route: str, **more: Any) -> str:
    """Has a read not show what it shows otherwise; returns what that is."""
    address, status, body = BEHIND[route]
    routes = [route, "course.read"] if route == "course.full" else [route]
    for one in routes:
        platform.fault("answer", one, status=status, body=body, **more)
    return address


@COMMANDS
@ROUTES
def test_a_read_that_is_behind_is_made_again(
    applied: Workspace, instance: Platform, command: tuple[str, ...], route: str
) -> None:
    """It is said that it is not shown yet; nobody is told that it is gone."""
    address = fall_behind(instance, route)

    done = applied.run(*command)

    assert f"the platform does not show {address} yet, which was written just now" in done.err
    assert (0, False) == (done.code, "any more" in done.out or "no longer" in done.out)


@COMMANDS
def test_a_part_that_is_behind_is_looked_for(
    work: Workspace,
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    """A course that is shown as it was before a topic was added is read again."""
    work.course("a")
    assert 0 == work.apply().code
    course = next(one["id"] for one in platform.dump("courses") if one["title"] == "Title of a")
    headers = {"Authorization": f"Bearer {platform.key}"}
    stale = platform.http.get(f"/incoming/v2/content/course/{course}", headers=headers).json()
    work.course("a", edit=("type: quiz}", f"type: quiz}}\n{NEW_TOPIC}"))
    assert 0 == work.apply().code
    monkeypatch.setattr(since, "BEHIND", 600.0)
    platform.fault("answer", "course.read", status=200, body=stale)

    done = work.run(*command)

    assert "the platform does not show all parts of course.a yet" in done.err
    assert (0, False) == (done.code, "any more" in done.out or "no longer" in done.out)


@pytest.mark.parametrize(
    "command", [pytest.param(("drift",), marks=pytest.mark.slow), ("plan", "--refresh=all")]
)
def test_what_stays_away_is_gone(
    applied: Workspace, instance: Platform, quick: None, command: tuple[str, ...]
) -> None:
    """It is looked for until no read can be behind any more, and then it is not there."""
    gone = next(one["id"] for one in instance.dump("licenses") if one["name"] == "Staff")
    instance.order("edit", {"list": "licenses", "id": gone, "delete": True})
    done = applied.run(*command)
    assert "the platform does not show license.staff yet" in done.err
    assert "any more" in done.out or "no longer on the platform" in done.out


def test_many_that_are_gone_are_waited_for_once(
    work: Workspace, instance: Platform, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one whole wait, one read of their list answers for everything that it lacks."""
    work.course("a")
    for number in range(12):
        work.write(f"{number}.yaml", LICENSE.replace("staff", f"l{number}"))
    assert 0 == work.apply().code
    for one in instance.dump("licenses"):
        if one["name"] == "Staff":
            instance.order("edit", {"list": "licenses", "id": one["id"], "delete": True})
    monkeypatch.setattr(since, "BEHIND", 120.0)

    alone, all_of_them = (
        count_list_reads(work, instance, which) for which in ("license.l0", "license.*")
    )

    assert 10 < all_of_them <= alone + 3


def count_list_reads(work: Workspace, platform: Platform, which: str) -> int:
    """How often `drift` reads the list of licenses; those that it looks at are gone."""
    platform.http.delete("/_sandbox/requests").raise_for_status()
    done = work.run("drift", which)
    assert (2, 1) == (done.code, done.err.count("does not show"))
    return [request["route"] for request in platform.requests()].count("license.list")


def test_what_is_shown_is_read_once(applied: Workspace, instance: Platform) -> None:
    """Nothing is waited for, and no read is made twice."""
    instance.http.delete("/_sandbox/requests").raise_for_status()
    assert 0 == applied.run("drift").code
    asked = [request["route"] for request in instance.requests()]
    assert 1 == asked.count("license.list") == asked.count("path.list")
