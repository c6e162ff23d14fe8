"""Further sessions of a course, from the manifest to the platform and back (spec 2.1; O3, O26)."""

import shutil
from typing import Any

import pytest

from tests.served_catalog import Platform, Workspace

SESSIONS = """\
sessions:
  - id: autumn
    title: Autumn run
    status: published
    priceInCents: 1900
    purchasable: true
    sections:
      - id: start
        title: Begin
        lessons:
          - id: one
            title: One
            openType: open
            topics:
              - {id: hello, title: Hello, type: text, markdown: Hi}
  - {id: winter, title: Winter run, sku: W-1, courseStartDate: "2031-01-01"}
"""
WINTER = 'sessions:\n  - {id: winter, title: Winter run, courseStartDate: "2031-01-01"}\n'


@pytest.fixture
def made(work: Workspace, instance: Platform) -> Workspace:
    """A course with two further sessions, applied."""
    work.course("a", SESSIONS)
    done = work.apply()
    assert 0 == done.code, done.err
    return work


def held(platform: Platform) -> dict[str, Any]:
    """The further sessions of the platform, by title."""
    return {c["title"]: c for c in platform.dump("courses") if c["title"].endswith(" run")}


def planned(work: Workspace) -> dict[str, Any]:
    return {change["address"]: change for change in work.plan()["changes"]}


def add(platform: Platform, **fields: Any) -> None:
    """Has somebody else add a session to the course."""
    group = next(g["id"] for g in platform.dump("courseGroups") if g["title"] == "Title of a")
    platform.change({"courses": [{"courseGroupId": group, **fields}]})


def test_sessions_are_added_to_the_course(made: Workspace, instance: Platform) -> None:
    """One group holds all three; nothing is left to do, and whatever is read is as it was sent."""
    autumn, winter = held(instance)["Autumn run"], held(instance)["Winter run"]
    assert ("published", 1900, "W-1") == (autumn["status"], autumn["priceInCents"], winter["sku"])
    assert 1 == len({c["courseGroupId"] for c in (autumn, winter)})
    assert [] == made.plan()["changes"]
    assert "No changes" in made.run("plan", "--refresh", "all").out


def test_a_session_opens_once_its_pages_are_there(made: Workspace, instance: Platform) -> None:
    """Both are made by one call, the parts follow level by level, then one is published."""
    sent = [request["route"] for request in instance.requests() if request["method"] != "GET"]
    assert ["course.create", *["course.update"] * 4, "content.release"] == sent


def test_a_change_is_sent_by_id(made: Workspace, instance: Platform) -> None:
    """Fields of both sessions, and of a page of one, travel in one call."""
    edit = SESSIONS.replace("1900", "2900").replace("Winter run", "Cold run")
    made.course("a", edit.replace("title: Hello", "title: Hey"))
    changes = planned(made)
    assert ("commerce", "editorial") == tuple(changes[a]["effect"] for a in sorted(changes))
    before = len(instance.requests(method="PUT"))
    assert 0 == made.apply().code
    assert (before + 1, 2900) == (
        len(instance.requests(method="PUT")),
        held(instance)["Autumn run"]["priceInCents"],
    )
    assert [] == made.plan()["changes"]


def test_a_session_that_leaves_is_a_step_for_a_person(made: Workspace) -> None:
    """No route deletes one (O11)."""
    made.course("a", SESSIONS.partition("  - {id: winter")[0])
    (change,) = made.plan()["changes"]
    assert ("session.a.winter", "manual") == (change["address"], change["action"])
    assert "delete the session “Winter run” of course `a`" in change["manual"][0]["text"]


def test_what_people_change_is_drift(made: Workspace, instance: Platform) -> None:
    """A price that somebody sets by hand is told, and not overwritten."""
    id_ = held(instance)["Autumn run"]["id"]
    instance.order("edit", {"list": "courses", "id": id_, "set": {"priceInCents": 5}})
    (finding,) = made.run("drift", "--json").json["findings"]
    assert ("session.a.autumn", "priceInCents") == (
        finding["address"],
        finding["fields"][0]["path"],
    )


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_answer_makes_no_second_session(
    work: Workspace, instance: Platform, when: str
) -> None:
    """The list of the course shows whether the call was carried out."""
    work.course("a")
    work.apply()
    work.course("a", WINTER)
    instance.order("faults", {"action": f"drop-{when}", "route": "course.update"})
    work.apply()
    assert 0 == work.apply().code
    assert (["Winter run"], []) == (list(held(instance)), work.plan()["changes"])


def test_what_a_person_has_added_is_taken_over(work: Workspace, instance: Platform) -> None:
    """A session of this title, in this course, without a mark of its own."""
    work.course("a")
    work.apply()
    add(instance, title="Winter run")
    work.course("a", WINTER)
    assert "adopt" == planned(work)["session.a.winter"]["action"]
    assert 0 == work.apply().code
    (winter,) = held(instance).values()
    assert winter["courseStartDate"].startswith("2031-01-01")
    assert [] == work.plan()["changes"]


def test_two_that_look_alike_are_for_a_person(work: Workspace, instance: Platform) -> None:
    """Neither is taken, and none is made. The first session of the course is never one of them."""
    work.course("a")
    work.apply()
    for _ in range(2):
        add(instance, title="Winter run")
    work.course("a", WINTER + "  - {id: same, title: Title of a}\n")
    changes = planned(work)
    assert {"session.a.winter": "blocked", "session.a.same": "create"} == {
        address: change["action"] for address, change in changes.items()
    }
    assert "adopt session.a.winter=" in changes["session.a.winter"]["reasons"][0]


def test_an_import_gives_the_manifest_back(made: Workspace, instance: Platform) -> None:
    """Sessions stand below their course, with their content, under the names of their titles."""
    shutil.rmtree(made.root / ".lmssync")
    (made.root / "a.yaml").unlink()
    course = held(instance)["Autumn run"]
    instance.order("edit", {"list": "courses", "id": course["id"], "set": {"status": "draft"}})
    done = made.run("import", course["courseGroupId"])
    assert 0 == done.code, done.err
    text = next(made.root.rglob("course.yaml")).read_text()
    assert all(word in text for word in ("id: winter-run", "sku: W-1", "title: Begin"))
    assert "No changes" in made.run("plan", "--refresh", "all").out


def test_without_the_list_a_session_waits(work: Workspace, platform: Platform) -> None:
    """On the core profile no read would show the id of a new one: a person says it."""
    work.course("a")
    work.apply()
    work.course("a", WINTER)
    change = planned(work)["session.a.winter"]
    assert ("blocked", True) == (change["action"], "`group.courses`" in change["reasons"][0])
    add(platform, title="Winter run")
    id_ = held(platform)["Winter run"]["id"]
    assert 0 == work.run("adopt", "--send-unread", f"session.a.winter={id_}").code
    assert 0 == work.apply().code
    assert held(platform)["Winter run"]["courseStartDate"].startswith("2031-01-01")


def test_without_the_list_a_person_says_what_was_made(work: Workspace, platform: Platform) -> None:
    """With `--allow` it is sent all the same, and waits for its id."""
    work.course("a")
    work.apply()
    work.course("a", WINTER)
    assert 4 == work.apply("--allow", "session.a.winter").code
    id_ = held(platform)["Winter run"]["id"]
    assert 0 == work.run("resolve", "session.a.winter", "--adopt", id_).code
    assert [] == work.plan()["changes"]
